@group(0) @binding(0) var<storage, read> s0: array<u32>;
@group(0) @binding(1) var<storage, read_write> s1: array<u32>;
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
  let n1 = bitcast<f32>(w0);
  let n2 = bitcast<f32>(scalars[0].x);
  let n3 = (n1 + n2);
  let w4 = bitcast<u32>(n3);
  let n5 = bitcast<f32>(scalars[0].y);
  let n6 = (n1 * n5);
  let w7 = bitcast<u32>(n6);
  let n8 = ((bitcast<u32>(n1) & u32(0x7fffffffu)) > u32(0x7f800000u));
  let b9 = select(u32(0u), u32(1u), n8);
  let n10 = !(n1 == n1);
  let b11 = select(u32(0u), u32(1u), n10);
  let p1 = record[1].w + i * record[2].x;
  s1[p1] = w4;
  let p2 = record[2].y + i * record[2].z;
  s2[p2] = w7;
  let p3 = record[2].w + i * record[3].x;
  s3[p3] = b9;
  let p4 = record[3].y + i * record[3].z;
  s4[p4] = b11;
}
