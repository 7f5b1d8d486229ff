@group(0) @binding(0) var<storage, read> s0: array<u32>;
@group(0) @binding(1) var<storage, read> s1: array<u32>;
@group(0) @binding(2) var<storage, read> s2: array<u32>;
@group(0) @binding(3) var<storage, read_write> s3: array<u32>;
@group(0) @binding(4) var<storage, read_write> s4: array<u32>;
@group(0) @binding(5) var<storage, read_write> s5: array<u32>;
@group(0) @binding(6) var<storage, read_write> s6: array<u32>;
@group(0) @binding(7) var<storage, read_write> s7: array<u32>;
@group(0) @binding(8) var<storage, read_write> s8: array<u32>;
@group(0) @binding(9) var<storage, read_write> s9: array<u32>;
@group(0) @binding(10) var<storage, read_write> s10: array<u32>;
@group(0) @binding(11) var<storage, read_write> s11: array<u32>;
@group(0) @binding(12) var<storage, read_write> s12: array<u32>;
@group(0) @binding(13) var<storage, read_write> s13: array<u32>;
@group(0) @binding(14) var<storage, read_write> s14: array<u32>;
@group(0) @binding(15) var<storage, read_write> s15: array<u32>;
@group(1) @binding(0) var<uniform> scalars: array<vec4<u32>, 1>;
@group(1) @binding(1) var<uniform> record: array<vec4<u32>, 10>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let i = id.x + record[0].w * (id.y + record[1].x * id.z);
  if (i >= record[0].y) { return; }
  let never = scalars[0].x == 0u;
  let p0 = record[1].y + i * record[1].z;
  let w0 = vec3<u32>(s0[p0], s0[p0 + 1u], s0[p0 + 2u]);
  let n1 = bitcast<vec3<f32>>(w0);
  let n2 = (n1 * 57.29577951308232);
  let w3 = bitcast<vec3<u32>>(n2);
  let n4 = fma(n1, n1, n1);
  let w5 = bitcast<vec3<u32>>(n4);
  let n6 = (n1 - trunc(n1));
  let w7 = bitcast<vec3<u32>>(n6);
  let n8 = vec3<f32>(m_quantize_to_f16(n1.x), m_quantize_to_f16(n1.y), m_quantize_to_f16(n1.z));
  let w9 = bitcast<vec3<u32>>(n8);
  let p1 = record[1].w + i * record[2].x;
  let w10 = vec4<u32>(s1[p1], s1[p1 + 1u], s1[p1 + 2u], s1[p1 + 3u]);
  let n11 = bitcast<vec4<f32>>(w10);
  let n12 = n11.xyz;
  let n13 = (n1 - 2.0 * dot(n12, n1) * n12);
  let w14 = bitcast<vec3<u32>>(n13);
  let n15 = n11.x;
  let n16 = select(n15 * n1 - (n15 * dot(n12, n1) + sqrt(m_refract_k(n15, dot(n12, n1)))) * n12, vec3<f32>(), vec3<bool>(m_refract_k(n15, dot(n12, n1)) < 0.0));
  let w17 = bitcast<vec3<u32>>(n16);
  let n18 = select(-n1, n1, vec3<bool>(dot(n1, n12) < 0.0));
  let w19 = bitcast<vec3<u32>>(n18);
  let n20 = vec4<f32>(n15);
  let n21 = ((n11 < n20) != vec4<bool>(never));
  let n22 = all(n21);
  let b23 = select(u32(0u), u32(1u), n22);
  let n24 = bitcast<vec3<u32>>(n1);
  let n25 = m_pack_8(vec4<u32>(vec4<i32>(floor(0.5 + 127.0 * clamp(n11, vec4<f32>(-1.0), vec4<f32>(1.0))))));
  let n26 = n11.xy;
  let n27 = m_write_half(n26);
  let p2 = record[2].y + i * record[2].z;
  let w28 = s2[p2];
  let n29 = max(vec4<f32>(m_unpack_i8(w28)) / 127.0, vec4<f32>(-1.0));
  let w30 = bitcast<vec4<u32>>(n29);
  let n31 = dot(m_unpack_i8(w28), m_unpack_i8(w28));
  let w32 = bitcast<u32>(n31);
  let p3 = record[2].w + i * record[3].x;
  s3[p3] = w3.x;
  s3[p3 + 1u] = w3.y;
  s3[p3 + 2u] = w3.z;
  let p4 = record[3].y + i * record[3].z;
  s4[p4] = w5.x;
  s4[p4 + 1u] = w5.y;
  s4[p4 + 2u] = w5.z;
  let p5 = record[3].w + i * record[4].x;
  s5[p5] = w7.x;
  s5[p5 + 1u] = w7.y;
  s5[p5 + 2u] = w7.z;
  let p6 = record[4].y + i * record[4].z;
  s6[p6] = w9.x;
  s6[p6 + 1u] = w9.y;
  s6[p6 + 2u] = w9.z;
  let p7 = record[4].w + i * record[5].x;
  s7[p7] = w14.x;
  s7[p7 + 1u] = w14.y;
  s7[p7 + 2u] = w14.z;
  let p8 = record[5].y + i * record[5].z;
  s8[p8] = w17.x;
  s8[p8 + 1u] = w17.y;
  s8[p8 + 2u] = w17.z;
  let p9 = record[5].w + i * record[6].x;
  s9[p9] = w19.x;
  s9[p9 + 1u] = w19.y;
  s9[p9 + 2u] = w19.z;
  let p10 = record[6].y + i * record[6].z;
  s10[p10] = b23;
  let p11 = record[6].w + i * record[7].x;
  s11[p11] = n24.x;
  s11[p11 + 1u] = n24.y;
  s11[p11 + 2u] = n24.z;
  let p12 = record[7].y + i * record[7].z;
  s12[p12] = n25;
  let p13 = record[7].w + i * record[8].x;
  s13[p13] = n27;
  let p14 = record[8].y + i * record[8].z;
  s14[p14] = w30.x;
  s14[p14 + 1u] = w30.y;
  s14[p14 + 2u] = w30.z;
  s14[p14 + 3u] = w30.w;
  let p15 = record[8].w + i * record[9].x;
  s15[p15] = w32;
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

fn m_pack_8(lanes: vec4<u32>) -> u32 {
  let bytes = lanes & vec4<u32>(0xffu);
  return bytes.x | (bytes.y << 8u) | (bytes.z << 16u) | (bytes.w << 24u);
}

fn m_unpack_i8(word: u32) -> vec4<i32> {
  return bitcast<vec4<i32>>(vec4<u32>(word) << vec4<u32>(24u, 16u, 8u, 0u)) >> vec4<u32>(24u);
}

fn m_refract_k(ratio: f32, cosine: f32) -> f32 {
  return 1.0 - ratio * ratio * (1.0 - cosine * cosine);
}

fn m_quantize_to_f16(value: f32) -> f32 {
  return m_read_half(m_write_half(vec2<f32>(value))).x;
}
