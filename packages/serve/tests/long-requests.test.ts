// Long requests: what they cost, and what others notice of them.
import { describe, expect, test } from 'vitest';
import { forAllTests } from '../../../tests/web/support/for-all-tests.ts';
import {
  openChat,
  openEncoder,
  openReranker,
} from '../../../tests/web/support/models/small-models.ts';
import { post, testServer } from './support/test-server.ts';

const encoder = await forAllTests(openEncoder());
const reranker = await forAllTests(openReranker());
const server = await forAllTests(testServer({ minilm: encoder, ranker: reranker, chat: openChat }));

const embeddings = `${server.url}/v1/embeddings`;
const longest = Number(encoder.info.config?.['maxSeqLength']);
const megabytes = 'the cat '.repeat(800_000);
const manyTexts = Array.from({ length: 1500 }, (_, i) => 'the cat '.repeat(1 + (i % 90)));

test('a text of megabytes counts as what the model reads of it', async () => {
  const response = await post(embeddings, { model: 'minilm', input: [megabytes, 'the cat'] });
  const { usage, data } = await response.json();
  expect(usage.prompt_tokens).toBe(longest + 2);
  const own = await encoder.embed('the cat '.repeat(longest));
  expect(data[0].embedding.map(Math.fround)).toEqual([...own]);
});

test('a prompt of megabytes does not fit', async () => {
  const response = await post(`${server.url}/v1/completions`, { model: 'chat', prompt: megabytes });
  expect(response.status).toBe(400);
  const { error } = await response.json();
  expect(error).toMatchObject({ code: 'context_length_exceeded' });
  expect(error.message).toMatch(/^at least \d+ tokens leave no room/);
});

describe('many texts', () => {
  test('let others come in between', async () => {
    const order: string[] = [];
    const ask = async (name: string, input: string | readonly string[]) => {
      const response = await post(embeddings, { model: 'minilm', input });
      await response.arrayBuffer();
      order.push(name);
    };
    const long = ask('long', manyTexts);
    for (let i = 0; i < 3; i++) {
      await ask('short', 'the cat');
    }
    await long;
    expect(order).toEqual(['short', 'short', 'short', 'long']);
  });

  test('have the vectors of the library, in their order', async () => {
    const response = await post(embeddings, { model: 'minilm', input: manyTexts });
    const { data, usage } = await response.json();
    expect(data).toHaveLength(manyTexts.length);
    for (const i of [0, 700, 1499]) {
      const [own, row] = [await encoder.embed(manyTexts[i] ?? ''), data[i].embedding as number[]];
      const product = row.reduce((sum, x, j) => sum + x * (own[j] ?? 0), 0);
      expect(product).toBeCloseTo(1, 4);
    }
    const counts = await encoder.tokenCounts(manyTexts, { most: longest });
    expect(usage.prompt_tokens).toBe(counts.reduce((sum, count) => sum + count, 0));
  });

  test('of a client that goes cost nothing more', async () => {
    const stop = new AbortController();
    const left = post(embeddings, { model: 'minilm', input: manyTexts }, {}, stop.signal);
    await post(embeddings, { model: 'minilm', input: 'the cat' });
    stop.abort();
    await expect(left).rejects.toThrow();
    await post(embeddings, { model: 'minilm', input: 'the cat' });
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).toContain('ambry_queue_waiting{model="minilm"} 0');
  });

  test('are refused at the place of the one that is too long', async () => {
    const input = [...manyTexts.slice(0, 600).map(() => 'the cat'), megabytes];
    const response = await post(`${server.url}/api/embed`, {
      model: 'minilm',
      input,
      truncate: false,
    });
    expect(response.status).toBe(400);
    expect((await response.json()).error).toMatch(
      /^texts\[600\]: the text has at least \d+ tokens/,
    );
  });

  test('are ranked as the library ranks them', async () => {
    const documents = Array.from({ length: 600 }, (_, i) => `the cat ${'sat '.repeat(i % 7)}${i}`);
    const response = await post(`${server.url}/v1/rerank`, {
      model: 'ranker',
      query: 'the cat',
      documents,
      top_n: 5,
    });
    const { results } = await response.json();
    const own = await reranker.rank('the cat', documents, { k: 5 });
    expect(results.map(({ index }: { index: number }) => index)).toEqual(
      own.map(({ index }) => index),
    );
  });
});
