// The built package in Node: quantization, its report, and what a stop leaves.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EmbeddingAgreement, Problem, Quantized } from '../../../web/src/entries/types.ts';
import { headDirectory } from '../support/directories/head-directories.ts';
import { spladeDirectory } from '../support/directories/sparse-directories.ts';
import { taggerDirectory } from '../support/directories/tagger-directories.ts';
import { questionDirectory } from '../support/directories/token-head-directories.ts';
import { ambFile } from '../support/files/amb-file.ts';
import { languageFile } from '../support/files/language-file.ts';
import { networkFile } from '../support/files/network-file.ts';
import { modelDirectory } from '../support/fixtures.ts';
import { languageModelDirectory, logitScoreFiles } from '../support/models/reranker-models.ts';
import { openGenerator } from '../support/open-kinds.ts';
import { ambry, smallModel } from '../support/package.ts';

const { convert, quantize, inspect, validate } = ambry;
const decoder = ambFile();
const encoder = await smallModel();
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ambry-quantize-'));
});
afterAll(() => rm(folder, { recursive: true }));

function blobOf({ blob }: Quantized): Blob {
  if (!blob) {
    throw new Error('no blob');
  }
  return blob;
}

function embeddingAgreementOf({ agreement }: Quantized): EmbeddingAgreement {
  if (agreement?.kind !== 'embeddings') {
    throw new Error('embeddings were not compared');
  }
  return agreement;
}

async function typesOf(made: Quantized): Promise<Record<string, string>> {
  const { tensors } = await inspect(blobOf(made));
  return Object.fromEntries(tensors.map(({ name, dtype }) => [name, dtype]));
}

