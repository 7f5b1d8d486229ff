@group(0) @binding(0) var<storage, read> s0: array<u32>;
@group(0) @binding(1) var<storage, read_write> s1: array<u32>;
@group(1) @binding(0) var<uniform> scalars: array<vec4<u32>, 1>;
@group(1) @binding(1) var<uniform> record: array<vec4<u32>, 3>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let i = id.x + record[0].w * (id.y + record[1].x * id.z);
  if (i >= record[0].y) { return; }
  let p0 = record[1].y + i * record[1].z;
  let w0 = vec2<u32>(s0[p0], s0[p0 + 1u]);
  let n1 = bitcast<vec2<f32>>(w0);
  let n2 = sin(n1);
  let n3 = atan2(n1, n2);
  let w4 = bitcast<vec2<u32>>(n3);
  let p1 = record[1].w + i * record[2].x;
  s1[p1] = w4.x;
  s1[p1 + 1u] = w4.y;
}
