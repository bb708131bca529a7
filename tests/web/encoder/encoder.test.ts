// The built package in Node: open, embed, tokenize, dispose.
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Encoder, OpenOptions, Progress } from '../../../web/src/index.ts';
import { hasRelaxedSimd } from '../../../web/src/runtime/simd-support.ts';
import { openEncoder } from '../support/open-kinds.ts';
import { ambry, smallModel } from '../support/package.ts';
import { startServer } from '../support/servers/server.ts';

const { openTokenizer, AmbryError } = ambry;
const file = await smallModel();
const server = await startServer(file);
const testTexts = ['the cat sat on the mat.', 'dog', '', 'ran home! '.repeat(40)];
const threads = () => readdirSync('/proc/self/task').length;

function distance(a: Float32Array, b: Float32Array): number {
  expect(a.length).toBe(b.length);
  return a.reduce((most, value, i) => Math.max(most, Math.abs(value - (b[i] ?? 0))), 0);
}

describe('a model with `deterministic`', () => {
  const opened = async (options: OpenOptions) => {
    await using model = await openEncoder(file, { weights: 'int8', ...options });
    const rows = await model.embed(testTexts);
    expect(await model.embed(testTexts, { workers: 2 })).toEqual(rows);
    return { flavour: model.flavour, rows };
  };

  test('runs the baseline build, even if relaxed SIMD is available', async () => {
    const exact = await opened({ deterministic: true });
    const baseline = new URL('../../../packages/whole/wasm/ambry-baseline.wasm', import.meta.url);
    const customWasm = await opened({ wasmBinary: await readFile(baseline) });
    expect(exact).toEqual(customWasm);
    expect(exact.flavour).toBe('baseline');
  });

  test('is not the default if relaxed SIMD is available', async () => {
    const { flavour } = await opened({});
    expect(flavour).toBe(hasRelaxedSimd() ? 'relaxed' : 'baseline');
  });
});

describe('a model', () => {
  let model: Encoder;
  beforeAll(async () => {
    model = await openEncoder(file);
  });
  afterAll(() => model.dispose());

  test('describes itself in info', () => {
    expect(model).toMatchObject({ dim: 32, info: { format: 'embd', bytes: file.length } });
    expect(model.info.tokenizer).toMatchObject({ type: 'wordpiece' });
    expect(model.weightBytes).toBeGreaterThan(10_000);
    expect(['baseline', 'relaxed']).toContain(model.flavour);
  });

  test('gives one row of length 1 per text, independent of the batch', async () => {
    const all = await model.embed(testTexts);
    expect(all).toHaveLength(testTexts.length);
    for (const [i, text] of testTexts.entries()) {
      const alone = await model.embed(text);
      const row = all[i] as Float32Array;
      expect(row).toHaveLength(model.dim);
      expect(distance(alone, row)).toBeLessThan(1e-6);
      expect(Math.hypot(...row)).toBeCloseTo(1, 5);
    }
  });

  test('gives the same values again', async () => {
    expect(await model.embed(testTexts)).toEqual(await model.embed(testTexts));
  });

  test('pooling none gives the tokens of each text', async () => {
    const rows = await model.embed(['cat', 'the dog'], { pooling: 'none' });
    expect(rows.map((row) => row.length / model.dim)).toEqual([3, 4]);
  });

  test('dim cuts vectors before they are normalized', async () => {
    const row = await model.embed('the cat', { dim: 8 });
    expect(row.length).toBe(8);
    expect(Math.hypot(...row)).toBeCloseTo(1, 5);
  });

  test('no texts give no rows', async () => {
    expect(await model.embed([])).toEqual([]);
  });

  test('lone surrogates are U+FFFD', async () => {
    expect(await model.embed('cat \uD800')).toEqual(await model.embed('cat \uFFFD'));
  });

  test.each([
    [{ pooling: 'sum' }, 'options.pooling'],
    [{ dim: 33 }, 'options.dim'],
    [{ truncate: 'start' }, 'options.truncate'],
  ])('refuses %o', async (options, path) => {
    await expect(model.embed('cat', options as object)).rejects.toMatchObject({
      code: 'BadValue',
      path,
    });
  });

  test('rejects inputs that are not texts', async () => {
    const texts = ['cat', 7] as unknown as string[];
    await expect(model.embed(texts)).rejects.toMatchObject({ code: 'BadValue', path: 'texts[1]' });
  });

  test('rejects a long text with truncate: error', async () => {
    const long = model.embed(testTexts, { truncate: 'error' });
    await expect(long).rejects.toBeInstanceOf(AmbryError);
  });

  test('reports the progress of texts in order, up to the last', async () => {
    const seen: Progress[] = [];
    const texts = Array.from({ length: 400 }, (_, i) => 'the cat '.repeat(i % 14));
    await model.embed(texts, { onProgress: (progress) => seen.push(progress) });
    const loaded = seen.map((progress) => progress.loaded);
    expect(loaded).toEqual(loaded.toSorted((a, b) => a - b));
    expect(seen.at(-1)).toEqual({ phase: 'embed', loaded: 400, total: 400, cached: false });
  });

  test('an abort ends embedding, and the model can be used again', async () => {
    const controller = new AbortController();
    const texts = Array.from({ length: 20_000 }, () => 'the cat sat on the mat '.repeat(5));
    const all = model.embed(texts, {
      signal: controller.signal,
      onProgress: () => controller.abort(),
    });
    await expect(all).rejects.toMatchObject({ name: 'AbortError' });
    expect((await model.embed('cat')).length).toBe(model.dim);
  });

  test('tokenizes and detokenizes', async () => {
    const { ids, tokens, offsets } = await model.tokenize('The cats.');
    expect(tokens).toEqual(['[CLS]', 'the', 'cat', '##s', '.', '[SEP]']);
    expect(offsets).toEqual([
      [0, 0],
      [0, 3],
      [4, 7],
      [7, 8],
      [8, 9],
      [0, 0],
    ]);
    expect(await model.detokenize(ids)).toBe('the cats.');
    expect((await model.tokenize('cat', { special: false })).tokens).toEqual(['cat']);
    const pair = await model.tokenize('cat', { pair: 'dog' });
    expect(pair.typeIds).toEqual([0, 0, 0, 1, 1]);
  });
});

