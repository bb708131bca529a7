// /v1/responses with OpenAI's own client.
import OpenAI from 'openai';
import type { ResponseInput } from 'openai/resources/responses/responses';
import { describe, expect, test } from 'vitest';
import { forAllTests } from '../../../tests/web/support/for-all-tests.ts';
import { openChat } from '../../../tests/web/support/models/small-models.ts';
import { call, lastAnswer, openThinker, openToolUser, thought } from './support/chain-models.ts';
import { ownAnswer, post, testServer } from './support/test-server.ts';

const model = await forAllTests(openChat());
const server = await forAllTests(
  testServer({ chat: model, tools: openToolUser, thinker: openThinker }),
);
const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none', maxRetries: 0 });
const parameters = { type: 'object', properties: { city: { type: 'string' } } };
const weather = { type: 'function' as const, name: call.name, parameters, strict: false };
const input = 'Weather?';

describe('an answer', () => {
  test('is that of the library, with its usage', async () => {
    const own = await ownAnswer(model, input, { maxTokens: 8, temperature: 0 });
    const response = await client.responses.create({
      model: 'chat',
      input,
      max_output_tokens: 8,
      temperature: 0,
    });
    expect(response).toMatchObject({ object: 'response', model: 'chat', output_text: own.text });
    expect(response.status).toBe(own.stoppedBy === 'length' ? 'incomplete' : 'completed');
    expect(response.output.at(-1)).toMatchObject({ status: response.status });
    expect(response.incomplete_details).toEqual(
      own.stoppedBy === 'length' ? { reason: 'max_output_tokens' } : null,
    );
    expect(response.usage).toMatchObject({
      input_tokens: own.promptIds.length,
      output_tokens: own.ids.length,
    });
  });

  test('is streamed as the events that the client puts together', async () => {
    const stream = client.responses.stream({ model: 'thinker', input });
    const types: string[] = [];
    const numbers: number[] = [];
    for await (const event of stream) {
      types.push(event.type);
      numbers.push(event.sequence_number);
    }
    const final = await stream.finalResponse();
    expect(final.output_text).toBe('Yes.');
    expect(final.output[0]).toMatchObject({
      type: 'reasoning',
      content: [{ type: 'reasoning_text', text: thought }],
    });
    expect(numbers).toEqual(numbers.map((_, i) => i));
    expect(types.slice(0, 4)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
    ]);
    expect(types.slice(-4)).toEqual([
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
  });

  test('keeps to a schema', async () => {
    const schema = {
      type: 'object',
      properties: { ok: { type: 'boolean' } },
      required: ['ok'],
      additionalProperties: false,
    };
    const response = await client.responses.parse({
      model: 'chat',
      input,
      text: { format: { type: 'json_schema', name: 'answer', schema, strict: true } },
    });
    expect(JSON.parse(response.output_text)).toEqual({ ok: expect.any(Boolean) });
  });

  test('can be one without thinking', async () => {
    const response = await client.responses.create({
      model: 'thinker',
      input: [{ role: 'user', content: [{ type: 'input_text', text: 'Hi' }] }],
      reasoning: { effort: 'none' },
    });
    expect(response.output_text).toBe('No');
    expect(response.output.map(({ type }) => type)).toEqual(['message']);
  });
});

describe('a loop over tools', () => {
  const result = (call_id: string) => ({
    type: 'function_call_output' as const,
    call_id,
    output: 'sun',
  });
  const begin = async (more: object = {}) => {
    const first = await client.responses.create({
      model: 'tools',
      input,
      tools: [weather],
      ...more,
    });
    const [made] = first.output;
    expect(made).toMatchObject({
      type: 'function_call',
      name: call.name,
      arguments: JSON.stringify(call.arguments),
    });
    return { first, made: made as OpenAI.Responses.ResponseFunctionToolCall };
  };

  test('sends all items again', async () => {
    const { first, made } = await begin();
    const items = [
      { role: 'user', content: input },
      ...first.output,
      result(made.call_id),
    ] as ResponseInput;
    const last = await client.responses.create({ model: 'tools', input: items, tools: [weather] });
    expect(last.output_text).toBe(lastAnswer);
  });

  test('names the answer before it', async () => {
    const { first, made } = await begin();
    const last = await client.responses.create({
      model: 'tools',
      previous_response_id: first.id,
      input: [result(made.call_id)],
    });
    expect(last.output_text).toBe(lastAnswer);
  });

  test('names items of the answer before it, as the AI SDK does', async () => {
    const { made } = await begin();
    const items = [
      { role: 'user', content: input },
      { type: 'item_reference', id: made.id },
      result(made.call_id),
    ] as ResponseInput;
    const last = await client.responses.create({ model: 'tools', input: items });
    expect(last.output_text).toBe(lastAnswer);
  });

  test('cannot name what was not kept', async () => {
    const { first } = await begin({ store: false });
    const unknown = client.responses.create({
      model: 'tools',
      input,
      previous_response_id: first.id,
    });
    await expect(unknown).rejects.toMatchObject({ status: 400, param: 'previous_response_id' });
  });

  test('is streamed', async () => {
    const stream = client.responses.stream({ model: 'tools', input, tools: [weather] });
    const args: string[] = [];
    stream.on('response.function_call_arguments.delta', ({ delta }) => args.push(delta));
    const { output } = await stream.finalResponse();
    expect(args.join('')).toBe(JSON.stringify(call.arguments));
    expect(output).toMatchObject([{ type: 'function_call', name: call.name }]);
  });
});

test.each([
  [{ tools: [{ type: 'web_search' }] }, 'tools[0].type'],
  [{ background: true }, 'background'],
  [{ conversation: 'conv_1' }, 'conversation'],
  [{ input: [{ type: 'item_reference', id: 'msg_1' }] }, 'input[0].id'],
  [{ input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'x' }] }] }, 'input'],
])('%j is a bad request', async (more, param) => {
  const response = await post(`${server.url}/v1/responses`, { model: 'chat', input, ...more });
  expect(response.status).toBe(400);
  expect((await response.json()).error.param).toContain(param);
});
