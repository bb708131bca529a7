// Calls of tools in the text of an answer. Each family of models writes them in its own way, and its chat template shows
// which.
import { AmbryError } from '../../base/errors.ts';
import type { Tool, ToolAnswer, ToolCall } from '../base/types.ts';

/** Longer texts and more calls are refused. */
const limits = { characters: 1 << 20, calls: 128 } as const;

interface ToolFamily {
  /** Whether a template is of this family. */
  readonly isOf: (template: string) => boolean;
  /** The member of a call that has its arguments. */
  readonly argumentsName: 'arguments' | 'parameters';
  readonly read: (text: string, family: ToolFamily) => ToolAnswer;
}

const families = {
  /** gpt-oss: each call is a message to a function, as channel-text.ts writes it. */
  harmony: {
    isOf: (template) => template.includes('<|channel|>') && template.includes('to=functions.'),
    argumentsName: 'arguments',
    read: readMessages,
  },
  /** Hermes and Qwen: each call is JSON between two tags, with text around them. */
  hermes: {
    isOf: (template) => template.includes('<tool_call>'),
    argumentsName: 'arguments',
    read: readTagged,
  },
  /** Mistral: a list of calls after a mark, which is a special token and may be missing from the text. */
  mistral: {
    isOf: (template) => template.includes('[TOOL_CALLS]'),
    argumentsName: 'arguments',
    read: readList,
  },
  /** Llama 3.1 and later: the whole answer is a call, or several with semicolons between them. */
  llama3: {
    isOf: (template) => template.includes('<|python_tag|>') || template.includes('"parameters"'),
    argumentsName: 'parameters',
    read: readObjects,
  },
} as const satisfies Record<string, ToolFamily>;

/** Throws `Unsupported` at `chatTemplate` if the template is of no family that is known. */
function familyOf(template: string | null): ToolFamily {
  const found = Object.values(families).find(({ isOf }) => isOf(template ?? ''));
  if (found) {
    return found;
  }
  const message =
    'The chat template shows no way of calling tools that is known: those of Llama 3, Hermes, Qwen, Mistral and gpt-oss are.';
  throw new AmbryError('Unsupported', message, { path: 'chatTemplate' });
}

/** As `Generator.parseToolCalls`. */
export function parseToolCalls(text: string, template: string | null): ToolAnswer {
  const family = familyOf(template);
  if (text.length > limits.characters) {
    const message = `The answer is longer than ${limits.characters} characters.`;
    throw new AmbryError('LimitExceeded', message, { path: 'toolCalls' });
  }
  return family.read(text, family);
}

/** As `Generator.toolCallSchema`. */
export function toolCallSchema(tools: readonly Tool[], template: string | null): object {
  const { argumentsName } = familyOf(template);
  if (tools.length === 0) {
    throw new AmbryError('BadValue', 'There must be a tool to call.', { path: 'tools' });
  }
  const calls = tools.map(({ function: { name, parameters = { type: 'object' } } }) => ({
    type: 'object',
    properties: { name: { const: name }, [argumentsName]: parameters },
    required: ['name', argumentsName],
    additionalProperties: false,
  }));
  return calls.length === 1 ? (calls[0] as object) : { anyOf: calls };
}

function readTagged(text: string, family: ToolFamily): ToolAnswer {
  const [begin, end] = ['<tool_call>', '</tool_call>'];
  const [before = '', ...parts] = text.split(begin);
  const texts = [before];
  const calls = parts.map((part, i) => {
    const at = part.indexOf(end);
    if (at < 0) {
      throw badCall(i, `There is no ${end} after it.`);
    }
    texts.push(part.slice(at + end.length));
    return readCall(parsedCall(part.slice(0, at), i), i, family);
  });
  return { text: texts.join('').trim(), calls: limited(calls) };
}

function readMessages(text: string): ToolAnswer {
  const message = /<\|channel\|>\w+ to=functions\.([\w.-]+)<\|message\|>(.*?)(?=<\|channel\|>|$)/gs;
  const calls = [...text.matchAll(message)].map(([, name = '', given = ''], i) => {
    const args = parsedCall(given, i);
    if (!isObject(args)) {
      throw badCall(i, 'Its arguments must be an object.');
    }
    return { name, arguments: args };
  });
  return { text: text.replace(message, '').trim(), calls: limited(calls) };
}

function readList(text: string, family: ToolFamily): ToolAnswer {
  const mark = '[TOOL_CALLS]';
  const at = text.indexOf(mark);
  const isList = at >= 0 || /^\s*\[\s*\{/.test(text);
  if (!isList) {
    return { text, calls: [] };
  }
  const list = parsedCall(text.slice(at < 0 ? 0 : at + mark.length), 0);
  if (!Array.isArray(list)) {
    throw badCall(0, 'The calls must be a list.');
  }
  const calls = limited(list).map((call, i) => readCall(call, i, family));
  return { text: at < 0 ? '' : text.slice(0, at).trim(), calls };
}

function readObjects(text: string, family: ToolFamily): ToolAnswer {
  const whole = text.replace(/^\s*<\|python_tag\|>/, '').trim();
  if (!whole.startsWith('{')) {
    return { text, calls: [] };
  }
  const parts = limited(objectsIn(whole));
  const calls = parts.map((part, i) => readCall(parsedCall(part, i), i, family));
  return { text: '', calls };
}

/** Cuts a text at the semicolons and line breaks that are not within an object. */
function objectsIn(text: string): string[] {
  const parts: string[] = [];
  let begin = 0;
  let depth = 0;
  let isString = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (isString) {
      if (c === '\\') {
        i++;
      } else if (c === '"') {
        isString = false;
      }
    } else if (c === '"') {
      isString = true;
    } else if (c === '{') {
      depth++;
    } else if (c === '}') {
      depth--;
    } else if (depth === 0 && (c === ';' || c === '\n')) {
      parts.push(text.slice(begin, i));
      begin = i + 1;
    }
  }
  parts.push(text.slice(begin));
  return parts.filter((part) => part.trim() !== '');
}

function parsedCall(text: string, index: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badCall(index, 'It is not JSON.');
  }
}

/** Some models write arguments as a text of JSON. */
function readCall(call: unknown, index: number, { argumentsName }: ToolFamily): ToolCall {
  if (!isObject(call) || typeof call.name !== 'string') {
    throw badCall(index, 'It must be an object with a name.');
  }
  const { name, id } = call;
  const other = argumentsName === 'arguments' ? 'parameters' : 'arguments';
  const given = call[argumentsName] ?? call[other] ?? {};
  const args = typeof given === 'string' ? parsedCall(given, index) : given;
  if (!isObject(args)) {
    throw badCall(index, 'Its arguments must be an object.');
  }
  return { name, arguments: args, ...(typeof id === 'string' && { id }) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function limited<T>(calls: readonly T[]): readonly T[] {
  if (calls.length <= limits.calls) {
    return calls;
  }
  const message = `The answer has more than ${limits.calls} calls.`;
  throw new AmbryError('LimitExceeded', message, { path: 'toolCalls' });
}

function badCall(index: number, message: string): AmbryError {
  return new AmbryError('BadValue', message, { path: `toolCalls[${index}]` });
}
