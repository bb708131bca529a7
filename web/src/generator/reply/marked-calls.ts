// Calls that stand between marks, or in elements, as newer families write them.
import type { Tool, ToolAnswer, ToolCall } from '../base/types.ts';
import { badCall, isObject, limited, parsedCall, readCall, type ToolFamily } from './call-parts.ts';
import { WrittenValues } from './written-values.ts';

/** What begins calls, and what ends them. */
const pairs: Readonly<Record<string, string>> = {
  '<|tool_call_start|>': '<|tool_call_end|>',
  '<|tool_call>': '<tool_call|>',
  '<tool_call>': '</tool_call>',
  '<|tool_call|>': '<|/tool_call|>',
  '<TOOLCALL>': '</TOOLCALL>',
  '<tool_calls>': '</tool_calls>',
  '<|tools_prefix|>': '<|tools_suffix|>',
  '<|START_ACTION|>': '<|END_ACTION|>',
  '<function_calls>': '</function_calls>',
  '<function=': '</function>',
  '<｜tool▁call▁begin｜>': '<｜tool▁call▁end｜>',
};

/** Marks that may be special tokens, which the text of an answer has only if it is asked for. */
export const toolMarks: readonly string[] = [
  ...Object.entries(pairs).flat(),
  '<｜tool▁calls▁begin｜>',
  '<｜tool▁sep｜>',
  '<｜tool▁calls▁end｜>',
  '<|"|>',
  '[TOOL_CALLS]',
  '[CALL_ID]',
  '[ARGS]',
];

/** What begins a call in the ways that are known. */
export const callMarks = [...Object.keys(pairs), '[TOOL_CALLS]', '<|python_tag|>', '<|channel|>'];

/** The parts of a text between these marks, and the text around them. The last end may be missing. */
function between(text: string, begin: string): { readonly text: string; readonly parts: string[] } {
  const end = pairs[begin] ?? begin;
  const [before = '', ...parts] = text.split(begin);
  const texts = [before];
  const found = parts.map((part) => {
    const at = part.indexOf(end);
    texts.push(at < 0 ? '' : part.slice(at + end.length));
    return at < 0 ? part : part.slice(0, at);
  });
  return { text: texts.join('').trim(), parts: found };
}

function read(
  text: string,
  begin: string,
  callsOf: (part: string, index: number) => readonly ToolCall[],
): ToolAnswer {
  const found = between(text, begin);
  const calls: ToolCall[] = [];
  for (const part of limited(found.parts)) {
    calls.push(...callsOf(part, calls.length));
  }
  return { text: found.text, calls: limited(calls) };
}