describe('a decoder model', () => {
  test.each([
    'int8',
    'int4',
    'int5',
    'int4_block',
    'int5_block',
    'adaptive',
  ] as const)('is quantized to %s, valid and smaller', async (type) => {
    const made = await quantize(decoder, { type });
    const types = await typesOf(made);
    expect(types['model.layers.0.mlp.up_proj.weight']).toBe(type);
    expect(types['model.norm.weight']).toBe('f32');
    expect(await validate(blobOf(made), { strict: true, values: true })).toMatchObject({
      valid: true,
      errors: [],
    });
    expect(blobOf(made).size).toBeLessThan(decoder.length / 2);
    expect(made.agreement).toBeNull();
  });

  test('is compared by its predictions of the next token', async () => {
    const { agreement } = await quantize(languageFile(), { type: 'int8' });
    if (agreement?.kind !== 'tokens') {
      throw new Error('tokens were not compared');
    }
    const { texts, tokens, sameToken, perplexity } = agreement;
    expect(texts).toBe(12);
    // A token a byte and one before each text; texts are cut at the context of 64.
    expect(tokens).toBeGreaterThan(500);
    expect(sameToken / tokens).toBeGreaterThan(0.9);
    expect(sameToken).toBeLessThanOrEqual(tokens);
    const [before, after] = perplexity;
    expect(after / before).toBeCloseTo(1, 1);
    expect(after).not.toBe(before);
    const coarse = await quantize(languageFile(), { type: 'int4', block: 0, texts: ['a', 'few'] });
    expect(coarse.agreement).toMatchObject({ kind: 'tokens', texts: 2, tokens: 6 });
  });

  test('its perplexity equals that of the opened model', async () => {
    const text = 'a fox in the snow';
    const made = await quantize(languageFile(), { type: 'int4_block', texts: [text] });
    if (made.agreement?.kind !== 'tokens') {
      throw new Error('tokens were not compared');
    }
    for (const [i, source] of [languageFile(), blobOf(made)].entries()) {
      const model = await openGenerator(source);
      expect(made.agreement.perplexity[i]).toBeCloseTo(
        (await model.perplexity(text)).perplexity,
        3,
      );
      await model.dispose();
    }
  });

  test('a GGUF file is compared as it is', async () => {
    const gguf = (await convert(languageFile(), { to: 'gguf' })) as Blob;
    const texts = ['a fox in the snow'];
    const direct = await quantize(languageFile(), { type: 'int8', texts });
    const from = await quantize(gguf, { type: 'int8', to: 'amb', texts });
    expect(direct.agreement).toMatchObject({ kind: 'tokens', texts: 1 });
    if (direct.agreement?.kind !== 'tokens' || from.agreement?.kind !== 'tokens') {
      throw new Error('tokens were not compared');
    }
    expect(from.agreement).toMatchObject({ kind: 'tokens', texts: 1 });
    expect(from.agreement.tokens).toBe(direct.agreement.tokens);
    // The rows of queries and keys have another order, and so have the terms of their products.
    for (const i of [0, 1] as const) {
      expect(from.agreement.perplexity[i]).toBeCloseTo(direct.agreement.perplexity[i], 3);
    }
  });

  test('the report has the error of each tensor', async () => {
    const { report } = await quantize(decoder, { type: 'int4_block', deterministic: true });
    const up = report?.tensors.find(({ name }) => name.includes('up_proj'));
    expect(up).toMatchObject({ from: 'f32', to: 'int4_block', bytesBefore: 64 * 64 * 4 });
    expect(up?.bytes).toBe(4 + 64 * 2 * 18);
    expect(up?.maxAbsError).toBeGreaterThan(0);
    expect(up?.maxAbsError).toBeLessThan(0.07);
    expect(up?.relativeError).toBeGreaterThan(0.01);
    expect(up?.relativeError).toBeLessThan(0.12);
    expect(up?.cosine).toBeGreaterThan(0.99);
    const norm = report?.tensors.find(({ name }) => name === 'model.norm.weight');
    expect(norm).toMatchObject({
      from: 'f32',
      to: 'f32',
      maxAbsError: 0,
      relativeError: 0,
      cosine: 1,
    });
    const sum = report?.tensors.reduce((total, { bytes }) => total + bytes, 0);
    expect(report?.bytes).toBe(sum);
  });

  test('keeps tensors that match, and embeddings', async () => {
    const types = await typesOf(
      await quantize(decoder, { type: 'int4_block', keep: /_proj/, keepEmbeddings: true }),
    );
    expect(new Set(Object.values(types))).toEqual(new Set(['f32']));
    const wanted = quantize(decoder, { type: 'int4_block', keep: /nothing/ });
    await expect(wanted).rejects.toMatchObject({ code: 'NotFound', path: 'keep' });
  });

  test('uses at most its budget of bits', async () => {
    const small = await quantize(decoder, { type: 'adaptive', bits: 5 });
    const large = await quantize(decoder, { type: 'adaptive', bits: 8 });
    expect(blobOf(small).size).toBeLessThan(blobOf(large).size * 0.7);
    await expect(quantize(decoder, { type: 'adaptive', bits: 4 })).rejects.toMatchObject({
      code: 'BadValue',
      path: 'options.bits',
    });
  });

  test('a NaN is rejected with tensor and row, and an abort leaves no file', async () => {
    const broken = ambFile((name, numbers) => {
      if (name.includes('up_proj')) {
        numbers[3 * 64 + 5] = Number.NaN;
      }
    });
    const output = join(folder, 'never.amb');
    await expect(quantize(broken, { type: 'int8', output })).rejects.toMatchObject({
      code: 'BadValue',
      path: 'model.layers.0.mlp.up_proj.weight, row 3',
    });
    const stop = new AbortController();
    const stopped = quantize(decoder, {
      type: 'adaptive',
      output,
      signal: stop.signal,
      onProgress: () => stop.abort(),
    });
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
    expect(await readdir(folder)).toEqual([]);
  });

  test('rejects types that its format does not have', async () => {
    await expect(quantize(decoder, { type: 'f16' })).rejects.toMatchObject({
      code: 'BadValue',
      path: 'options.type',
    });
  });

  test('progress ends at its total and never goes back', async () => {
    const seen: [number, number][] = [];
    await quantize(decoder, {
      type: 'int8',
      onProgress: ({ loaded, total }) => seen.push([loaded, total]),
    });
    expect(seen.map(([loaded]) => loaded)).toEqual(
      seen.map(([loaded]) => loaded).sort((a, b) => a - b),
    );
    const [loaded, total] = seen.at(-1) ?? [0, 1];
    expect(loaded).toBe(total);
  });
});

