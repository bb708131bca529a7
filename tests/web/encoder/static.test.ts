// Static encoders through the built package in Node: opened from everything that holds one, embedded, explained and
// searched with.
import { afterAll, describe, expect, test } from 'vitest';
import { onDisk, onServer } from '../support/directories/model-directories.ts';
import {
  meanRow,
  model2vecDirectory,
  staticDim,
  staticEmbeddingDirectory,
  unigramDirectory,
} from '../support/directories/static-directories.ts';
import { modelDirectory } from '../support/fixtures.ts';
import { openEncoder } from '../support/open-kinds.ts';
import { ambry, smallModel } from '../support/package.ts';

const {
  conversionTargets,
  convert,
  cosine,
  createIndex,
  inspect,
  openIndex,
  open,
  quantize,
  runReport,
  validate,
} = ambry;
const clean: (() => unknown)[] = [];
afterAll(async () => {
  for (const each of clean) {
    await each();
  }
});

function expectClose(vector: Float32Array, wanted: readonly number[]): void {
  expect(vector).toHaveLength(wanted.length);
  wanted.forEach((value, i) => {
    expect(vector[i]).toBeCloseTo(value, 5);
  });
}

const forms = {
  Model2Vec: model2vecDirectory(),
  'StaticEmbedding at the top': staticEmbeddingDirectory(),
  'StaticEmbedding in a folder': staticEmbeddingDirectory('0_StaticEmbedding'),
};

describe.each(Object.entries(forms))('a directory of %s', (_, files) => {
  async function expectOpens(source: Parameters<typeof openEncoder>[0]): Promise<void> {
    await using model = await openEncoder(source);
    expect(model.info).toMatchObject({ format: 'safetensors', convertedTo: 'embd' });
    expect(model.dim).toBe(staticDim);
    expectClose(await model.embed('the cat'), meanRow(['the', 'cat']));
  }

  test('opens as a map of files', () => expectOpens(files));

  test('opens by its path', async () => {
    const { path, remove } = await onDisk(files);
    clean.push(remove);
    await expectOpens(path);
  });

  test('opens by its address', async () => {
    const server = await onServer(files);
    clean.push(server.close);
    await expectOpens(server.url);
  });

  test('becomes a file, which opens as it is', async () => {
    const blob = await convert(files);
    await using model = await openEncoder(blob);
    expect(model.info.convertedTo).toBeUndefined();
    expectClose(await model.embed('dog'), meanRow(['dog']));
    const report = await validate(blob, { strict: true, values: true });
    expect(report).toMatchObject({ valid: true, errors: [], warnings: [] });
  });
});

