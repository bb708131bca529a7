// What this machine can do at most in WebAssembly, on one core: operations in registers only, with nothing read. A benchmark
// prints this beside its results, from the same run.

/** Sums that do not wait for each other. Two instructions a cycle, of five cycles each, need ten. */
const nSums = 12;
/** Of v128 locals after the parameter: two factors and the sums. */
const [left, right, firstSum] = [1, 2, 3];
const get = (local) => [0x20, local];
const set = (local) => [0x21, local];
const simd = (opcode) => [
  0xfd,
  ...(opcode < 0x80 ? [opcode] : [0x80 | (opcode & 0x7f), opcode >> 7]),
];
const splat = { i8x16: 0x0f, f32x4: 0x13 };
const opcodes = {
  add32: 0xae,
  dot16: 0xba,
  addF32: 0xe4,
  mulF32: 0xe6,
  maddF32: 0x105,
  dot8Add: 0x113,
};

/** Operations of one instruction or of one pair: a product and an addition each. */
const kernels = {
  'relaxed f32': { operations: 8, fused: opcodes.maddF32 },
  'baseline f32': { operations: 8, product: opcodes.mulF32, sum: opcodes.addF32 },
  'relaxed int8': { operations: 32, fused: opcodes.dot8Add },
  'baseline int8': { operations: 16, product: opcodes.dot16, sum: opcodes.add32 },
};

/** (func (param n) (result i32)): `n` turns, each with one step of every sum. */
function moduleOf(name, { fused, product, sum }) {
  const isFloat = name.endsWith('f32');
  // Of floats: the number of turns, for small integers as floats would be denormal. Of bytes: seven bits.
  const factor = isFloat
    ? [...get(0), 0xb2, ...simd(splat.f32x4)]
    : [...get(0), 0x41, 0xff, 0x00, 0x71, ...simd(splat.i8x16)];
  const sums = Array.from({ length: nSums }, (_, i) => firstSum + i);
  // A product of the same factors would be computed only once, so that of the pair takes its sum.
  const step = (local) =>
    fused === undefined
      ? [...get(left), ...get(local), ...simd(product), ...get(local), ...simd(sum), ...set(local)]
      : [...get(left), ...get(right), ...get(local), ...simd(fused), ...set(local)];
  const code = [
    ...[1, 2 + nSums, 0x7b],
    ...sums.flatMap((local) => [...factor, ...set(local)]),
    ...[...factor, ...set(left), ...factor, ...set(right)],
    ...[0x03, 0x40, ...sums.flatMap(step)],
    ...[...get(0), 0x41, 0x01, 0x6b, 0x22, 0x00, 0x0d, 0x00, 0x0b],
    ...get(firstSum),
    ...sums.slice(1).flatMap((local) => [...get(local), ...simd(opcodes.add32)]),
    ...[...simd(0x1b), 0x00, 0x0b],
  ];
  const size = (n) => [0x80 | (n & 0x7f), n >> 7];
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...[1, 6, 1, 0x60, 1, 0x7f, 1, 0x7f],
    ...[3, 2, 1, 0],
    ...[7, 5, 1, 1, 0x66, 0, 0],
    ...[0x0a, ...size(code.length + 3), 1, ...size(code.length), ...code],
  ]);
}

const turns = 1_000_000;
const nRuns = 9;

/** Billions of operations a second, at best, by build and type. None where the engine lacks the instructions. */
export async function roofline() {
  const limits = {};
  for (const [name, kernel] of Object.entries(kernels)) {
    const bytes = moduleOf(name, kernel);
    if (!WebAssembly.validate(bytes)) continue;
    const { instance } = await WebAssembly.instantiate(bytes);
    let least = Number.POSITIVE_INFINITY;
    for (let run = 0; run < nRuns; run++) {
      const start = performance.now();
      instance.exports.f(turns);
      least = Math.min(least, performance.now() - start);
    }
    limits[name] = (kernel.operations * nSums * turns) / least / 1e6;
  }
  return limits;
}

/** Says what the machine can do, above a benchmark's results. */
export function printLimits(limits) {
  for (const [name, limit] of Object.entries(limits)) {
    console.log(`${name}: at most ${limit.toFixed(0)} G operations a second in registers`);
  }
}
