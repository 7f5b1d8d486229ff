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
  let n1 = m_read_half(w0);
  let w2 = bitcast<vec2<u32>>(n1);
  let p1 = record[1].w + i * record[2].x;
  let w3 = vec2<u32>(s1[p1], s1[p1 + 1u]);
  let n4 = bitcast<vec2<f32>>(w3);
  let w5 = m_write_half(n4);
  let n6 = m_read_half(w5);
  let w7 = bitcast<vec2<u32>>(n6);
  let p2 = record[2].y + i * record[2].z;
  s2[p2] = w2.x;
  s2[p2 + 1u] = w2.y;
  let p3 = record[2].w + i * record[3].x;
  s3[p3] = w5;
  let p4 = record[3].y + i * record[3].z;
  s4[p4] = w7.x;
  s4[p4 + 1u] = w7.y;
}

fn m_read_half(word: u32) -> vec2<f32> {
  let half = vec2<u32>(word & 0xffffu, word >> 16u);
  let size = half & vec2<u32>(0x7fffu);
  let normal = (size << vec2<u32>(13u)) + vec2<u32>(0x38000000u);
  let special = (size << vec2<u32>(13u)) + vec2<u32>(0x70000000u);
  let small = bitcast<vec2<u32>>(vec2<f32>(size) * vec2<f32>(5.9604644775390625e-8));
  let finite = select(normal, small, size < vec2<u32>(0x400u));
  let bits = select(finite, special, size >= vec2<u32>(0x7c00u));
  return bitcast<vec2<f32>>(bits | ((half & vec2<u32>(0x8000u)) << vec2<u32>(16u)));
}

fn m_write_half(value: vec2<f32>) -> u32 {
  let bits = bitcast<vec2<u32>>(value);
  let size = bits & vec2<u32>(0x7fffffffu);
  let even = size + vec2<u32>(0xfffu) + ((size >> vec2<u32>(13u)) & vec2<u32>(1u));
  let normal = min((even - vec2<u32>(0x38000000u)) >> vec2<u32>(13u), vec2<u32>(0x7c00u));
  let small = vec2<u32>(round(min(bitcast<vec2<f32>>(size), vec2<f32>(1.0)) * vec2<f32>(16777216.0)));
  let finite = select(normal, small, size < vec2<u32>(0x38800000u));
  let half = select(finite, vec2<u32>(0x7e00u), size > vec2<u32>(0x7f800000u));
  let words = half | ((bits >> vec2<u32>(16u)) & vec2<u32>(0x8000u));
  return words.x | (words.y << 16u);
}
