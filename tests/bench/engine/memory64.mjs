// Memories with 64-bit addresses: a plain read, a tile of a product of matrices, and look-ups that depend on each other.
import * as wasm from '../support/wasm-bytes.mjs';
import { filled, same } from './pairs.mjs';

const { get, set, tee, simd, loadSimd, loop } = wasm;

/** What differs: types and instructions of addresses. */
const narrow = {
  type: 'i32',
  number: wasm.i32,
  add: 0x6a,
  isLess: 0x49,
  load: [0x28, 0, 0],
  from: (n) => n,
};
const wide = {
  type: 'i64',
  number: wasm.i64,
  add: 0x7c,
  isLess: 0x54,
  load: [0x35, 0, 0],
  from: BigInt,
};

const op = {
  load: 0x00,
  splat32: 0x09,
  xor: 0x51,
  f32Lane: 0x1f,
  i64Lane: 0x1d,
  add: 0xe4,
  mul: 0xe6,
  madd: 0x105,
};

const memoryOf = ({ type }) => ({ pages: 17, is64: type === 'i64' });
const bytesRead = 1 << 20;

/** (from, to): the XOR of all of it, 64 bytes a turn. */
function reader(address) {
  const [from, to, left, right] = [0, 1, 2, 3];
  const take = (sum, offset) => [
    ...get(sum),
    ...get(from),
    ...loadSimd(op.load, offset),
    ...simd(op.xor),
    ...set(sum),
  ];
  return wasm.moduleOf({
    memory: memoryOf(address),
    params: [address.type, address.type],
    results: ['i64'],
    locals: ['v128', 'v128'],
    code: [
      ...loop(
        [...take(left, 0), ...take(right, 16), ...take(left, 32), ...take(right, 48)],
        [
          ...get(from),
          ...address.number(64),
          address.add,
          ...tee(from),
          ...get(to),
          address.isLess,
        ],
      ),
      ...[...get(left), ...get(right), ...simd(op.xor), ...simd(op.i64Lane), 0],
    ],
  });
}

const rows = 4;
const depth = 512;
/** Bytes of a panel of `rows` rows and of one of eight columns. */
const [rowBytes, columnBytes] = [depth * rows * 4, depth * 8 * 4];

/** (rows, columns, end of the columns): the sum of the first lanes of a tile of 4 × 8, as the f32 GEMM computes it. */
function tile(address, fused) {
  const [a, b, end, left, right, factor, first] = [0, 1, 2, 3, 4, 5, 6];
  const sums = Array.from({ length: 2 * rows }, (_, i) => first + i);
  const product = (column, sum) =>
    fused
      ? [...get(factor), ...get(column), ...get(sum), ...simd(op.madd), ...set(sum)]
      : [
          ...get(factor),
          ...get(column),
          ...simd(op.mul),
          ...get(sum),
          ...simd(op.add),
          ...set(sum),
        ];
  const row = (i) => [
    ...[...get(a), ...loadSimd(op.splat32, 4 * i), ...set(factor)],
    ...product(left, sums[2 * i]),
    ...product(right, sums[2 * i + 1]),
  ];
  const step = (pointer, bytes) => [...get(pointer), ...address.number(bytes), address.add];
  return wasm.moduleOf({
    memory: memoryOf(address),
    params: [address.type, address.type, address.type],
    results: ['f32'],
    locals: Array(3 + sums.length).fill('v128'),
    code: [
      ...loop(
        [
          ...[...get(b), ...loadSimd(op.load, 0), ...set(left)],
          ...[...get(b), ...loadSimd(op.load, 16), ...set(right)],
          ...Array.from({ length: rows }, (_, i) => row(i)).flat(),
          ...[...step(a, 4 * rows), ...set(a)],
        ],
        [...step(b, 32), ...tee(b), ...get(end), address.isLess],
      ),
      ...get(sums[0]),
      ...sums.slice(1).flatMap((sum) => [...get(sum), ...simd(op.add)]),
      ...[...simd(op.f32Lane), 0],
    ],
  });
}

const links = 4096;
const hops = 20_000;

/** (address, how often): where the links lead that begin there. Each waits for the one before. */
function follower(address) {
  return wasm.moduleOf({
    memory: memoryOf(address),
    params: [address.type, 'i32'],
    results: [address.type],
    code: [
      ...loop(
        [...get(0), ...address.load, ...set(0)],
        [...get(1), ...wasm.i32(1), 0x6b, ...tee(1)],
      ),
      ...get(0),
    ],
  });
}

/** A cycle through all links, in an order without pattern. */
function writeLinks({ m }) {
  const to = new Uint32Array(m.buffer, 0, links);
  for (let i = 0, at = 0; i < links; i++) {
    const next = (at * 1229 + 3) % links;
    to[at] = 4 * next;
    at = next;
  }
}

export async function memoryPairs() {
  const isThere = WebAssembly.validate(reader(wide));
  if (!isThere) {
    return undefined;
  }
  const fused = WebAssembly.validate(tile(narrow, true));
  const pair = async (makeBytes, fill, given) => {
    const runs = await Promise.all(
      [narrow, wide].map(async (address) => {
        const { instance } = await WebAssembly.instantiate(makeBytes(address));
        fill(instance.exports);
        const values = given(address.from);
        return () => instance.exports.f(...values);
      }),
    );
    return same(...runs);
  };
  const numbers = ({ m }) => filled(new Float32Array(m.buffer));
  return [
    ['plain read', ...(await pair(reader, numbers, (from) => [from(0), from(bytesRead)]))],
    [
      'product of matrices',
      ...(await pair(
        (address) => tile(address, fused),
        numbers,
        (from) => [0, rowBytes, rowBytes + columnBytes].map((n) => from(n)),
      )),
    ],
    [
      'look-ups, one after the other',
      ...(await pair(follower, writeLinks, (from) => [from(0), hops])),
    ],
  ];
}
