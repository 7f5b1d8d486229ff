@group(0) @binding(0) var<storage, read> s0: array<u32>;
@group(0) @binding(1) var<storage, read> s1: array<u32>;
@group(0) @binding(2) var<storage, read> s2: array<u32>;
@group(0) @binding(3) var<storage, read_write> s3: array<u32>;
@group(0) @binding(4) var<storage, read_write> s4: array<u32>;
@group(1) @binding(0) var<uniform> scalars: array<vec4<u32>, 1>;
@group(1) @binding(1) var<uniform> record: array<vec4<u32>, 4>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let i = id.x + record[0].w * (id.y + record[1].x * id.z);
  if (i >= record[0].y) { return; }
  let p0 = record[1].y + i * record[1].z;
  let w0 = vec2<u32>(s0[p0], s0[p0 + 1u]);
  let n1 = bitcast<vec2<i32>>(w0);
  let p2 = record[2].y + i * record[2].z;
  let w2 = vec2<u32>(s2[p2], s2[p2 + 1u]);
  let n3 = bitcast<vec2<i32>>(w2);
  let n4 = (n1 + n3);
  let p1 = record[1].w;
  let w5 = vec2<u32>(s1[p1], s1[p1 + 1u]);
  let n6 = bitcast<vec2<i32>>(w5);
  let n7 = (n4 * n6);
  let w8 = bitcast<vec2<u32>>(n7);
  let w9 = bitcast<vec2<u32>>(n4);
  let p3 = record[2].w + i * record[3].x;
  s3[p3] = w8.x;
  s3[p3 + 1u] = w8.y;
  let p4 = record[3].y + i * record[3].z;
  s4[p4] = w9.x;
  s4[p4 + 1u] = w9.y;
}
