@group(0) @binding(0) var<storage, read> s0: array<u32>;
@group(0) @binding(1) var<storage, read> s1: array<u32>;
@group(0) @binding(2) var<storage, read_write> s2: array<u32>;
@group(0) @binding(3) var<storage, read_write> s3: array<u32>;
@group(0) @binding(4) var<storage, read_write> s4: array<u32>;
@group(1) @binding(0) var<uniform> scalars: array<vec4<u32>, 1>;
@group(1) @binding(1) var<uniform> record: array<vec4<u32>, 4>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let i = id.x + record[0].w * (id.y + record[1].x * id.z);
  if (i >= record[0].y) { return; }
  let p0 = record[1].y + i * record[1].z;
  let w0 = s0[p0];
  let n1 = vec2<f32>(((vec2<u32>(w0) >> vec2<u32>(0u, 16u)) & vec2<u32>(65535u))) / vec2<f32>(65535.0);
  let w2 = bitcast<vec2<u32>>(n1);
  let p1 = record[1].w + i * record[2].x;
  let w3 = vec2<u32>(s1[p1], s1[p1 + 1u]);
  let n4 = bitcast<vec2<f32>>(w3);
  let c5 = vec2<u32>(round(clamp(select(n4, vec2<f32>(0.0), (bitcast<vec2<u32>>(n4) & vec2<u32>(0x7fffffffu)) > vec2<u32>(0x7f800000u)), vec2<f32>(0.0), vec2<f32>(1.0)) * vec2<f32>(65535.0)));
  let w6 = c5.x | (c5.y << 16u);
  let n7 = vec2<f32>(((vec2<u32>(w6) >> vec2<u32>(0u, 16u)) & vec2<u32>(65535u))) / vec2<f32>(65535.0);
  let w8 = bitcast<vec2<u32>>(n7);
  let p2 = record[2].y + i * record[2].z;
  s2[p2] = w2.x;
  s2[p2 + 1u] = w2.y;
  let p3 = record[2].w + i * record[3].x;
  s3[p3] = w6;
  let p4 = record[3].y + i * record[3].z;
  s4[p4] = w8.x;
  s4[p4 + 1u] = w8.y;
}