describe('a static encoder', () => {
  test('leaves out unknown words where Model2Vec made it, and else not', async () => {
    await using first = await openEncoder(model2vecDirectory());
    expectClose(await first.embed('!? cat'), meanRow(['!', 'cat']));
    await using second = await openEncoder(staticEmbeddingDirectory());
    expectClose(await second.embed('? cat'), meanRow(['[UNK]', 'cat']));
  });

  test('gives zeros for a text without tokens', async () => {
    await using model = await openEncoder(model2vecDirectory(true));
    const zeros = new Float32Array(staticDim);
    expect(await model.embed(['', '?'])).toEqual([zeros, zeros]);
  });

  test('tokenizes as it reads, without special tokens', async () => {
    await using model = await openEncoder(model2vecDirectory());
    const { ids, tokens } = await model.tokenize('the cat');
    expect(tokens).toEqual(['the', 'cat']);
    expect(await model.detokenize(ids)).toBe('the cat');
  });

  test('gives a vector for each token', async () => {
    await using model = await openEncoder(model2vecDirectory());
    const rows = await model.embed('the ? cat', { pooling: 'none' });
    expectClose(rows, [...meanRow(['the']), ...meanRow(['cat'])]);
  });

  test('explains a cosine by its words', async () => {
    await using model = await openEncoder(model2vecDirectory());
    const { score, pieces } = await model.explain('a dog', 'the ? cat');
    const [a, b] = await Promise.all(
      ['a dog', 'the ? cat'].map((text) => model.embed(text, { normalize: true })),
    );
    expect(score).toBeCloseTo(cosine(a ?? [], b ?? []), 5);
    expect(pieces.map(({ token, start, end }) => [token, start, end])).toEqual([
      ['the', 0, 3],
      ['cat', 6, 9],
    ]);
  });

  test('reports progress, and stops when it is told to', async () => {
    await using model = await openEncoder(model2vecDirectory());
    const texts = Array.from({ length: 20_000 }, () => 'the cat sat on the mat');
    const loaded: number[] = [];
    await model.embed(texts, { onProgress: (progress) => loaded.push(progress.loaded) });
    expect(loaded.at(-1)).toBe(texts.length);
    const control = new AbortController();
    const stopped = model.embed(texts, { signal: control.signal });
    control.abort();
    await expect(stopped).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
    expectClose(await model.embed('cat'), meanRow(['cat']));
  });

  test('embeds in one worker, however many are asked for', async () => {
    await using model = await openEncoder(model2vecDirectory());
    const texts = Array.from({ length: 300 }, (_, i) => 'the cat sat on'.slice(0, 4 + (i % 9)));
    expect(await model.embed(texts, { workers: 4 })).toEqual(await model.embed(texts));
  });

  test('makes an index that is searched, saved and loaded', async () => {
    await using model = await openEncoder(model2vecDirectory());
    const docs = ['the cat sat', 'a dog ran home', 'mat'].map((text, id) => ({ id, text }));
    const index = await createIndex(model, docs);
    expect((await index.search('a dog ran home'))[0]?.id).toBe(1);
    const file = await index.save();
    await index.dispose();
    await using again = await openIndex(file, { model });
    expect((await again.search('the cat sat'))[0]?.id).toBe(0);
  });

  test('becomes narrower', async () => {
    const blob = await convert(model2vecDirectory());
    for (const [dtype, digits] of [
      ['f16', 3],
      ['int8', 2],
    ] as const) {
      await using model = await openEncoder(await convert(blob, { dtype }));
      const vector = await model.embed('the cat');
      meanRow(['the', 'cat']).forEach((value, i) => {
        expect(vector[i]).toBeCloseTo(value, digits);
      });
    }
    const { agreement } = await quantize(blob, { type: 'int8', texts: ['the cat', 'a dog'] });
    expect(agreement).toMatchObject({ kind: 'embeddings' });
  });

  test('is cut to the vectors that embed gives with so many numbers', async () => {
    const texts = ['the cat', 'a dog ran home', '!', 'mat'];
    for (const source of [model2vecDirectory(true), await convert(staticEmbeddingDirectory())]) {
      await using whole = await openEncoder(source);
      for (const dim of [1, 4, staticDim]) {
        const blob = await convert(source, { dim });
        await using cut = await openEncoder(blob);
        expect(cut.dim).toBe(dim);
        for (const normalize of [true, false]) {
          const wanted = await whole.embed(texts, { dim, normalize });
          expect(await cut.embed(texts, { normalize })).toEqual(wanted);
        }
        expect((await inspect(blob)).metadata).toMatchObject({ embedding_dim: `${dim}` });
        const report = await validate(blob, { strict: true, values: true });
        expect(report).toMatchObject({ valid: true, errors: [], warnings: [] });
      }
    }
  });

  test('says which numbers it cannot be cut to', async () => {
    const blob = await convert(model2vecDirectory());
    for (const dim of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, staticDim + 1]) {
      await expect(convert(blob, { dim })).rejects.toMatchObject({
        name: 'AmbryError',
        code: 'BadValue',
        path: 'options.dim',
      });
    }
    for (const [source, to] of [
      [await smallModel(), 'embd'],
      [modelDirectory(), 'embd'],
      [blob, 'safetensors'],
    ] as const) {
      await expect(convert(source, { dim: 2, to })).rejects.toMatchObject({
        code: 'Unsupported',
        path: 'options.dim',
        message: expect.stringContaining('only static encoders'),
      });
    }
    const { targets } = await conversionTargets(blob, { dim: 2 });
    const possible = targets.filter(({ problem }) => problem === null);
    expect(possible.map(({ to }) => to)).toEqual(['embd']);
  });

  test('is inspected, and its memory told', async () => {
    const blob = await convert(model2vecDirectory());
    const { config, tensors } = await inspect(blob);
    expect(config).toMatchObject({ architecture: 'static', embeddingDim: staticDim });
    expect(tensors.map(({ name }) => name)).toEqual(['embeddings.word_embeddings.weight']);
    const report = await runReport(blob);
    expect(report).toMatchObject({ kind: 'encoder', converts: false, obstacle: null });
  });

  test('opens with the option architecture, which does no harm to other encoders', async () => {
    const blob = await convert(model2vecDirectory());
    const how = { kind: 'encoder', architecture: 'static' } as const;
    await using model = await open(blob, how);
    expectClose(await model.embed('cat'), meanRow(['cat']));
    await using other = await open(await smallModel(), how);
    expect(other.dim).toBe(32);
  });

  test('opens with another tokenizer, and without the option', async () => {
    const blob = await convert(unigramDirectory());
    for (const how of [{ kind: 'encoder', architecture: 'static' }, {}] as const) {
      await using model = await open(blob, how);
      if (model.kind !== 'encoder') {
        throw new Error(model.kind);
      }
      const { tokens } = await model.tokenize('The cat');
      expect(tokens).toEqual(['\u2581the', '\u2581cat']);
      expectClose(await model.embed('The cat'), meanRow(['the', 'cat']));
    }
  });

  test('is refused with a tokenizer of a kind that does not run, by name', async () => {
    const files = new Map(model2vecDirectory());
    const tokenizer = JSON.stringify({ model: { type: 'WordLevel', vocab: { a: 0 } } });
    files.set('tokenizer.json', new TextEncoder().encode(tokenizer));
    await expect(open(files)).rejects.toThrow(
      expect.objectContaining({ code: 'Unsupported', path: 'tokenizer.json.model' }),
    );
  });
});
