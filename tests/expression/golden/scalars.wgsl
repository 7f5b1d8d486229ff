@group(0) @binding(0) var<storage, read> s0: array<u32>;
@group(0) @binding(1) var<storage, read_write> s1: array<u32>;
@group(1) @binding(0) var<uniform> scalars: array<vec4<u32>, 2>;
@group(1) @binding(1) var<uniform> record: array<vec4<u32>, 3>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let i = id.x + record[0].w * (id.y + record[1].x * id.z);
  if (i >= record[0].y) { return; }
  let w0 = vec3<u32>(scalars[1].y, scalars[1].z, scalars[1].w);
  let n1 = bitcast<vec3<f32>>(w0);
  let p0 = record[1].y;
  let w2 = s0[p0];
  let n3 = bitcast<f32>(w2);
  let n4 = vec3<f32>(n3);
  let n5 = (n1 * n4);
  let w6 = bitcast<vec3<u32>>(n5);
  let p1 = record[1].w + i * record[2].x;
  s1[p1] = w6.x;
  s1[p1 + 1u] = w6.y;
  s1[p1 + 2u] = w6.z;
}
