// /v1/messages, by the requests and events that Anthropic documents.
import { describe, expect, test } from 'vitest';
import { forAllTests } from '../../../tests/web/support/for-all-tests.ts';
import { openChat } from '../../../tests/web/support/models/small-models.ts';
import { call, lastAnswer, openThinker, openToolUser, thought } from './support/chain-models.ts';
import { ownAnswer, post, testServer } from './support/test-server.ts';

const model = await forAllTests(openChat());
const server = await forAllTests(
  testServer({ chat: model, tools: openToolUser, thinker: openThinker }),
);
const messages = [{ role: 'user', content: 'Weather?' }];
const input_schema = { type: 'object', properties: { city: { type: 'string' } } };
const tools = [{ name: call.name, description: 'The weather.', input_schema }];

const ask = async (body: object) => {
  const response = await post(`${server.url}/v1/messages`, { max_tokens: 100, messages, ...body });
  return { status: response.status, body: await response.json() };
};

interface StreamEvent {
  readonly type: string;
  readonly [key: string]: unknown;
}

async function eventsOf(body: object): Promise<StreamEvent[]> {
  const url = `${server.url}/v1/messages`;
  const response = await post(url, { max_tokens: 100, messages, stream: true, ...body });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const blocks = (await response.text()).trimEnd().split('\n\n');
  return blocks.map((block) => {
    const [, name, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
    const event = JSON.parse(data ?? '') as StreamEvent;
    expect(event.type).toBe(name);
    return event;
  });
}

describe('an answer', () => {
  test('is that of the library, with its usage', async () => {
    const own = await ownAnswer(model, 'Weather?', { maxTokens: 8, temperature: 0 });
    const { body } = await ask({ model: 'chat', max_tokens: 8, temperature: 0 });
    expect(body).toMatchObject({
      id: expect.stringMatching(/^msg_/),
      type: 'message',
      role: 'assistant',
      content: own.text === '' ? [] : [{ type: 'text', text: own.text }],
      stop_reason: own.stoppedBy === 'length' ? 'max_tokens' : 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: own.promptIds.length, output_tokens: own.ids.length },
    });
  });

  test('ends at a stop text, which it names', async () => {
    const { body } = await ask({
      model: 'thinker',
      stop_sequences: ['.</'],
      thinking: { type: 'disabled' },
    });
    expect(body).toMatchObject({ stop_reason: 'end_turn' });
    const { body: stopped } = await ask({ model: 'tools', stop_sequences: ['</tool'] });
    expect(stopped).toMatchObject({ stop_reason: 'stop_sequence', stop_sequence: '</tool' });
  });

  test('has its thinking in a block of its own', async () => {
    const { body } = await ask({
      model: 'thinker',
      thinking: { type: 'enabled', budget_tokens: 1024 },
    });
    expect(body.content).toEqual([
      { type: 'thinking', thinking: thought, signature: '' },
      { type: 'text', text: 'Yes.' },
    ]);
    const { body: other } = await ask({ model: 'thinker', thinking: { type: 'disabled' } });
    expect(other.content).toEqual([{ type: 'text', text: 'No' }]);
  });

  test('keeps to a schema', async () => {
    const schema = { type: 'object', properties: { ok: { const: true } }, required: ['ok'] };
    const format = { type: 'json_schema', schema };
    const { body } = await ask({ model: 'chat', output_config: { format }, max_tokens: 500 });
    expect(JSON.parse(body.content[0].text)).toMatchObject({ ok: true });
  });

  test('is streamed block by block', async () => {
    const events = await eventsOf({ model: 'thinker' });
    const begin = (index: number, content_block: object) => ({
      type: 'content_block_start',
      index,
      content_block,
    });
    const kinds = events.map(({ type }) => type);
    expect(events[0]).toMatchObject({
      message: { role: 'assistant', content: [], stop_reason: null },
    });
    expect(events.filter(({ type }) => type === 'content_block_start')).toEqual([
      begin(0, { type: 'thinking', thinking: '', signature: '' }),
      begin(1, { type: 'text', text: '' }),
    ]);
    const deltas = events.filter(({ type }) => type === 'content_block_delta');
    const text = (index: number, field: string) =>
      deltas
        .filter((event) => event['index'] === index)
        .map((event) => (event['delta'] as Record<string, string>)[field] ?? '')
        .join('');
    expect(text(0, 'thinking')).toBe(thought);
    expect(text(1, 'text')).toBe('Yes.');
    expect(kinds.filter((kind) => kind === 'content_block_stop')).toHaveLength(2);
    expect(kinds.slice(-2)).toEqual(['message_delta', 'message_stop']);
    expect(events.at(-2)).toMatchObject({
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: 8, input_tokens: expect.any(Number) },
    });
  });
});

