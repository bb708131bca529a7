// Calls of tools as newer families write them, each beside what its template shows.
import { describe, expect, test } from 'vitest';
import type { Tool } from '../../../../web/src/entries/types.ts';
import { HeldText } from '../../../../web/src/generator/reply/held-text.ts';
import { parseToolCalls } from '../../../../web/src/generator/reply/tool-calls.ts';

const weather = { name: 'weather', arguments: { city: 'Oslo', days: [1, 2] } };
const time = { name: 'time', arguments: {} };

const lfm2 = "{{ '<|tool_call_start|>[' }}";
const gemma4 = "{{ '<|tool_call>call:' }}";
const qwen35 = '<tool_call>\n<function=f>\n<parameter=p>';
const glm = '<tool_call>{function-name}\n<arg_key>{arg-key-1}</arg_key>';

describe('the calls of LFM2', () => {
  test('are a list as Python writes it, with text around it', () => {
    const text = `Well. <|tool_call_start|>[weather(city='Oslo', days=[1, 2]), time()]<|tool_call_end|> So.`;
    expect(parseToolCalls(text, lfm2)).toEqual({ text: 'Well.  So.', calls: [weather, time] });
    expect(parseToolCalls('[1] is a note.', lfm2)).toEqual({ text: '[1] is a note.', calls: [] });
  });

  test('may have every kind of value', () => {
    const values = String.raw`a=True, b=None, c=-1.5e3, d={'k': "v", 2: (1, 2,)}, e=" it\'s\n\u00e9\x41 ", f=1_000, g={"h": false}`;
    const { calls } = parseToolCalls(`<|tool_call_start|>[f.g(${values},)]<|tool_call_end|>`, lfm2);
    expect(calls).toEqual([
      {
        name: 'f.g',
        arguments: {
          a: true,
          b: null,
          c: -1500,
          d: { k: 'v', 2: [1, 2] },
          e: " it's\néA ",
          f: 1000,
          g: { h: false },
        },
      },
    ]);
  });

  test('may be JSON, stand without brackets, or be cut after their end', () => {
    const json = `<|tool_call_start|>[${JSON.stringify(weather)}]<|tool_call_end|>`;
    expect(parseToolCalls(json, lfm2).calls).toEqual([weather]);
    expect(parseToolCalls('<|tool_call_start|>time()', lfm2).calls).toEqual([time]);
  });

  test('with names of members of objects are plain', () => {
    const { calls } = parseToolCalls("<|tool_call_start|>[f(__proto__='x')]", lfm2);
    expect(Object.keys(calls[0]?.arguments ?? {})).toEqual(['__proto__']);
  });
});

test('the calls of Gemma 4 have texts between marks, and keys without quotes', () => {
  const text =
    'Hm.<|tool_call>call:weather{city:<|"|>Oslo<|"|>,days:[1,2]}<tool_call|><|tool_call>call:time{}<tool_call|>';
  expect(parseToolCalls(text, gemma4)).toEqual({ text: 'Hm.', calls: [weather, time] });
  const deep = '<|tool_call>call:f{a:{b:<|"|>{"c": [1]}\n<|"|>,d:null},e:true}<tool_call|>';
  expect(parseToolCalls(deep, gemma4).calls[0]?.arguments).toEqual({
    a: { b: '{"c": [1]}\n', d: null },
    e: true,
  });
});

describe('the calls of Qwen3.5', () => {
  const text =
    'So.\n\n<tool_call>\n<function=weather>\n<parameter=city>\nOslo\n</parameter>\n<parameter=days>\n[1, 2]\n</parameter>\n</function>\n</tool_call>\n<tool_call>\n<function=time>\n</function>\n</tool_call>';

  test('have an element for each argument', () => {
    expect(parseToolCalls(text, qwen35)).toEqual({ text: 'So.', calls: [weather, time] });
  });

  test('keep texts that look like numbers where the tool wants a text', () => {
    const call =
      '<tool_call><function=f><parameter=a>\n12\n</parameter><parameter=b>12</parameter><parameter=c>\nx\n\ny\n</parameter></function></tool_call>';
    const properties = { a: { type: 'string' }, b: { type: 'integer' } };
    const tools: Tool[] = [
      { type: 'function', function: { name: 'f', parameters: { type: 'object', properties } } },
    ];
    expect(parseToolCalls(call, qwen35, tools).calls[0]?.arguments).toEqual({
      a: '12',
      b: 12,
      c: 'x\n\ny',
    });
  });

  test('may be JSON as before', () => {
    const json = `<tool_call>${JSON.stringify(weather)}</tool_call>`;
    expect(parseToolCalls(json, qwen35).calls).toEqual([weather]);
  });
});

