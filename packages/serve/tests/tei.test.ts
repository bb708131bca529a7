// /embed, /rerank and /predict, in the form of Text Embeddings Inference.
import { describe, expect, test } from 'vitest';
import { forAllTests } from '../../../tests/web/support/for-all-tests.ts';
import {
  openChat,
  openEncoder,
  openReranker,
  openSparseEncoder,
  openTextClassifier,
} from '../../../tests/web/support/models/small-models.ts';
import { post, testServer } from './support/test-server.ts';

const encoder = await forAllTests(openEncoder());
const reranker = await forAllTests(openReranker());
const classifier = await forAllTests(openTextClassifier());
const sparse = await forAllTests(openSparseEncoder());
const models = { chat: openChat, minilm: encoder, ranker: reranker, nli: classifier, sparse };
const server = await forAllTests(testServer(models, { maxInputs: 4 }));

const ask = async (route: string, body: object) => {
  const response = await post(`${server.url}${route}`, body);
  return { status: response.status, body: await response.json() };
};
const long = 'the cat '.repeat(500);

describe('/embed', () => {
  test('gives the vectors of the library, of the first encoder', async () => {
    const texts = ['the cat', 'a dog'];
    const { body } = await ask('/embed', { inputs: texts });
    const own = await encoder.embed(texts, { normalize: true });
    expect(body.map((row: number[]) => Float32Array.from(row))).toEqual(own);
  });

  test('takes one text, a normalization and a size', async () => {
    const { body } = await ask('/embed', { inputs: 'the cat', normalize: false, dimensions: 8 });
    const own = await encoder.embed('the cat', { normalize: false, dim: 8 });
    expect(body.map((row: number[]) => Float32Array.from(row))).toEqual([own]);
  });

  test('cuts long texts unless the request forbids it', async () => {
    expect((await ask('/embed', { inputs: long })).status).toBe(200);
    const refused = await ask('/embed', { inputs: long, truncate: false });
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ error_type: 'Validation' });
  });
});

test('/embed_sparse gives the weights of the library', async () => {
  const texts = ['the cat', 'a dog'];
  const { body } = await ask('/embed_sparse', { inputs: texts });
  const own = await sparse.embedSparse(texts);
  expect(body).toEqual(
    own.map(({ ids, weights }) => Array.from(ids, (index, i) => ({ index, value: weights[i] }))),
  );
  const other = await ask('/embed_sparse', { inputs: texts, model: 'minilm' });
  expect(other.status).toBe(400);
});

describe('/rerank', () => {
  const query = 'the cat';
  const texts = ['a dog', 'the cat', 'the house'];

  test('sorts texts by the sigmoids of their logits, or by the logits', async () => {
    const logits = [...(await reranker.logits(texts.map((text) => [query, text])))];
    const order = logits.map((_, i) => i).sort((a, b) => (logits[b] ?? 0) - (logits[a] ?? 0));
    const raw = await ask('/rerank', { query, texts, raw_scores: true, return_text: true });
    expect(raw.body).toEqual(
      order.map((index) => ({ index, text: texts[index], score: logits[index] })),
    );
    const { body } = await ask('/rerank', { query, texts });
    expect(body.map(({ index }: { index: number }) => index)).toEqual(order);
    expect(body[0].score).toBeCloseTo(1 / (1 + Math.exp(-(logits[order[0] ?? 0] ?? 0))), 12);
    expect(body[0]).not.toHaveProperty('text');
  });

  test.each([
    ['no texts', { texts: [] }],
    ['too many', { texts: ['a', 'b', 'c', 'd', 'e'] }],
    ['an encoder', { texts, model: 'minilm' }],
    ['a text cut at its left', { texts, truncation_direction: 'Left' }],
  ])('with %s is a bad request', async (_, body) => {
    const refused = await ask('/rerank', { query, ...body });
    expect(refused.status).toBe(400);
    expect(refused.body).toEqual({ error: expect.any(String), error_type: 'Validation' });
  });
});

describe('/predict', () => {
  const labels = async (input: string | [string, string]) =>
    (await classifier.classify([input], { k: classifier.labels.length }))[0]?.map(
      ({ label, score }) => ({ score, label }),
    );

  test('gives all labels of a text, the best first', async () => {
    expect((await ask('/predict', { inputs: 'the cat' })).body).toEqual(await labels('the cat'));
  });

  test('reads a list of two texts as a pair', async () => {
    const { body } = await ask('/predict', { inputs: ['the cat', 'a dog'] });
    expect(body).toEqual(await labels(['the cat', 'a dog']));
  });

  test('gives a list for each input of a list of lists', async () => {
    const { body } = await ask('/predict', { inputs: [['the cat'], ['the cat', 'a dog']] });
    expect(body).toEqual([await labels('the cat'), await labels(['the cat', 'a dog'])]);
  });

  test('gives logits if the request wants them', async () => {
    const { body } = await ask('/predict', { inputs: 'the cat', raw_scores: true });
    const logits = [...(await classifier.logits(['the cat']))].sort((a, b) => b - a);
    expect(body.map(({ score }: { score: number }) => score)).toEqual(logits);
  });

  test.each([
    ['nothing', { inputs: [] }],
    ['three texts in one input', { inputs: ['a', 'b', 'c'] }],
    ['a number', { inputs: 3 }],
  ])('of %s is a bad request', async (_, body) => {
    const refused = await ask('/predict', body);
    expect(refused.status).toBe(400);
    expect(refused.body.error).toMatch(/^inputs/);
  });
});
