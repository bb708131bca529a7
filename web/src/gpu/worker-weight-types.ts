// How kernels read weights: for each type a function in WGSL that gives eight values of a row, and where the bytes of rows
// lie. The bytes are those of the file.
import type { PlannedMatrix, WeightType } from './plan.ts';

/** Bytes and halves at any even address, of the buffer `w`. */
const readers = `
fn word(at: u32) -> u32 {
  let i = at >> 2u;
  if ((at & 2u) == 0u) { return w[i]; }
  return (w[i] >> 16u) | (w[i + 1u] << 16u);
}
fn half(at: u32) -> f32 { return unpack2x16float(w[at >> 2u] >> (8u * (at & 2u))).x; }
fn byte(at: u32) -> u32 { return (w[at >> 2u] >> (8u * (at & 3u))) & 255u; }
fn signed(code: u32) -> vec4<f32> {
  return vec4<f32>((vec4<i32>(vec4<u32>(code << 24u, code << 16u, code << 8u, code)) >> vec4<u32>(24u)));
}
fn bytes(code: u32) -> vec4<f32> {
  return vec4<f32>(vec4<u32>(code, code >> 8u, code >> 16u, code >> 24u) & vec4<u32>(255u));
}
fn nibbles(code: u32) -> vec4<f32> {
  let codes = vec4<u32>(code, code >> 4u, code >> 8u, code >> 12u) & vec4<u32>(15u);
  return vec4<f32>(vec4<i32>(codes << vec4<u32>(28u)) >> vec4<u32>(28u));
}
fn scale_at(at: u32, size: u32) -> f32 {
  if (size == 2u) { return half(at); }
  return bitcast<f32>(word(at));
}
struct Eight { a: vec4<f32>, b: vec4<f32> }
`;

const plain = (one: string) => `
fn one(i: u32) -> f32 { ${one} }
fn load8(row: u32, j: u32) -> Eight {
  var out: array<f32, 8>;
  for (var i = 0u; i < 8u; i++) {
    let k = 8u * j + i;
    if (k < COLS) { out[i] = one(select(row * COLS + k, k * ROWS + row, TRANSPOSED)); }
  }
  return Eight(vec4<f32>(out[0], out[1], out[2], out[3]), vec4<f32>(out[4], out[5], out[6], out[7]));
}`;