test('the calls of GLM 4 have keys and values', () => {
  const text =
    '\n<tool_call>weather\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n<arg_key>days</arg_key>\n<arg_value>[1, 2]</arg_value>\n</tool_call><tool_call>time\n</tool_call>';
  expect(parseToolCalls(text, glm)).toEqual({ text: '', calls: [weather, time] });
});

test.each([
  ['<|tool_call|>', ''],
  ['<|tool_call|>', '<|/tool_call|>'],
  ['<|START_ACTION|>', '<|END_ACTION|>'],
  ['<TOOLCALL>', '</TOOLCALL>'],
  ['<tool_calls>', '</tool_calls>'],
])('calls after %s are a list', (begin, end) => {
  const text = `Well.${begin}${JSON.stringify([weather, time])}${end}`;
  expect(parseToolCalls(text, begin)).toEqual({ text: 'Well.', calls: [weather, time] });
  expect(parseToolCalls('Well.', begin)).toEqual({ text: 'Well.', calls: [] });
});

test('Apertus writes the name as a key, and MiniMax a call in each line', () => {
  const apertus = '<|tools_prefix|>[{"weather": {"city": "Oslo", "days": [1, 2]}}]<|tools_suffix|>';
  expect(parseToolCalls(apertus, '<|tools_prefix|>').calls).toEqual([weather]);
  const lines = `<tool_calls>\n${JSON.stringify(weather)}\n${JSON.stringify(time)}\n</tool_calls>`;
  expect(parseToolCalls(lines, '<tool_calls>').calls).toEqual([weather, time]);
});

test('Command R7B names a call otherwise', () => {
  const list = [{ tool_call_id: '0', tool_name: 'weather', parameters: weather.arguments }];
  const text = `<|START_ACTION|>${JSON.stringify(list)}<|END_ACTION|>`;
  expect(parseToolCalls(text, '<|START_ACTION|>').calls).toEqual([weather]);
});

test('OLMo 3 writes calls in lines', () => {
  const text = '<function_calls>\nweather(city="Oslo", days=[1, 2])\ntime()\n</function_calls>';
  expect(parseToolCalls(text, '<function_calls>')).toEqual({ text: '', calls: [weather, time] });
});

test('Functionary writes the name into the mark', () => {
  const text = `Hm.<function=weather>${JSON.stringify(weather.arguments)}</function>`;
  expect(parseToolCalls(text, "{{ '<function=' + name }}")).toEqual({
    text: 'Hm.',
    calls: [weather],
  });
});

test('DeepSeek separates name and arguments, in two ways', () => {
  const deepSeek = '<｜tool▁call▁begin｜>';
  const given = JSON.stringify(weather.arguments);
  const older = `Hm.<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>weather\n\`\`\`json\n${given}\n\`\`\`<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>time\n\`\`\`json\n{}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`;
  expect(parseToolCalls(older, deepSeek)).toEqual({ text: 'Hm.', calls: [weather, time] });
  const newer = `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>weather<｜tool▁sep｜>${given}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`;
  expect(parseToolCalls(newer, deepSeek)).toEqual({ text: '', calls: [weather] });
});

test('Ministral 3 writes the name before the arguments', () => {
  const mistral = "{{ '[TOOL_CALLS]' + name + '[ARGS]' + arguments }}";
  const text =
    'Hm.[TOOL_CALLS]weather[ARGS]{"city": "Oslo", "days": [1, 2]}[TOOL_CALLS]time[CALL_ID]abcdefghi[ARGS]{}';
  expect(parseToolCalls(text, mistral)).toEqual({
    text: 'Hm.',
    calls: [weather, { ...time, id: 'abcdefghi' }],
  });
});

