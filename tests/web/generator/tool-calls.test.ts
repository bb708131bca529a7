// Calls of tools in answers, as the models of each family write them.
import { describe, expect, test } from 'vitest';
import type { Tool } from '../../../web/src/entries/types.ts';
import { parseToolCalls, toolCallSchema } from '../../../web/src/generator/reply/tool-calls.ts';
import { languageFile } from '../support/files/language-file.ts';
import { openGenerator } from '../support/open-kinds.ts';

const hermes =
  '{% if tools %}<tools>{{ tools }}</tools> Answer within <tool_call></tool_call>.{% endif %}';
const mistral = "{% if message.tool_calls %}{{ '[TOOL_CALLS]' }}{% endif %}";
const llama = `{{ 'Respond with {"name": function name, "parameters": arguments}.' }}`;

const weather = { name: 'weather', arguments: { city: 'Oslo', days: [1, 2] } };
const time = { name: 'time', arguments: {} };

describe('the calls of Hermes and Qwen', () => {
  test('are between tags, with text around them', () => {
    const text = `Let me see.\n<tool_call>\n${JSON.stringify(weather)}\n</tool_call>\n<tool_call>${JSON.stringify(time)}</tool_call> `;
    expect(parseToolCalls(text, hermes)).toEqual({ text: 'Let me see.', calls: [weather, time] });
    expect(parseToolCalls('No call.', hermes)).toEqual({ text: 'No call.', calls: [] });
  });

  test('may have their arguments as text', () => {
    const text = `<tool_call>{"name": "time", "arguments": "{\\"zone\\": 1}"}</tool_call>`;
    expect(parseToolCalls(text, hermes).calls).toEqual([{ name: 'time', arguments: { zone: 1 } }]);
  });
});

describe('the calls of Mistral', () => {
  test('are a list, after a mark or without it', () => {
    const list = JSON.stringify([{ ...weather, id: 'abc123' }, time]);
    const calls = [{ ...weather, id: 'abc123' }, time];
    expect(parseToolCalls(`Well.[TOOL_CALLS]${list}`, mistral)).toEqual({ text: 'Well.', calls });
    expect(parseToolCalls(` ${list}`, mistral)).toEqual({ text: '', calls });
    expect(parseToolCalls('[1] is a note.', mistral)).toEqual({
      text: '[1] is a note.',
      calls: [],
    });
  });
});

describe('the calls of Llama 3', () => {
  test('are the whole answer', () => {
    const call = '{"name": "weather", "parameters": {"city": "Oslo", "days": [1, 2]}}';
    expect(parseToolCalls(call, llama)).toEqual({ text: '', calls: [weather] });
    const several = `<|python_tag|>${call}; {"name": "time;}", "parameters": {"a": "\\"};{"}}`;
    expect(parseToolCalls(several, llama).calls).toEqual([
      weather,
      { name: 'time;}', arguments: { a: '"};{' } },
    ]);
    expect(parseToolCalls('It is cold.', llama)).toEqual({ text: 'It is cold.', calls: [] });
  });
});

describe('a call that is not whole', () => {
  test.each([
    ['<tool_call>{"name": "a"}', hermes, 'toolCalls[0]'],
    ['<tool_call>{"name": "a"}</tool_call><tool_call>{"na</tool_call>', hermes, 'toolCalls[1]'],
    ['<tool_call>["a"]</tool_call>', hermes, 'toolCalls[0]'],
    ['<tool_call>{"name": 3}</tool_call>', hermes, 'toolCalls[0]'],
    ['<tool_call>{"name": "a", "arguments": [1]}</tool_call>', hermes, 'toolCalls[0]'],
    ['[TOOL_CALLS]{"name": "a"}', mistral, 'toolCalls[0]'],
    ['[{"name": "a"', mistral, 'toolCalls[0]'],
    ['{"name": "a", "parameters": {', llama, 'toolCalls[0]'],
  ])('%s is a typed error', (text, template, path) => {
    const error = expect.objectContaining({ name: 'AmbryError', code: 'BadValue', path });
    expect(() => parseToolCalls(text, template)).toThrow(error);
  });
});

test('other templates, too many calls and too long texts are typed errors', () => {
  const unsupported = expect.objectContaining({ code: 'Unsupported', path: 'chatTemplate' });
  expect(() => parseToolCalls('a', '{{ messages }}')).toThrow(unsupported);
  expect(() => parseToolCalls('a', null)).toThrow(unsupported);
  const limit = expect.objectContaining({ code: 'LimitExceeded', path: 'toolCalls' });
  const call = '<tool_call>{"name": "a"}</tool_call>';
  expect(parseToolCalls(call.repeat(128), hermes).calls).toHaveLength(128);
  expect(() => parseToolCalls(call.repeat(129), hermes)).toThrow(limit);
  expect(() => parseToolCalls(' '.repeat((1 << 20) + 1), hermes)).toThrow(limit);
});

describe('the schema of a call', () => {
  const parameters = { type: 'object', properties: { city: { type: 'string' } } };
  const tools: Tool[] = [
    { type: 'function', function: { name: 'weather', parameters } },
    { type: 'function', function: { name: 'time' } },
  ];

  test('has the members of the family', () => {
    expect(toolCallSchema(tools.slice(0, 1), llama)).toEqual({
      type: 'object',
      properties: { name: { const: 'weather' }, parameters },
      required: ['name', 'parameters'],
      additionalProperties: false,
    });
    expect(toolCallSchema(tools, hermes)).toMatchObject({
      anyOf: [{ required: ['name', 'arguments'] }, { properties: { name: { const: 'time' } } }],
    });
  });

  test('needs a tool', () => {
    const error = expect.objectContaining({ code: 'BadValue', path: 'tools' });
    expect(() => toolCallSchema([], llama)).toThrow(error);
  });
});

test('the tools of a conversation go to the template, and an answer can be a call of one', async () => {
  const template =
    'Call {% for tool in tools %}{{ tool.function.name }};{% endfor %} as "parameters".{{ messages[0].content }}';
  const parameters = {
    type: 'object',
    properties: { n: { type: 'integer', maximum: 9 } },
    required: ['n'],
  };
  const tools: Tool[] = [
    { type: 'function', function: { name: 'add', parameters } },
    { type: 'function', function: { name: 'drop', parameters } },
  ];
  await using model = await openGenerator(languageFile({ context: 512, template }));
  const messages = [{ role: 'user', content: 'Hi' }];
  const prompt = { messages, tools, toolChoice: 'required' } as const;
  const { promptIds, text, toolCalls } = await model.generate(prompt, { seed: 1, maxTokens: 400 })
    .result;
  expect(await model.detokenize(promptIds)).toBe('Call add;drop; as "parameters".Hi');
  expect(text).toBe('');
  expect(toolCalls).toHaveLength(1);
  expect(['add', 'drop']).toContain(toolCalls[0]?.name);
  expect(Number.isInteger(toolCalls[0]?.arguments.n)).toBe(true);
  const format = { schema: await model.toolCallSchema(tools) };
  const { parsed } = await model.generate('Hi', { format, seed: 1, maxTokens: 400 }).result;
  expect(['add', 'drop']).toContain((parsed as { readonly name: string }).name);
});
