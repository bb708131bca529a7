// /v1/embeddings and /v1/models with OpenAI's own client, and /v1/rerank.
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { forAllTests } from '../../../tests/web/support/for-all-tests.ts';
import {
  openChat,
  openEncoder,
  openLate,
  openReranker,
  openTextClassifier,
} from '../../../tests/web/support/models/small-models.ts';
import { post, testServer } from './support/test-server.ts';

const encoder = await forAllTests(openEncoder());
const reranker = await forAllTests(openReranker());
const late = await forAllTests(openLate());
const models = {
  minilm: encoder,
  ranker: reranker,
  colbert: late,
  nli: openTextClassifier,
  chat: openChat,
};
const server = await forAllTests(testServer(models, { maxInputs: 4 }));
const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none', maxRetries: 0 });

describe('embeddings', () => {
  const texts = ['the cat', 'a dog'];

  test.each([
    'float',
    'base64',
    undefined,
  ] as const)('are those of the library (%s)', async (format) => {
    const vectors = await encoder.embed(texts);
    const answer = await client.embeddings.create({
      model: 'minilm',
      input: texts,
      ...(format && { encoding_format: format }),
    });
    const rows = answer.data.map(({ embedding }) =>
      // The client decodes base64 that it asked for itself.
      typeof embedding === 'string'
        ? new Float32Array(Uint8Array.from(Buffer.from(embedding, 'base64')).buffer)
        : Float32Array.from(embedding),
    );
    expect(rows).toEqual(vectors);
    expect(answer.data.map(({ index }) => index)).toEqual([0, 1]);
    expect(answer.usage).toEqual({ prompt_tokens: 4, total_tokens: 4 });
    expect(answer.model).toBe('minilm');
  });

  test('may be shorter', async () => {
    const answer = await client.embeddings.create({
      model: 'minilm',
      input: 'the cat',
      dimensions: 8,
    });
    const own = await encoder.embed('the cat', { dim: 8 });
    expect(answer.data[0]?.embedding.map(Math.fround)).toEqual([...own]);
  });

  test('of ids are those of their text', async () => {
    const { ids } = await encoder.tokenize('the cat');
    const own = await encoder.embed('the cat');
    for (const input of [[...ids], [[...ids]]]) {
      const answer = await client.embeddings.create({ model: 'minilm', input });
      expect(answer.data[0]?.embedding.map(Math.fround)).toEqual([...own]);
    }
  });

  test.each([
    ['nothing', { input: [] }, 'input'],
    ['a number', { input: 3 }, 'input'],
    ['too many texts', { input: ['a', 'b', 'c', 'd', 'e'] }, 'input'],
    ['more dimensions than there are', { input: 'a', dimensions: 9999 }, 'dimensions'],
    ['a prompt that the model has not', { input: 'a', prompt_name: 'none' }, 'prompt_name'],
    ['a language model', { input: 'a', model: 'chat' }, 'model'],
  ])('of %s are a bad request', async (_, more, param) => {
    const response = await post(`${server.url}/v1/embeddings`, { model: 'minilm', ...more });
    expect(response.status).toBe(400);
    expect((await response.json()).error).toMatchObject({ type: 'invalid_request_error', param });
  });
});

describe('reranking', () => {
  const query = 'the cat';
  const documents = ['a dog', 'the cat', 'the house'];
  const rank = (body: object) => post(`${server.url}/v1/rerank`, { query, documents, ...body });

  test.each([
    ['ranker', () => reranker],
    ['colbert', () => late],
  ])('by %s gives the order and the scores of the library', async (model, own) => {
    const response = await rank({ model, return_documents: true, top_n: 2 });
    const ranked = await own().rank(query, documents, { k: 2 });
    const body = await response.json();
    expect(body.results).toEqual(
      ranked.map(({ index, score }) => ({
        index,
        relevance_score: score,
        document: { text: documents[index] },
      })),
    );
    const counts = await own().tokenCounts([query, ...documents]);
    expect(body.usage.total_tokens).toBe(counts.reduce((sum, count) => sum + count));
  });

  test('takes documents as objects, and returns places', async () => {
    const response = await rank({
      model: 'ranker',
      documents: documents.map((text) => ({ text })),
    });
    const { results } = await response.json();
    expect(results.map(({ index }: { index: number }) => index).toSorted()).toEqual([0, 1, 2]);
    expect(results[0].document).toBeUndefined();
  });

  test.each([
    ['a classifier', { model: 'nli' }, 'model'],
    ['an encoder', { model: 'minilm' }, 'model'],
    ['no documents', { model: 'ranker', documents: [] }, 'documents'],
    ['too many', { model: 'ranker', documents: ['a', 'b', 'c', 'd', 'e'] }, 'documents'],
    ['a document that is none', { model: 'ranker', documents: [3] }, 'documents[0]'],
  ])('with %s is a bad request', async (_, body, param) => {
    const response = await rank(body);
    expect(response.status).toBe(400);
    expect((await response.json()).error.param).toBe(param);
  });
});

test('the models are listed in their order, and found by name', async () => {
  const { data } = await client.models.list();
  expect(data.map(({ id, object, owned_by }) => [id, object, owned_by])).toEqual(
    ['minilm', 'ranker', 'colbert', 'nli', 'chat'].map((id) => [id, 'model', 'ambry']),
  );
  expect(await client.models.retrieve('chat')).toMatchObject({ id: 'chat', kind: 'generator' });
  await expect(client.models.retrieve('other')).rejects.toMatchObject({
    status: 404,
    code: 'model_not_found',
  });
});