describe('a call that is not whole', () => {
  test.each([
    ['<|tool_call_start|>[f(a=1', lfm2, 'toolCalls[0]'],
    ["<|tool_call_start|>[f(a='x)]<|tool_call_end|>", lfm2, 'toolCalls[0]'],
    ['<|tool_call_start|>[f(a=b)]<|tool_call_end|>', lfm2, 'toolCalls[0]'],
    ['<|tool_call_start|>[f(a=1) g()]<|tool_call_end|>', lfm2, 'toolCalls[0]'],
    ['<|tool_call_start|>[f("a")]<|tool_call_end|>', lfm2, 'toolCalls[0]'],
    ["<|tool_call_start|>[f(a='\\uZZZZ')]<|tool_call_end|>", lfm2, 'toolCalls[0]'],
    [`<|tool_call_start|>[f(a=${'['.repeat(100)}`, lfm2, 'toolCalls[0]'],
    ['<|tool_call>call:f{a:1}<tool_call|><|tool_call>f{}<tool_call|>', gemma4, 'toolCalls[1]'],
    ['<|tool_call>call:f{a:<|"|>b}<tool_call|>', gemma4, 'toolCalls[0]'],
    ['<|tool_call>call:f[1]<tool_call|>', gemma4, 'toolCalls[0]'],
    ['<tool_call><function=f><parameter=a>1', qwen35, 'toolCalls[0]'],
    ['<tool_call>\n<arg_key>a</arg_key></tool_call>', glm, 'toolCalls[0]'],
    ['<tool_call><function=f><parameter=a>1</function>', qwen35, 'toolCalls[0]'],
    ['<tool_call>f<arg_key>a</arg_key></tool_call>', glm, 'toolCalls[0]'],
    ['<TOOLCALL>{"name": 3}</TOOLCALL>', '<TOOLCALL>', 'toolCalls[0]'],
    ['[TOOL_CALLS]f[ARGS][1]', '[TOOL_CALLS]', 'toolCalls[0]'],
    ['<function=f>[1]</function>', "'<function=", 'toolCalls[0]'],
    ['<｜tool▁call▁begin｜>f', '<｜tool▁call▁begin｜>', 'toolCalls[0]'],
    ['[TOOL_CALLS][ARGS]{}', '[TOOL_CALLS]', 'toolCalls[0]'],
  ])('%s is a typed error', (text, template, path) => {
    const error = expect.objectContaining({ name: 'AmbryError', code: 'BadValue', path });
    expect(() => parseToolCalls(text, template)).toThrow(error);
  });
});

test('more calls than are supported are a typed error', () => {
  const calls = Array.from({ length: 129 }, () => 'f()').join(', ');
  const limit = expect.objectContaining({ code: 'LimitExceeded', path: 'toolCalls' });
  expect(() => parseToolCalls(`<|tool_call_start|>[${calls}]`, lfm2)).toThrow(limit);
});

test.each([
  '<|tool_call_start|>',
  '<|tool_call>',
  '<TOOLCALL>',
  '<tool_calls>',
])('text is held back from %s on', (mark) => {
  const held = new HeldText();
  expect(held.add(`Well. ${mark.slice(0, 4)}`)).toBe('Well.');
  expect(held.add(`${mark.slice(4)}f`)).toBe('');
  expect(held.isHolding).toBe(true);
});

test.each([
  ['<parameter=a', qwen35],
  ['<arg_key>a', glm],
  ['<tool_call>', glm],
  ['(', lfm2],
])('a long text of %s is read in no time', (piece, template) => {
  const begin = template === lfm2 ? '<|tool_call_start|>f' : '<tool_call>f';
  const text = begin + piece.repeat(Math.floor(1_000_000 / piece.length));
  expect(() => parseToolCalls(text, template)).toThrow();
});