describe('a loop over tools', () => {
  const made = { type: 'tool_use', id: 'toolu_1', name: call.name, input: call.arguments };

  test('gives the call, and takes its result back', async () => {
    const { body } = await ask({ model: 'tools', tools });
    expect(body.stop_reason).toBe('tool_use');
    expect(body.content).toEqual([{ ...made, id: expect.stringMatching(/^toolu_/) }]);
    const result = { type: 'tool_result', tool_use_id: body.content[0].id, content: 'sun' };
    const sent = [
      ...messages,
      { role: 'assistant', content: body.content },
      { role: 'user', content: [{ ...result, cache_control: { type: 'ephemeral' } }] },
    ];
    const { body: last } = await ask({
      model: 'tools',
      tools,
      messages: sent,
      system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
    });
    expect(last.content).toEqual([{ type: 'text', text: lastAnswer }]);
  });

  test('is streamed with the arguments as JSON', async () => {
    const events = await eventsOf({ model: 'tools', tools });
    expect(events.map(({ type }) => type)).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
    expect(events[1]?.['content_block']).toEqual({ ...made, id: expect.any(String), input: {} });
    expect(events[2]?.['delta']).toEqual({
      type: 'input_json_delta',
      partial_json: JSON.stringify(call.arguments),
    });
    expect(events[4]).toMatchObject({ delta: { stop_reason: 'tool_use' } });
  });

  test('takes thinking back, and several results before a text', async () => {
    const { status } = await ask({
      model: 'tools',
      tools,
      tool_choice: { type: 'none' },
      messages: [
        ...messages,
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm.', signature: 'x' },
            { type: 'redacted_thinking', data: 'x' },
            { type: 'text', text: 'Well.' },
            made,
            { ...made, id: 'toolu_2' },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: 'a' }] },
            { type: 'tool_result', tool_use_id: 'toolu_2', is_error: true },
            { type: 'text', text: 'And?' },
          ],
        },
      ],
    });
    expect(status).toBe(200);
  });
});

test('the tokens of a request are counted as the model reads them', async () => {
  const body = { model: 'tools', messages, tools };
  const counted = await post(`${server.url}/v1/messages/count_tokens`, body);
  const { body: answer } = await ask(body);
  expect(await counted.json()).toEqual({ input_tokens: answer.usage.input_tokens });
});

describe('a bad request', () => {
  test.each([
    [{ model: 'other' }, 404, 'not_found_error', 'model'],
    [{ messages: [] }, 400, 'invalid_request_error', 'messages'],
    [
      { messages: [{ role: 'user', content: [{ type: 'image', source: {} }] }] },
      400,
      'invalid_request_error',
      'messages[0].content[0].type',
    ],
    [
      { messages: [{ role: 'assistant', content: [{ type: 'tool_result', tool_use_id: 'a' }] }] },
      400,
      'invalid_request_error',
      'messages[0].content[0].type',
    ],
    [
      { tools: [{ type: 'bash_20250124', name: 'bash', input_schema: {} }] },
      400,
      'invalid_request_error',
      'tools[0].type',
    ],
  ])('%j has Anthropic’s form', async (more, status, type, place) => {
    const { status: own, body } = await ask({ model: 'chat', ...more });
    expect(own).toBe(status);
    expect(body).toMatchObject({ type: 'error', error: { type } });
    expect(body.error.message).toContain(place);
  });

  test('without the key is refused, and with it in Anthropic’s header is not', async () => {
    await using closed = await testServer({ chat: model }, { apiKey: 'secret' });
    const url = `${closed.url}/v1/messages`;
    const body = { model: 'chat', max_tokens: 1, messages };
    const refused = await post(url, body);
    expect(refused.status).toBe(401);
    expect((await refused.json()).error.type).toBe('authentication_error');
    expect((await post(url, body, { 'x-api-key': 'secret' })).status).toBe(200);
    expect((await post(url, body, { 'x-api-key': 'other' })).status).toBe(401);
  });
});
