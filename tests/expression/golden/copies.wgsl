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
  let w0 = vec3<u32>(s0[p0], s0[p0 + 1u], s0[p0 + 2u]);
  let p1 = record[1].w + i * record[2].x;
  let w1 = s1[p1];
  let n2 = vec4<f32>(((vec4<u32>(w1) >> vec4<u32>(0u, 8u, 16u, 24u)) & vec4<u32>(255u))) / vec4<f32>(255.0);
  let w3 = bitcast<vec4<u32>>(n2);
  let p2 = record[2].y + i * record[2].z;
  s2[p2] = w0.x;
  s2[p2 + 1u] = w0.y;
  s2[p2 + 2u] = w0.z;
  let p3 = record[2].w + i * record[3].x;
  s3[p3] = w1;
  let p4 = record[3].y + i * record[3].z;
  s4[p4] = w3.x;
  s4[p4 + 1u] = w3.y;
  s4[p4 + 2u] = w3.z;
  s4[p4 + 3u] = w3.w;
}
