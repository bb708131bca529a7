// Bodies of requests changed by chance: each route answers, and never with a failure of its own.
import { expect, test } from 'vitest';
import { forAllTests } from '../../../tests/web/support/for-all-tests.ts';
import { openChat, openEncoder } from '../../../tests/web/support/models/small-models.ts';
import { Mutants } from '../../../tests/web/support/mutants.ts';
import { fuzzSize } from '../../../tests/web/tokenizer/support/fuzz-size.ts';
import { testServer } from './support/test-server.ts';

const server = await forAllTests(testServer({ chat: openChat, minilm: openEncoder }));

const messages = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
];
const schema = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] };
const parameters = { type: 'object', properties: { city: { type: 'string' } } };
const tool = { type: 'function', function: { name: 'weather', description: 'x', parameters } };
const sampling = { temperature: 0.5, top_p: 0.9, seed: 1 };

/** A valid body of each route. */
const bodies: Readonly<Record<string, object>> = {
  '/v1/chat/completions': {
    model: 'chat',
    messages,
    max_tokens: 4,
    ...sampling,
    stop: ['\n'],
    tools: [tool],
    tool_choice: 'auto',
    logprobs: true,
    top_logprobs: 2,
    response_format: { type: 'json_schema', json_schema: { name: 'x', schema } },
  },
  '/v1/completions': { model: 'chat', prompt: ['a', 'b'], max_tokens: 3, ...sampling, logprobs: 1 },
  '/v1/responses': {
    model: 'chat',
    input: messages.slice(1),
    instructions: 'x',
    max_output_tokens: 4,
    tools: [{ type: 'function', name: 'weather', parameters }],
  },
  '/v1/messages': {
    model: 'chat',
    system: 'x',
    messages: [{ role: 'user', content: 'Hello' }],
    max_tokens: 4,
    tools: [{ name: 'weather', input_schema: parameters }],
  },
  '/v1/messages/count_tokens': { model: 'chat', messages: [{ role: 'user', content: 'Hello' }] },
  '/v1/embeddings': { model: 'minilm', input: ['a', 'b'], dimensions: 4, encoding_format: 'float' },
  '/v1/rerank': { model: 'minilm', query: 'a', documents: ['b', { text: 'c' }], top_n: 1 },
  '/api/chat': {
    model: 'chat',
    messages: [{ role: 'user', content: 'Hello' }],
    stream: false,
    format: schema,
    options: { num_predict: 4, temperature: 1, top_k: 5 },
  },
  '/api/generate': { model: 'chat', prompt: 'a', stream: true, options: { num_predict: 4 } },
  '/api/embed': { model: 'minilm', input: ['a'], truncate: true },
  '/api/embeddings': { model: 'minilm', prompt: 'a' },
  '/api/show': { model: 'chat', verbose: true },
};

test.each(Object.entries(bodies))(
  '%s',
  async (route, body) => {
    const mutants = new Mutants(route.length);
    const statuses = new Set<number>();
    for (let i = 0; i < fuzzSize(300); i++) {
      const changed = JSON.stringify(mutants.json(body));
      const sent = i % 8 === 0 ? mutants.text(changed) : changed;
      // A body without its limit may ask for a long answer, which the caller then leaves.
      const signal = AbortSignal.timeout(20_000);
      const response = await fetch(server.url + route, { method: 'POST', body: sent, signal });
      const text = await response.text();
      expect(response.status, `${sent} → ${text}`).toBeLessThan(500);
      statuses.add(response.status);
    }
    expect(server.errors).toEqual([]);
    expect([...statuses].some((status) => status >= 400)).toBe(true);
    const response = await fetch(server.url + route, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    await response.text();
    expect(response.status).toBeLessThan(500);
  },
  600_000,
);
