@group(0) @binding(0) var<storage, read> s0: array<u32>;
@group(0) @binding(1) var<storage, read> s1: array<u32>;
@group(0) @binding(2) var<storage, read> s2: array<u32>;
@group(0) @binding(3) var<storage, read_write> s3: array<u32>;
@group(0) @binding(4) var<storage, read_write> s4: array<u32>;
@group(0) @binding(5) var<storage, read_write> s5: array<u32>;
@group(0) @binding(6) var<storage, read_write> s6: array<u32>;
@group(1) @binding(0) var<uniform> scalars: array<vec4<u32>, 1>;
@group(1) @binding(1) var<uniform> record: array<vec4<u32>, 5>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let i = id.x + record[0].w * (id.y + record[1].x * id.z);
  if (i >= record[0].y) { return; }
  let never = scalars[0].x == 0u;
  let p0 = record[1].y + i * record[1].z;
  let w0 = vec3<u32>(s0[p0], s0[p0 + 1u], s0[p0 + 2u]);
  let n1 = bitcast<vec3<f32>>(w0);
  let p1 = record[1].w + i * record[2].x;
  let w2 = vec3<u32>(s1[p1], s1[p1 + 1u], s1[p1 + 2u]);
  let n3 = bitcast<vec3<f32>>(w2);
  let n4 = ((n1 < n3) != vec3<bool>(never));
  let p2 = record[2].y + i * record[2].z;
  let w5 = vec3<u32>(s2[p2], s2[p2 + 1u], s2[p2 + 2u]);
  let n6 = w5 != vec3<u32>(0u);
  let n7 = (n4 | n6);
  let b8 = select(vec3<u32>(0u), vec3<u32>(1u), n7);
  let n9 = select(n1, n3, n7);
  let w10 = bitcast<vec3<u32>>(n9);
  let n11 = bitcast<vec3<u32>>(select(vec3<u32>(0u), vec3<u32>(1u), n4));
  let n12 = bitcast<vec3<u32>>(n11) != vec3<u32>(0u);
  let b13 = select(vec3<u32>(0u), vec3<u32>(1u), n12);
  let p3 = record[2].w + i * record[3].x;
  s3[p3] = b8.x;
  s3[p3 + 1u] = b8.y;
  s3[p3 + 2u] = b8.z;
  let p4 = record[3].y + i * record[3].z;
  s4[p4] = w10.x;
  s4[p4 + 1u] = w10.y;
  s4[p4 + 2u] = w10.z;
  let p5 = record[3].w + i * record[4].x;
  s5[p5] = n11.x;
  s5[p5 + 1u] = n11.y;
  s5[p5 + 2u] = n11.z;
  let p6 = record[4].y + i * record[4].z;
  s6[p6] = b13.x;
  s6[p6 + 1u] = b13.y;
  s6[p6 + 2u] = b13.z;
}
