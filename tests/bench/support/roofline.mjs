// What this machine can do at most in WebAssembly, on one core: operations in registers only, with nothing read. A benchmark
// prints this beside its results, from the same run.
import { get, i32, loop, moduleOf, set, simd, tee } from './wasm-bytes.mjs';

/** Sums that do not wait for each other. Two instructions a cycle, of five cycles each, need ten. */
const nSums = 12;
/** The indices of v128 locals after the parameter: two factors and the sums. */
const [left, right, firstSum] = [1, 2, 3];
const splat = { i8x16: 0x0f, f32x4: 0x13 };
const opcodes = {
  sub: 0x6b,
  toF32: 0xb2,
  and: 0x71,
  firstLane: 0x1b,
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
function kernelOf(name, { fused, product, sum }) {
  const isFloat = name.endsWith('f32');
  // A factor of floats is the number of turns, for small integers as floats would be denormal. One of bytes has seven
  // bits.
  const factor = isFloat
    ? [...get(0), opcodes.toF32, ...simd(splat.f32x4)]
    : [...get(0), ...i32(0x7f), opcodes.and, ...simd(splat.i8x16)];
  const sums = Array.from({ length: nSums }, (_, i) => firstSum + i);
  // A product of the same factors would be computed only once, so that of the pair takes its sum.
  const step = (local) =>
    fused === undefined
      ? [...get(left), ...get(local), ...simd(product), ...get(local), ...simd(sum), ...set(local)]
      : [...get(left), ...get(right), ...get(local), ...simd(fused), ...set(local)];
  return moduleOf({
    params: ['i32'],
    results: ['i32'],
    locals: Array(2 + nSums).fill('v128'),
    code: [
      ...sums.flatMap((local) => [...factor, ...set(local)]),
      ...[...factor, ...set(left), ...factor, ...set(right)],
      ...loop(sums.flatMap(step), [...get(0), ...i32(1), opcodes.sub, ...tee(0)]),
      ...get(firstSum),
      ...sums.slice(1).flatMap((local) => [...get(local), ...simd(opcodes.add32)]),
      ...[...simd(opcodes.firstLane), 0],
    ],
  });
}

const turns = 1_000_000;
const nRuns = 9;

/** Billions of operations a second, at best, by build and type. None where the engine lacks the instructions. */
export async function roofline() {
  const limits = {};
  for (const [name, kernel] of Object.entries(kernels)) {
    const bytes = kernelOf(name, kernel);
    if (!WebAssembly.validate(bytes)) {
      continue;
    }
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