describe('open', () => {
  const stream = () => new Blob([file]).stream();
  test.each([
    ['an ArrayBuffer', () => file.buffer],
    ['a view', () => new Uint8Array([9, 9, ...file, 9]).subarray(2, 2 + file.length)],
    ['a Blob', () => new Blob([file])],
    ['a stream', stream],
    ['a URL with ranges', () => server.url('ranges')],
    ['a URL without', () => new URL(server.url('plain'))],
    ['a URL of unknown length', () => server.url('no-length')],
    ['a compressed URL', () => server.url('gzip')],
  ])('takes %s', async (_, source) => {
    const model = await openEncoder(source());
    expect(await model.embed('cat')).toHaveLength(32);
    await model.dispose();
    expect(file.length).toBeGreaterThan(0);
  });

  test('reports the progress of bytes in order, up to the last', async () => {
    const seen: Progress[] = [];
    const model = await openEncoder(server.url('plain'), {
      onProgress: (progress) => seen.push(progress),
    });
    await model.dispose();
    const loaded = seen.map((progress) => progress.loaded);
    expect(loaded).toEqual(loaded.toSorted((a, b) => a - b));
    const { length } = file;
    expect(seen.at(-1)).toEqual({
      phase: 'download',
      loaded: length,
      total: length,
      cached: false,
    });
  });

  test('int8 weights take less memory and give similar vectors', async () => {
    const [whole, small] = [await openEncoder(file), await openEncoder(file, { weights: 'int8' })];
    expect(small.weightBytes).toBeLessThan(whole.weightBytes / 2);
    const [a, b] = [await whole.embed('the cat'), await small.embed('the cat')];
    expect(distance(a, b)).toBeLessThan(0.05);
    await Promise.all([whole.dispose(), small.dispose()]);
  });

  test.each([
    'html',
    'missing',
    'drop',
  ] as const)('a URL with %s is an Http error', async (kind) => {
    await expect(openEncoder(server.url(kind))).rejects.toMatchObject({
      name: 'AmbryError',
      code: 'Http',
    });
  });

  test('an invalid file gives an error with its byte', async () => {
    const flipped = file.slice();
    flipped[0] = 0;
    await expect(openEncoder(flipped)).rejects.toMatchObject({ code: 'BadMagic', byteOffset: 0 });
    await expect(openEncoder(file.slice(0, 1000))).rejects.toBeInstanceOf(AmbryError);
  });

  test('an abort ends a stalled download and the worker', async () => {
    const before = threads();
    const signal = AbortSignal.timeout(200);
    await expect(openEncoder(server.url('stall'), { signal })).rejects.toMatchObject({
      name: 'TimeoutError',
    });
    await expect.poll(threads).toBeLessThanOrEqual(before);
  });

  test('values that are not sources are rejected', async () => {
    await expect(openEncoder(null as unknown as string)).rejects.toMatchObject({ path: 'source' });
  });
});

describe('dispose', () => {
  test('ends the worker and frees its memory', async () => {
    const before = threads();
    const model = await openEncoder(file);
    expect(threads()).toBeGreaterThan(before);
    await model.dispose();
    await expect.poll(threads).toBeLessThanOrEqual(before);
    await expect(model.embed('cat')).rejects.toMatchObject({ code: 'Cancelled' });
    await model.dispose();
  });

  test('works with await using', async () => {
    await using model = await openEncoder(file);
    expect(model.dim).toBe(32);
  });
});

test('openTokenizer takes a vocab.txt', async () => {
  const { modelDirectory } = await import('../support/fixtures.ts');
  const tokenizer = await openTokenizer(modelDirectory().get('vocab.txt') as Uint8Array);
  expect((await tokenizer.tokenize('A cat')).tokens).toEqual(['[CLS]', 'a', 'cat', '[SEP]']);
  await tokenizer.dispose();
});

test('openTokenizer says what it assumed of a vocab.txt, unless told', async () => {
  const { modelDirectory } = await import('../support/fixtures.ts');
  const file = modelDirectory().get('vocab.txt') as Uint8Array;
  const idsOf = async (options: { readonly lowercase?: boolean }) => {
    await using tokenizer = await openTokenizer(file, options);
    const { lowercase, warnings } = tokenizer.tokenizer ?? {};
    const { ids } = await tokenizer.tokenize('The', { special: false });
    return { lowercase, warned: warnings?.map(({ path }) => path), ids };
  };
  const { ids } = await idsOf({ lowercase: true });
  expect(await idsOf({})).toEqual({ lowercase: true, warned: ['vocab.txt'], ids });
  expect(await idsOf({ lowercase: true })).toEqual({ lowercase: true, warned: undefined, ids });
  const cased = await idsOf({ lowercase: false });
  expect(cased).toMatchObject({ lowercase: false, warned: undefined });
  expect(cased.ids).not.toEqual(ids);
  for (const lowercase of [null, 'no', 1]) {
    const refused = openTokenizer(file, { lowercase: lowercase as unknown as boolean });
    await expect(refused).rejects.toMatchObject({ code: 'BadValue', path: 'options.lowercase' });
  }
});
