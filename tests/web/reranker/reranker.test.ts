// The built package in Node: rerankers, and how models with a classification head open.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Progress, Reranker } from '../../../web/src/index.ts';
import { headDirectory, logitsOf, nliLabels } from '../support/directories/head-directories.ts';
import { openEncoder, openReranker } from '../support/open-kinds.ts';
import { ambry, smallModel } from '../support/package.ts';

const { open, convert, runReport } = ambry;
const query = 'the cat';
const documents = ['dog ran home!', 'the cat sat.', '', 'on the mat', 'a cat, a mat, a home'];
const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

describe('a reranker', () => {
  let model: Reranker;
  beforeAll(async () => {
    model = await openReranker(headDirectory());
  });
  afterAll(() => model.dispose());

  test('says what it is', () => {
    expect(model.kind).toBe('reranker');
    expect(model.info.config?.['classificationHead']).toEqual({
      labels: ['LABEL_0'],
      problemType: null,
      scoreActivation: 'sigmoid',
    });
    expect(model.weightBytes).toBeGreaterThan(10_000);
  });

  test('gives the logits that its weights give', async () => {
    await using encoder = await open(headDirectory(), { kind: 'encoder' });
    expect(encoder.kind).toBe('encoder');
    for (const text of documents) {
      const [rows = new Float32Array(0)] = await encoder.embed([text], {
        pooling: 'none',
        normalize: false,
      });
      const [expected = Number.NaN] = logitsOf(rows.subarray(0, encoder.dim), 1);
      const [logit = 0] = await model.logits([text]);
      expect(Math.abs(logit - expected)).toBeLessThan(1e-5);
      const [score = 0] = await model.score([text]);
      expect(score).toBeCloseTo(sigmoid(logit), 6);
    }
  });

  test('ranks alike from GGUF', async () => {
    const embd = await convert(headDirectory());
    const gguf = await convert(embd, { to: 'gguf' });
    await using same = await openReranker(new Uint8Array(await gguf.arrayBuffer()));
    expect(same.info).toMatchObject({ format: 'gguf', convertedTo: 'embd' });
    expect(await same.rank(query, documents)).toEqual(await model.rank(query, documents));
  });

  test('ranks documents by their scores', async () => {
    const ranked = await model.rank(query, documents, { returnDocuments: true });
    expect(ranked.map(({ index }) => index).toSorted()).toEqual(documents.map((_, i) => i));
    expect(ranked.map(({ score }) => score)).toEqual(
      ranked.map(({ score }) => score).toSorted((a, b) => b - a),
    );
    const scores = await model.score(documents.map((document) => [query, document]));
    for (const { index, score, text } of ranked) {
      expect(score).toBeCloseTo(scores[index] ?? Number.NaN, 6);
      expect(text).toBe(documents[index]);
    }
    const two = await model.rank(query, documents, { k: 2 });
    expect(two).toEqual(ranked.slice(0, 2).map(({ index, score }) => ({ index, score })));
  });

  test('keeps the order of documents that are equal', async () => {
    const ranked = await model.rank(query, ['dog', 'dog', 'dog', 'dog']);
    expect(ranked.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
  });

  test('gives a document the same score in any list', async () => {
    const many = Array.from({ length: 90 }, (_, i) => `the cat ran home ${'. '.repeat(i % 23)}`);
    const all = await model.rank(query, many);
    for (const i of [0, 22, 57]) {
      const [alone] = await model.rank(query, [many[i] as string]);
      expect(all.find(({ index }) => index === i)?.score).toBe(alone?.score);
    }
  });

  test('ranks no documents', async () => {
    expect(await model.rank(query, [])).toEqual([]);
  });

  test('tells the texts of a pair apart', async () => {
    const [one, other] = await model.logits([
      ['the cat', 'dog'],
      ['dog', 'the cat'],
    ]);
    expect(one).not.toBe(other);
  });

  test('cuts the document, and refuses to with truncate: error', async () => {
    const long = 'the dog ran home . '.repeat(20);
    const cut = await model.rank('cat', [long]);
    // 32 tokens, less three special ones and the query.
    const words = long.trim().split(' ').slice(0, 28).join(' ');
    expect(await model.rank('cat', [words], { truncate: 'error' })).toEqual(cut);
    await expect(model.rank('cat', ['dog', long], { truncate: 'error' })).rejects.toMatchObject({
      code: 'LimitExceeded',
      path: 'documents[1]',
    });
  });

  test('a query that fills all positions leaves the document a half', async () => {
    const query = 'the cat sat on the mat . '.repeat(20);
    const [half] = await model.rank(query, ['dog '.repeat(40)]);
    const [same] = await model.rank(query, ['dog '.repeat(60)]);
    expect(half?.score).toBe(same?.score);
    await expect(model.rank(query, ['dog'], { truncate: 'error' })).rejects.toMatchObject({
      code: 'LimitExceeded',
      path: 'documents[0]',
    });
  });

  test.each([
    [{ k: 0 }, 'options.k'],
    [{ k: 1.5 }, 'options.k'],
    [{ truncate: 'start' }, 'options.truncate'],
  ])('refuses %o', async (options, path) => {
    await expect(model.rank(query, documents, options as object)).rejects.toMatchObject({
      code: 'BadValue',
      path,
    });
  });

  test('refuses what is no text', async () => {
    const wrong = (given: unknown) => given as never;
    const path = async (call: Promise<unknown>, place: string) =>
      expect(call).rejects.toMatchObject({ code: 'BadValue', path: place });
    await path(model.rank(wrong(1), documents), 'query');
    await path(model.rank(query, wrong('cat')), 'documents');
    await path(model.rank(query, ['cat', wrong(null)]), 'documents[1]');
    await path(model.score(wrong('cat')), 'texts');
    await path(model.score([['cat', 'dog'], wrong(['cat'])]), 'texts[1]');
  });

  test('reports progress, and stops at an abort', async () => {
    const seen: Progress[] = [];
    const many = Array.from({ length: 600 }, (_, i) => 'cat '.repeat(i % 28));
    await model.rank(query, many, { onProgress: (progress) => seen.push(progress) });
    expect(seen.at(-1)).toEqual({ phase: 'score', loaded: 600, total: 600, cached: false });
    const loaded = seen.map((progress) => progress.loaded);
    expect(loaded).toEqual(loaded.toSorted((a, b) => a - b));

    const abort = new AbortController();
    const aborted = model.rank(query, many, {
      signal: abort.signal,
      onProgress: () => abort.abort(),
    });
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
    // The model works on.
    expect(await model.rank(query, ['dog'])).toHaveLength(1);
  });

  test('tokenizes', async () => {
    const { tokens, typeIds } = await model.tokenize('cat', { pair: 'dog' });
    expect(tokens).toEqual(['[CLS]', 'cat', '[SEP]', 'dog', '[SEP]']);
    expect(typeIds).toEqual([0, 0, 0, 1, 1]);
  });

  test('in int8 scores nearly the same', async () => {
    await using int8 = await openReranker(headDirectory(), { weights: 'int8' });
    const exact = await model.logits(documents.map((text) => [query, text] as const));
    const rough = await int8.logits(documents.map((text) => [query, text] as const));
    rough.forEach((logit, i) => {
      expect(Math.abs(logit - (exact[i] ?? Number.NaN))).toBeLessThan(0.05);
    });
    expect(int8.weightBytes).toBeLessThan(model.weightBytes);
  });
});

describe('scores', () => {
  test('are logits where sentence-transformers applies nothing', async () => {
    const config = { sentence_transformers: { activation_fn: 'torch.nn.modules.linear.Identity' } };
    await using model = await openReranker(headDirectory({ config }));
    expect(await model.score(documents)).toEqual(await model.logits(documents));
    const [best] = await model.rank(query, documents);
    expect(best?.score).toBe(Math.max(...(await model.score(documents.map((d) => [query, d])))));
  });

  test('are refused where they are no numbers', async () => {
    await using model = await openReranker(headDirectory({ bias: [Number.NaN] }));
    await expect(model.rank(query, documents)).rejects.toMatchObject({ code: 'BadValue' });
  });
});

describe('opening', () => {
  test('a converted file keeps its head', async () => {
    const blob = await convert(headDirectory(), { dtype: 'int8' });
    await using model = await openReranker(new Uint8Array(await blob.arrayBuffer()));
    expect(model.info.config?.['classificationHead']).toMatchObject({ labels: ['LABEL_0'] });
    const report = await runReport(blob);
    expect(report).toMatchObject({ kind: 'reranker', format: 'embd', obstacle: null });
  });

  test('runReport tells the kind of a directory', async () => {
    expect(await runReport(headDirectory())).toMatchObject({ kind: 'reranker', converts: true });
    const several = headDirectory({ labels: nliLabels });
    expect(await runReport(several)).toMatchObject({ kind: 'textClassifier', converts: true });
    const blob = await convert(several);
    expect(await runReport(blob)).toMatchObject({ kind: 'textClassifier', converts: false });
  });

  test('a head of several labels is a text classifier, and no reranker', async () => {
    const source = headDirectory({ labels: nliLabels });
    await using model = await open(source);
    expect(model).toMatchObject({ kind: 'textClassifier', labels: nliLabels });
    await expect(open(source, { kind: 'reranker' })).rejects.toMatchObject({
      code: 'Unsupported',
      path: 'options.kind',
      message: expect.stringMatching(
        /text classifier.*contradiction, entailment, neutral/,
      ) as string,
    });
  });

  test.each([{ labels: ['LABEL_0'] }, { labels: nliLabels }])('kind wins: $labels', async (how) => {
    const blob = await convert(headDirectory(how));
    for (const kind of ['encoder', 'textClassifier'] as const) {
      await using model = await open(blob, { kind });
      expect(model.kind).toBe(kind);
    }
  });

  test('an encoder without a head is no reranker', async () => {
    await expect(open(await smallModel(), { kind: 'reranker' })).rejects.toMatchObject({
      code: 'Unsupported',
      path: 'options.kind',
      message: expect.stringContaining('no classification head') as string,
    });
    await expect(open(await smallModel(), { kind: 'textClassifier' })).rejects.toMatchObject({
      code: 'Unsupported',
      path: 'options.kind',
      message: expect.stringContaining('no classification head') as string,
    });
    await using encoder = await openEncoder(await smallModel());
    expect(encoder.kind).toBe('encoder');
  });

  test.each([
    ['labels that are not stated', { config: { id2label: null } }, 'NotFound'],
    ['labels that are not as many', { rows: 3 }, 'Mismatch'],
  ])('%s are an error with file and key', async (_, settings, code) => {
    await expect(open(headDirectory(settings))).rejects.toMatchObject({
      code,
      path: 'config.json.id2label',
    });
  });
});
