// Half-precision numbers (f16): weights that are stored as f16, and products of eight f16 at once.
import * as wasm from '../support/wasm-bytes.mjs';
import { same } from './pairs.mjs';

const { get, set, tee, simd, loadSimd, loop } = wasm;

const op = {
  load: 0x00,
  load16x4: 0x01,
  load16x4Signed: 0x03,
  load64: 0x5d,
  f32Lane: 0x1f,
  i32Lane: 0x1b,
  xor: 0x51,
  and: 0x4e,
  shiftLeft: 0xab,
  splat32: 0x11,
  splatF32: 0x13,
  add: 0xe4,
  mul: 0xe6,
  madd: 0x105,
  splatF16: 0x120,
  addF16: 0x13d,
  promoteLow: 0x14b,
  maddF16: 0x14e,
};

const nNumbers = 4096;
const [numbersAt, pages] = [2 * nNumbers, 1];

/** Four f32 of four f16, as `load_finite_f16` of core/simd makes them, or by the instruction. */
const widened = {
  integers: (pointer, offset, mask, scale) => [
    ...[...get(pointer), ...loadSimd(op.load16x4Signed, offset)],
    ...[...wasm.i32(13), ...simd(op.shiftLeft), ...get(mask), ...simd(op.and)],
    ...[...get(scale), ...simd(op.mul)],
  ],
  instruction: (pointer, offset) => [
    ...[...get(pointer), ...loadSimd(op.load64, offset), ...simd(op.promoteLow)],
  ],
};

/** (f16 weights, f32 numbers, end of the weights): the sum of their products. */
function product(widen) {
  const [weights, numbers, end, mask, scale, first] = [0, 1, 2, 3, 4, 5];
  const sums = [0, 1, 2, 3].map((i) => first + i);
  const term = (sum, i) => [
    ...widen(weights, 8 * i, mask, scale),
    ...[...get(numbers), ...loadSimd(op.load, 16 * i)],
    ...[...get(sum), ...simd(op.madd), ...set(sum)],
  ];
  const step = (pointer, bytes) => [...get(pointer), ...wasm.i32(bytes), 0x6a];
  return wasm.moduleOf({
    memory: { pages, is64: false },
    params: ['i32', 'i32', 'i32'],
    results: ['f32'],
    locals: Array(2 + sums.length).fill('v128'),
    code: [
      ...[...wasm.i32(0x8fffe000 | 0), ...simd(op.splat32), ...set(mask)],
      // 2^112
      ...[0x43, 0x00, 0x00, 0x80, 0x77, ...simd(op.splatF32), ...set(scale)],
      ...loop(
        [...sums.flatMap(term), ...step(numbers, 64), ...set(numbers)],
        [...step(weights, 32), ...tee(weights), ...get(end), 0x49],
      ),
      ...get(sums[0]),
      ...sums.slice(1).flatMap((sum) => [...get(sum), ...simd(op.add)]),
      ...[...simd(op.f32Lane), 0],
    ],
  });
}

/** Finite numbers, and none so small that a processor would take longer. */
function fill({ m }) {
  const halves = new Uint16Array(m.buffer, 0, nNumbers);
  const numbers = new Float32Array(m.buffer, numbersAt, nNumbers);
  for (let i = 0; i < nNumbers; i++) {
    halves[i] = ((i * 40503) & 0x83ff) | ((10 + (i % 5)) << 10);
    numbers[i] = ((i * 7919) % 1000) / 500 - 1;
  }
}

const turns = 20_000;
const nSums = 12;

/** (turns, a factor, a factor): products and sums in registers only, as many instructions a turn as there are sums. */
function registers(splat, madd) {
  const [count, x, y, left, right, first] = [0, 1, 2, 3, 4, 5];
  const sums = Array.from({ length: nSums }, (_, i) => first + i);
  const step = (sum) => [...get(left), ...get(right), ...get(sum), ...simd(madd), ...set(sum)];
  return wasm.moduleOf({
    params: ['i32', 'f32', 'f32'],
    results: ['i32'],
    locals: Array(2 + nSums).fill('v128'),
    code: [
      ...[...get(x), ...simd(splat), ...set(left), ...get(y), ...simd(splat), ...set(right)],
      ...loop(sums.flatMap(step), [...get(count), ...wasm.i32(1), 0x6b, ...tee(count)]),
      ...get(sums[0]),
      ...sums.slice(1).flatMap((sum) => [...get(sum), ...simd(op.xor)]),
      ...[...simd(op.i32Lane), 0],
    ],
  });
}

export async function halfPairs() {
  const [f32, f16] = [registers(op.splatF32, op.madd), registers(op.splatF16, op.maddF16)];
  if (![f32, f16, product(widened.instruction)].every((one) => WebAssembly.validate(one))) {
    return undefined;
  }
  const start = async (bytes) => (await WebAssembly.instantiate(bytes)).instance.exports;
  const ways = [];
  for (const widen of [widened.integers, widened.instruction]) {
    const exported = await start(product(widen));
    fill(exported);
    ways.push(() => exported.f(0, numbersAt, numbersAt));
  }
  const [inF32, inF16] = [await start(f32), await start(f16)];
  return [
    ['f16 weights times f32', ...same(...ways)],
    // Eight numbers an instruction in place of four.
    [
      'products of f16 in place of f32',
      ...same(
        () => inF32.f(2 * turns, 1, 0),
        () => inF16.f(turns, 1, 0),
      ),
    ],
  ];
}