/** `<|tool_call_start|>[weather(city='Oslo', days=[1, 2])]<|tool_call_end|>`, or a list of JSON. */
export function readPythonic(text: string, family: ToolFamily): ToolAnswer {
  const begin = '<|tool_call_start|>';
  return read(text, begin, (part, index) =>
    /^\s*\[\s*\{/.test(part)
      ? listed(part, index, family)
      : new WrittenValues(part, index).pythonCalls(),
  );
}

/** OLMo 3: calls as Python writes them, in lines of their own. */
export function readFunctionCalls(text: string): ToolAnswer {
  return read(text, '<function_calls>', (part, index) =>
    new WrittenValues(part, index).pythonCalls(),
  );
}

/** Functionary: `<function=weather>{"city": "Oslo"}</function>` */
export function readFunctions(text: string): ToolAnswer {
  return read(text, '<function=', (part, index) => {
    const [name, given] = cut(part, '>', index);
    return [callOf(name.trim(), given, index)];
  });
}

/** DeepSeek: `function<｜tool▁sep｜>weather`, then JSON as Markdown; newer ones begin with the name, and write JSON alone. */
export function readSeparated(text: string): ToolAnswer {
  const found = read(text, '<｜tool▁call▁begin｜>', (part, index) => {
    const [first, rest] = cut(part, '<｜tool▁sep｜>', index);
    const fence = '```json';
    if (!rest.includes(fence)) {
      return [callOf(first.trim(), rest, index)];
    }
    const [name, given] = cut(rest, fence, index);
    return [callOf(name.trim(), given.replace(/```\s*$/, ''), index)];
  });
  const [before = '', after = ''] = found.text.split('<｜tool▁calls▁begin｜>');
  return { ...found, text: (before + after.replace('<｜tool▁calls▁end｜>', '')).trim() };
}

function callOf(name: string, given: string, index: number): ToolCall {
  const args = parsedCall(given, index);
  if (name === '' || !isObject(args)) {
    throw badCall(index, 'It must have a name, and an object as its arguments.');
  }
  return { name, arguments: args };
}

/** `<|tool_call>call:weather{city:<|"|>Oslo<|"|>,days:[1,2]}<tool_call|>` */
export function readValues(text: string): ToolAnswer {
  return read(text, '<|tool_call>', (part, index) => [
    new WrittenValues(part, index).call(/^\s*call:([^\s{]+)/),
  ]);
}

/** `<tool_call><function=weather><parameter=city>\nOslo\n</parameter></function></tool_call>` */
export function readNamed(text: string, family: ToolFamily, tools: readonly Tool[]): ToolAnswer {
  return read(text, '<tool_call>', (part, index) => {
    if (isJson(part)) {
      return [readCall(parsedCall(part, index), index, family)];
    }
    const [whole, name = '', body = ''] =
      /^\s*<function=([^>\s]+)>(.*)<\/function>\s*$/s.exec(part) ?? [];
    if (whole === undefined) {
      throw badCall(index, 'There is no whole <function=…> element in it.');
    }
    const given = body.split('<parameter=').slice(1);
    const members = given.map((element) => {
      const [key = '', value] = cut(element, '>', index);
      const [text = ''] = cut(value, '</parameter>', index);
      return [key, text.replace(/^\n|\n$/g, '')] as const;
    });
    return [{ name, arguments: typed(name, members, tools) }];
  });
}

/** `<tool_call>weather\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n</tool_call>` */
export function readKeyed(text: string, family: ToolFamily, tools: readonly Tool[]): ToolAnswer {
  return read(text, '<tool_call>', (part, index) => {
    if (isJson(part)) {
      return [readCall(parsedCall(part, index), index, family)];
    }
    const [, name = ''] = /^\s*([^\s<]+)/.exec(part) ?? [];
    if (name === '') {
      throw badCall(index, 'It must begin with a name.');
    }
    const given = part.split('<arg_key>').slice(1);
    const members = given.map((element) => {
      const [key = '', rest] = cut(element, '</arg_key>', index);
      const [, value] = cut(rest, '<arg_value>', index);
      return [key.trim(), cut(value, '</arg_value>', index)[0]] as const;
    });
    return [{ name, arguments: typed(name, members, tools) }];
  });
}

/** A list of calls as JSON after a mark. */
export function readLists(text: string, family: ToolFamily): ToolAnswer {
  const marks = [
    '<|tool_call|>',
    '<TOOLCALL>',
    '<tool_calls>',
    '<|tools_prefix|>',
    '<|START_ACTION|>',
  ];
  const begin = marks.find((mark) => text.includes(mark));
  if (begin === undefined) {
    return { text, calls: [] };
  }
  return read(text, begin, (part, index) => listed(part, index, family));
}

/** What stands before and after a mark. */
function cut(text: string, mark: string, index: number): readonly [string, string] {
  const at = text.indexOf(mark);
  if (at < 0) {
    throw badCall(index, `There is no ${mark} where one must be.`);
  }
  return [text.slice(0, at), text.slice(at + mark.length)];
}

/** Models that know the older form write it, too. */
const isJson = (part: string) => part.trimStart().startsWith('{');

function listed(text: string, index: number, family: ToolFamily): readonly ToolCall[] {
  // MiniMax writes an object in each line in place of a list.
  const isList = text.trimStart().startsWith('[');
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const list = isList ? parsedCall(text, index) : lines.map((line) => parsedCall(line, index));
  if (!Array.isArray(list)) {
    throw badCall(index, 'The calls must be a list.');
  }
  return limited(list).map((call, i) => readCall(namedCall(call), index + i, family));
}

/** Apertus writes `{"weather": {…}}`, and Command R7B the name as `tool_name`. */
function namedCall(call: unknown): unknown {
  if (isObject(call) && 'tool_name' in call) {
    return { name: call.tool_name, arguments: call.parameters };
  }
  const members = isObject(call) && !('name' in call) ? Object.entries(call) : [];
  const [first] = members;
  return members.length === 1 && first ? { name: first[0], arguments: first[1] } : call;
}

/** What is no text, by the tool's schema or because it is JSON. */
function typed(
  name: string,
  given: readonly (readonly [string, string])[],
  tools: readonly Tool[],
): Record<string, unknown> {
  const parameters = tools.find((tool) => tool.function.name === name)?.function.parameters;
  const properties = isObject(parameters) ? parameters.properties : undefined;
  const typedValue = (key: string, text: string) => {
    const schema = isObject(properties) ? properties[key] : undefined;
    return isObject(schema) && schema.type === 'string' ? text : jsonOr(text);
  };
  return Object.fromEntries(given.map(([key, text]) => [key, typedValue(key, text)]));
}

/** Python's names of three values count, too. */
function jsonOr(text: string): unknown {
  const names: Readonly<Record<string, unknown>> = { True: true, False: false, None: null };
  const word = text.trim();
  if (Object.hasOwn(names, word)) {
    return names[word];
  }
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? text : value;
  } catch {
    return text;
  }
}
