// /v1/completions with OpenAI's own client.
import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { forAllTests } from '../../../tests/web/support/for-all-tests.ts';
import { openChat } from '../../../tests/web/support/models/small-models.ts';
import { testServer } from './support/test-server.ts';

const model = await forAllTests(openChat());
const server = await forAllTests(testServer({ stories: model }));
const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none', maxRetries: 0 });

const options = { model: 'stories', seed: 5, max_tokens: 12 };
const own = (prompt: string | number[], seed = 5) =>
  model.generate(prompt, { seed, maxTokens: 12 }).result;

test('a text and its ids are continued alike', async () => {
  const { text, promptIds, ids } = await own('Once');
  for (const prompt of ['Once', [...promptIds]]) {
    const answer = await client.completions.create({ ...options, prompt });
    expect(answer.choices[0]).toMatchObject({ index: 0, text, logprobs: null });
    expect(answer.usage).toEqual({
      prompt_tokens: promptIds.length,
      completion_tokens: ids.length,
      total_tokens: promptIds.length + ids.length,
    });
  }
});

test('several prompts get an answer each, or n', async () => {
  const [a, b] = [await own('Once'), await own('The end')];
  const one = await client.completions.create({ ...options, prompt: ['Once', 'The end'] });
  expect(one.choices.map(({ index, text }) => [index, text])).toEqual([
    [0, a.text],
    [1, b.text],
  ]);
  expect(one.usage?.prompt_tokens).toBe(a.promptIds.length + b.promptIds.length);
  const [c, d] = [await own('Once', 6), await own('The end', 6)];
  const two = await client.completions.create({ ...options, prompt: ['Once', 'The end'], n: 2 });
  expect(two.choices.map(({ text }) => text)).toEqual([a.text, c.text, b.text, d.text]);
  expect(two.usage?.prompt_tokens).toBe(a.promptIds.length + b.promptIds.length);
});

test('an answer is streamed, and may begin with the prompt', async () => {
  const { text, ids } = await own('Once');
  const stream = await client.completions.create({
    ...options,
    prompt: 'Once',
    echo: true,
    stream: true,
    stream_options: { include_usage: true },
  });
  let all = '';
  let usage: OpenAI.CompletionUsage | undefined;
  for await (const chunk of stream) {
    all += chunk.choices[0]?.text ?? '';
    usage = chunk.usage ?? usage;
  }
  expect(all).toBe(`Once${text}`);
  expect(usage?.completion_tokens).toBe(ids.length);
});

test('the tokens have probabilities and places', async () => {
  const answer = await client.completions.create({ ...options, prompt: 'Once', logprobs: 2 });
  const [choice] = answer.choices;
  const {
    tokens = [],
    token_logprobs = [],
    text_offset = [],
    top_logprobs = [],
  } = choice?.logprobs ?? {};
  expect(tokens.join('')).toBe(choice?.text);
  expect(token_logprobs.every((value) => value < 0)).toBe(true);
  expect(text_offset[0]).toBe(0);
  expect(text_offset.at(-1)).toBe(tokens.slice(0, -1).join('').length);
  expect(top_logprobs.every((top) => Object.keys(top).length === 2)).toBe(true);
});

test.each([
  ['echo with logprobs', { prompt: 'a', echo: true, logprobs: 1 }, 'echo'],
  ['ids that the model has not', { prompt: [5, 999] }, 'prompt[1]'],
  ['a prompt that is too long', { prompt: 'a'.repeat(600) }, 'prompt'],
  ['best_of', { prompt: 'a', best_of: 3 }, 'best_of'],
  ['a suffix', { prompt: 'a', suffix: 'b' }, 'suffix'],
])('%s is a bad request', async (_, more, param) => {
  const call = client.completions.create({ ...options, ...more });
  await expect(call).rejects.toMatchObject({ status: 400, param });
});