/** `load8(row, j)`: the values 8 j … 8 j + 7 of a row, and 0 after its end. */
const loaders: Readonly<Record<WeightType, string>> = {
  f32: plain('return bitcast<f32>(w[i]);'),
  f16: plain('return half(2u * i);'),
  bf16: plain('return bitcast<f32>((w[i >> 1u] >> (16u * (i & 1u))) << 16u);'),
  q8_0: `
fn load8(row: u32, j: u32) -> Eight {
  let at = (row * (COLS / 32u) + j / 4u) * 34u;
  let d = half(at);
  let codes = at + 2u + 8u * (j % 4u);
  return Eight(d * signed(word(codes)), d * signed(word(codes + 4u)));
}`,
  q4_0: `
fn load8(row: u32, j: u32) -> Eight {
  let at = (row * (COLS / 32u) + j / 4u) * 18u;
  let d = half(at);
  let codes = at + 2u + 8u * (j % 2u);
  let shift = 4u * ((j % 4u) / 2u);
  let mask = 0x0f0f0f0fu;
  return Eight(d * (bytes((word(codes) >> shift) & mask) - 8.0), d * (bytes((word(codes + 4u) >> shift) & mask) - 8.0));
}`,
  q4_k: `
fn load8(row: u32, j: u32) -> Eight {
  let at = (row * (COLS / 256u) + j / 32u) * 144u;
  let g = (j % 32u) / 4u;
  var scale = byte(at + 4u + g) & 63u;
  var low = byte(at + 8u + g) & 63u;
  if (g >= 4u) {
    let both = byte(at + 8u + g);
    scale = (both & 15u) | ((byte(at + g) >> 6u) << 4u);
    low = (both >> 4u) | ((byte(at + 4u + g) >> 6u) << 4u);
  }
  let step = half(at) * f32(scale);
  let offset = half(at + 2u) * f32(low);
  let codes = at + 16u + 32u * (g / 2u) + 8u * (j % 4u);
  let shift = 4u * (g % 2u);
  let mask = 0x0f0f0f0fu;
  return Eight(step * bytes((word(codes) >> shift) & mask) - offset, step * bytes((word(codes + 4u) >> shift) & mask) - offset);
}`,
  q6_k: `
fn load8(row: u32, j: u32) -> Eight {
  let at = (row * (COLS / 256u) + j / 32u) * 210u;
  let n = (j % 32u) / 16u;
  let quarter = (j % 16u) / 4u;
  let l = 8u * (j % 4u);
  let low = at + 64u * n + 32u * (quarter % 2u) + l;
  let high = at + 128u + 32u * n + l;
  let scale = byte(at + 192u + 8u * n + (j % 16u) / 2u);
  let step = half(at + 208u) * f32(i32(scale << 24u) >> 24u);
  let s = 4u * (quarter / 2u);
  let h = 2u * quarter;
  let a = ((word(low) >> s) & 0x0f0f0f0fu) | (((word(high) >> h) & 0x03030303u) << 4u);
  let b = ((word(low + 4u) >> s) & 0x0f0f0f0fu) | (((word(high + 4u) >> h) & 0x03030303u) << 4u);
  return Eight(step * (bytes(a) - 32.0), step * (bytes(b) - 32.0));
}`,
  int8: `
fn four(row: u32, k: u32) -> vec4<f32> {
  if (k >= COLS) { return vec4<f32>(0.0); }
  var scale = 0u;
  if (BLOCK > 0u) { scale = row * ((COLS + BLOCK - 1u) / BLOCK) + k / BLOCK; }
  return scale_at(SCALES + scale * SCALE, SCALE) * signed(word(CODES + row * COLS + k));
}
fn load8(row: u32, j: u32) -> Eight { return Eight(four(row, 8u * j), four(row, 8u * j + 4u)); }`,
  int4_block: `
fn load8(row: u32, j: u32) -> Eight {
  let k = 8u * j;
  let block = row * ((COLS + BLOCK - 1u) / BLOCK) + k / BLOCK;
  let at = SCALES + block * (SCALE + BLOCK / 2u);
  let d = scale_at(at, SCALE);
  let codes = word(at + SCALE + (k % BLOCK) / 2u);
  return Eight(d * nibbles(codes), d * nibbles(codes >> 16u));
}`,
};

/** The code of a kernel that reads weights of this type from its buffer `w`. */
export function weightCode(type: WeightType, transposed: boolean): string {
  return readers + loaders[type].replaceAll('TRANSPOSED', String(transposed));
}

/** Bytes of a block of values of the types of ggml. */
const blocks = { q8_0: [32, 34], q4_0: [32, 18], q4_k: [256, 144], q6_k: [256, 210] } as const;
const plainBytes = { f32: 4, f16: 2, bf16: 2 } as const;

/** Pieces of the tensor's bytes that some rows have: where the first row begins, and bytes of a row. */
export function rowPieces(matrix: PlannedMatrix): (readonly [at: number, rowBytes: number])[] {
  const { type, cols, block, scaleBytes, scalesAt, codesAt } = matrix;
  if (type === 'int8') {
    const scales = block === 0 ? 0 : Math.ceil(cols / block) * scaleBytes;
    return [
      [scalesAt, scales],
      [codesAt, cols],
    ];
  }
  if (type === 'int4_block') {
    return [[scalesAt, Math.ceil(cols / block) * (scaleBytes + block / 2)]];
  }
  if (type in plainBytes) {
    return [[0, cols * plainBytes[type as keyof typeof plainBytes]]];
  }
  const [values, bytes] = blocks[type as keyof typeof blocks];
  return [[0, (cols / values) * bytes]];
}
