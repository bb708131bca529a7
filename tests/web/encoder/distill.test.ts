// Distilling a small encoder through the built package in Node.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { model2vecDirectory } from '../support/directories/static-directories.ts';
import { languageFile } from '../support/files/language-file.ts';
import { modelDirectory, testVocabulary } from '../support/fixtures.ts';
import { openEncoder } from '../support/open-kinds.ts';
import { ambry, smallModel } from '../support/package.ts';

const { convert, distill, inspect, validate } = ambry;
const encoder = await smallModel();
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ambry-distill-'));
});
afterAll(() => rm(folder, { recursive: true }));

const bytesOf = async (blob: Blob) => new Uint8Array(await blob.arrayBuffer());

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
}

describe('a distilled encoder', () => {
  test('is a valid static encoder of the tokens but the special ones', async () => {
    const blob = await distill(encoder);
    const report = await validate(blob, { strict: true, values: true });
    expect(report).toMatchObject({ valid: true, errors: [], warnings: [] });
    const { config, tokenizer } = await inspect(blob);
    // The encoder has 32 numbers, fewer than the default.
    expect(config).toMatchObject({ architecture: 'static', embeddingDim: 32 });
    expect(tokenizer?.size).toBe(testVocabulary.length - 4);
    await using model = await openEncoder(blob);
    const { tokens } = await model.tokenize('the cat sat [SEP]');
    expect(tokens.slice(0, 3)).toEqual(['the', 'cat', 'sat']);
    expect(tokens).not.toContain('[SEP]');
  });

  // The axes turn vectors and shift them by the mean, so without weights the differences between the tokens' vectors stay.
  test('keeps what the encoder says of single tokens', async () => {
    await using small = await openEncoder(await distill(encoder, { sif: 0, dtype: 'f32' }));
    await using large = await openEncoder(encoder);
    const differences = async (model: typeof small) => {
      const how = { normalize: false } as const;
      const [cat, dog, mat] = await Promise.all(
        ['cat', 'dog', 'mat'].map((text) => model.embed(text, how)),
      );
      const minus = (a: Float32Array = new Float32Array(0), b: Float32Array = a) =>
        a.map((value, i) => value - (b[i] ?? 0));
      return [minus(cat, dog), minus(cat, mat)] as const;
    };
    const [a, b] = await differences(small);
    const [c, d] = await differences(large);
    expect(cosine(a, a)).toBeCloseTo(cosine(c, c), 3);
    expect(cosine(a, b)).toBeCloseTo(cosine(c, d), 3);
  });

  test('has as many numbers, tokens and bits as asked for', async () => {
    const blob = await distill(encoder, { dim: 8, vocabSize: 60, dtype: 'f16' });
    const { config, tensors, tokenizer } = await inspect(blob);
    expect(config).toMatchObject({ embeddingDim: 8 });
    expect(tokenizer?.size).toBe(60);
    expect(tensors).toEqual([expect.objectContaining({ dtype: 'f16', shape: [60, 8] })]);
  });

  test('keeps the most frequent tokens of a corpus', async () => {
    const corpus = ['home home home mat', 'home mat'];
    const blob = await distill(encoder, { vocabSize: 58, corpus });
    await using model = await openEncoder(blob);
    const tokensOf = async (text: string) => (await model.tokenize(text)).tokens;
    expect(await tokensOf('home')).toEqual(['home']);
    expect(await tokensOf('dog')).toEqual(['d', '##o', '##g']);
  });

  test('is the same every time, from a file and from its directory', async () => {
    const first = await bytesOf(await distill(encoder));
    expect(await bytesOf(await distill(encoder))).toEqual(first);
    expect(await bytesOf(await distill(modelDirectory()))).toEqual(first);
    const output = join(folder, 'small.weights');
    expect(await distill(encoder, { output })).toBeNull();
    expect(new Uint8Array(await readFile(output))).toEqual(first);
  });

  test('reports progress and stops when it is told to', async () => {
    const loaded: number[] = [];
    await distill(encoder, {
      onProgress: ({ phase, loaded: part }) => phase === 'train' && loaded.push(part),
    });
    expect(loaded.at(-1)).toBe(1000);
    expect(loaded).toEqual(loaded.toSorted((a, b) => a - b));
    const signal = AbortSignal.abort();
    await expect(distill(encoder, { signal })).rejects.toThrow(
      expect.objectContaining({ name: 'AbortError' }),
    );
  });
});

describe('distill refuses', () => {
  test.each([
    ['a model that generates text', async () => languageFile()],
    ['a static encoder', () => convert(model2vecDirectory())],
    ['a static encoder’s directory', async () => model2vecDirectory()],
  ])('%s', async (_, source) => {
    await expect(distill(await source())).rejects.toThrow(
      expect.objectContaining({ code: 'Unsupported', path: 'source' }),
    );
  });

  test.each([
    [{ dim: 0 }, 'options.dim'],
    [{ sif: 2 }, 'options.sif'],
    [{ dtype: 'int4' as 'int8' }, 'options.dtype'],
    [{ vocabSize: 1 }, 'options.vocabSize'],
  ])('%o', async (options, path) => {
    await expect(distill(encoder, options)).rejects.toThrow(
      expect.objectContaining({ code: 'BadValue', path }),
    );
  });
});
