// Products of 128 bits of two numbers of 64 bits, as hashes of long keys use them.
import * as wasm from '../support/wasm-bytes.mjs';
import { same } from './pairs.mjs';

const { get, set, tee, loop } = wasm;
const op = {
  mul: 0x7e,
  add: 0x7c,
  and: 0x83,
  xor: 0x85,
  shiftRight: 0x88,
  sub32: 0x6b,
  mulWide: 0x16,
};

const turns = 20_000;
const lowHalf = [...wasm.i64(-1), ...wasm.i64(32), op.shiftRight];
const low = (local) => [...get(local), ...lowHalf, op.and];
const high = (local) => [...get(local), ...wasm.i64(32), op.shiftRight];

/** The high half of the product, of four products of halves: what compilers make of it today. Locals 3 to 5 are free. */
function highByHalves(a, b) {
  const [first, second, third] = [3, 4, 5];
  return [
    ...[...low(a), ...low(b), op.mul, ...wasm.i64(32), op.shiftRight, ...set(first)],
    ...[...high(a), ...low(b), op.mul, ...get(first), op.add, ...set(second)],
    ...[...low(a), ...high(b), op.mul, ...low(second), op.add, ...set(third)],
    ...[...high(a), ...high(b), op.mul, ...high(second), op.add, ...high(third), op.add],
  ];
}

/** (number, number, turns): each turn mixes both halves of the product into the first number. */
function mixer(isWide) {
  const [a, b, count] = [0, 1, 2];
  const halves = isWide
    ? [...get(a), ...get(b), ...wasm.misc(op.mulWide)]
    : [...highByHalves(a, b), ...get(a), ...get(b), op.mul];
  return wasm.moduleOf({
    params: ['i64', 'i64', 'i32'],
    results: ['i64'],
    locals: ['i64', 'i64', 'i64'],
    code: [
      ...loop(
        [...halves, op.xor, ...set(a)],
        [...get(count), ...wasm.i32(1), op.sub32, ...tee(count)],
      ),
      ...get(a),
    ],
  });
}

export async function widePairs() {
  if (!WebAssembly.validate(mixer(true))) {
    return undefined;
  }
  const runs = await Promise.all(
    [false, true].map(async (isWide) => {
      const { instance } = await WebAssembly.instantiate(mixer(isWide));
      return () => instance.exports.f(0x123456789abcdefn, 0x9e3779b97f4a7c15n, turns);
    }),
  );
  return [['mixing by products of 128 bits', ...same(...runs)]];
}
