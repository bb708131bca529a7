// Weights that are hashes of their names: those of tests/reference/models/decoder_reference.py and of the tests of the core.
import { withHeader } from '../fixtures.ts';

/** Number i is offset + scale · u, where u in [-1, 1) is the hash of the name and of i. */
export type MadeTensor = readonly [
  name: string,
  shape: readonly number[],
  scale: number,
  offset: number,
];

const mask = (1n << 64n) - 1n;

function* uniform(name: string, count: number): Generator<number> {
  let state = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(name)) {
    state = ((state ^ BigInt(byte)) * 0x100000001b3n) & mask;
  }
  for (let i = 0; i < count; i++) {
    state = (state + 0x9e3779b97f4a7c15n) & mask;
    let z = state;
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & mask;
    yield Number((z ^ (z >> 31n)) >> 40n) / 2 ** 23 - 1;
  }
}

/** A safetensors file with these tensors. */
export function madeWeights(tensors: readonly MadeTensor[]): Uint8Array<ArrayBuffer> {
  const header: Parameters<typeof withHeader>[0] = {};
  const values: number[] = [];
  for (const [name, shape, scale, offset] of tensors) {
    const begin = values.length * 4;
    const count = shape.reduce((product, n) => product * n, 1);
    for (const u of uniform(name, count)) {
      values.push(Math.fround(offset + Math.fround(Math.fround(scale) * u)));
    }
    header[name] = { dtype: 'F32', shape, data_offsets: [begin, values.length * 4] };
  }
  return withHeader(header, new Uint8Array(Float32Array.from(values).buffer));
}