describe('an encoder', () => {
  test.each(['int8', 'f16', 'bf16'] as const)('as %s gives similar vectors', async (type) => {
    const warnings: Problem[] = [];
    const made = await quantize(encoder, { type, onWarning: (warning) => warnings.push(warning) });
    const { texts, leastCosine, meanCosine } = embeddingAgreementOf(made);
    expect(texts).toBe(12);
    expect(leastCosine).toBeGreaterThan(0.99);
    expect(meanCosine).toBeLessThan(1);
    expect(warnings).toEqual([]);
    const matrix = made.report?.tensors.find(({ name }) => name.includes('word_embeddings'));
    expect(matrix?.maxAbsError).toBeGreaterThan(0);
  });

  test('int8 keeps tensors that match', async () => {
    const made = await quantize(encoder, { type: 'int8', keep: /^embeddings/, texts: [] });
    const types = await typesOf(made);
    expect(types['embeddings.word_embeddings.weight']).toBe('f32');
    expect(types['encoder.layer.0.output.dense.weight']).toBe('i8');
    expect(made.agreement).toBeNull();
  });

  test('from a directory to a file, compared on the caller’s texts', async () => {
    const output = join(folder, 'small.weights');
    const made = await quantize(modelDirectory(), {
      type: 'int8',
      to: 'embd',
      texts: ['a cat'],
      output,
    });
    expect(made.blob).toBeNull();
    expect(embeddingAgreementOf(made).texts).toBe(1);
    expect(embeddingAgreementOf(made).leastCosine).toBeGreaterThan(0.99);
    const { format, tensors } = await inspect(output);
    expect(format).toBe('embd');
    expect(tensors.some(({ dtype }) => dtype === 'i8')).toBe(true);
    await rm(output);
  });

  test('is not compared if the source is a stream', async () => {
    const made = await quantize(new Blob([encoder]).stream(), { type: 'f16' });
    expect(made.agreement).toBeNull();
  });
});

describe('a convolutional network', () => {
  const network = networkFile();
  const images = [new Float32Array(16).fill(0.5), new Float32Array(16).fill(-0.25)];

  test.each([
    [{ type: 'dq8' }, 'dq8'],
    [{ type: 'dq8', group: 3, symmetric: true }, 'dq8'],
    [{ type: 'sq8', images }, 'sq8'],
  ] as const)('is quantized with %o', async (options, variant) => {
    const made = await quantize(network, options);
    const { format, config } = await inspect(blobOf(made));
    expect(format).toBe('tinyruntime');
    expect(config).toMatchObject({ variant });
    expect(await validate(blobOf(made), { strict: true, values: true })).toMatchObject({
      valid: true,
      errors: [],
    });
    expect(blobOf(made).size).toBeLessThan(network.length);
    const compared = { kind: 'answers', inputs: 2, sameAnswer: 2 };
    if (variant === 'sq8') {
      expect(made.agreement).toMatchObject(compared);
    } else {
      expect(made.agreement).toBeNull();
    }
  });

  test('sq8 needs images of the right shape', async () => {
    const none = quantize(network, { type: 'sq8' });
    await expect(none).rejects.toMatchObject({ code: 'BadValue', path: 'options.ranges' });
    const empty = quantize(network, { type: 'sq8', images: [] });
    await expect(empty).rejects.toMatchObject({ code: 'BadValue', path: 'images' });
    const odd = quantize(network, { type: 'sq8', images: [new Float32Array(15)] });
    await expect(odd).rejects.toMatchObject({ code: 'BadValue', path: 'input' });
  });
});

describe('a model with a head', () => {
  test.each([
    ['a token classifier', taggerDirectory, 'tokenClassifier'],
    ['a model that answers questions', questionDirectory, 'questionAnswering'],
    ['a sparse encoder', spladeDirectory, 'sparseEncoder'],
    ['a reranker', headDirectory, 'reranker'],
  ] as const)('%s is compared by its embeddings', async (_, directory, kind) => {
    const made = await quantize(directory(), { to: 'embd', type: 'int8' });
    expect(embeddingAgreementOf(made).leastCosine).toBeGreaterThan(0.99);
    expect((await inspect(blobOf(made))).run).toMatchObject({ kind, obstacle: null });
  });

  test('a language model that ranks is compared by its tokens', async () => {
    const directory = languageModelDirectory({ files: logitScoreFiles });
    const made = await quantize(directory, { to: 'amb', type: 'int8' });
    expect(made.agreement).toMatchObject({ kind: 'tokens', texts: 12 });
    expect((await inspect(blobOf(made))).run).toMatchObject({ kind: 'reranker', obstacle: null });
  });
});
