// Blocks of GGUF beside ggml's own code, compiled from llama.cpp's sources: the same bits when they are read, and no larger error
// when they are written.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { coded, compiledPrograms, llamaCppSources } from '../../reference/ggml/programs.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const sources = llamaCppSources();
if (sources === undefined) {
  console.warn(
    'skipped: llama.cpp’s sources could not be fetched from npm; AMBRY_LLAMA_CPP may name their folder',
  );
}
const programs = sources === undefined ? undefined : compiledPrograms(sources);
const { ggml, ours } = programs ?? { ggml: '', ours: '' };
const folder = mkdtempSync(join(tmpdir(), 'ggml-blocks-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The bytes of a block. */
const readTypes = {
  q2_k: 84,
  q3_k: 110,
  q4_k: 144,
  q5_k: 176,
  q6_k: 210,
  iq1_s: 50,
  iq1_m: 56,
  iq2_xxs: 66,
  iq2_xs: 74,
  iq2_s: 82,
  iq3_xxs: 98,
  iq3_s: 110,
  iq4_nl: 18,
  iq4_xs: 136,
  mxfp4: 17,
  nvfp4: 36,
} as const;
const writtenTypes = ['q2_k', 'q3_k', 'q4_k', 'q5_k', 'q6_k'] as const;

/** Numbers from 0 to 2^32 - 1. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state ^ (state >>> 15)) >>> 0;
  };
}

function randomBytes(n: number): Uint8Array {
  const next = randomNumbers(n);
  return Uint8Array.from({ length: n }, () => next() >>> 24);
}

const floatsOf = (bytes: Uint8Array) => new Float32Array(bytes.slice().buffer);
const bytesOf = (floats: Float32Array) => new Uint8Array(floats.buffer);

function normal(next: () => number): number {
  const radius = Math.sqrt(-2 * Math.log((next() + 1) / 2 ** 32));
  return radius * Math.cos((2 * Math.PI * next()) / 2 ** 32);
}

const columns = 1024;
const rows = 24;

/** Matrices as models have them, and less usual ones. */
const matrices: Readonly<Record<string, (next: () => number, i: number) => number>> = {
  normal: (next) => 0.02 * normal(next),
  'with large numbers': (next, i) => 0.02 * normal(next) * (i % 97 === 0 ? 6 : 1),
  'with a long tail': (next) => 0.01 * Math.exp(normal(next)) * (next() % 2 === 0 ? 1 : -1),
  'of positive numbers': (next, i) => Math.abs(0.02 * normal(next)) + 0.01 * (i % 7),
  'with large columns': (next, i) => 0.02 * normal(next) * (i % 64 === 5 ? 8 : 1),
};

function errorOf(values: Float32Array, read: Float32Array, importance?: Float32Array): number {
  let sum = 0;
  for (const [i, value] of values.entries()) {
    sum += (importance?.[i % columns] ?? 1) * (value - (read[i] ?? Number.NaN)) ** 2;
  }
  return sum;
}

describe.skipIf(!programs)('blocks beside ggml', () => {
  test('the tables of grids are those of ggml', () => {
    const script = 'tests/reference/ggml/grid-tables.mjs';
    execFileSync(process.execPath, [script, sources ?? '', '--check'], { cwd: root });
  });

  test.each(Object.entries(readTypes))('%s gives the same floats', (type, size) => {
    const blocks = randomBytes(size * 500);
    const expected = floatsOf(coded(ggml, ['decode', type], blocks));
    expect(expected.length).toBeGreaterThan(0);
    expect(floatsOf(coded(ours, ['decode', type], blocks))).toEqual(expected);
  });

  describe.each(Object.entries(matrices))('a matrix %s', (_, number) => {
    const next = randomNumbers(7);
    const values = Float32Array.from({ length: rows * columns }, (_unused, i) => number(next, i));
    const importance = Float32Array.from({ length: columns }, () => Math.exp(2 * normal(next)));

    const errorBy = (program: string, type: string, weighed: boolean) => {
      const file = join(folder, 'importance');
      writeFileSync(file, bytesOf(importance));
      const args = ['encode', type, String(columns), ...(weighed ? [file] : [])];
      const blocks = coded(program, args, bytesOf(values));
      const read = floatsOf(coded(ggml, ['decode', type], blocks));
      return errorOf(values, read, weighed ? importance : undefined);
    };

    test.each(writtenTypes)('loses no more as %s', (type) => {
      const error = errorBy(ours, type, false);
      expect(error).toBeGreaterThan(0);
      expect(error).toBeLessThanOrEqual(errorBy(ggml, type, false));
    });

    test.each(writtenTypes)('loses no more as %s by importance', (type) => {
      const error = errorBy(ours, type, true);
      expect(error).toBeGreaterThan(0);
      expect(error).toBeLessThanOrEqual(errorBy(ggml, type, true));
    });
  });
});
