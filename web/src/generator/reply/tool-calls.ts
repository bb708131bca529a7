// Calls of tools in the text of an answer. Each family of models writes them in its own way, and its chat template shows
// which.
import { AmbryError } from '../../base/errors.ts';
import type { Tool, ToolAnswer, ToolCall } from '../base/types.ts';
import {
  badCall,
  isObject,
  limited,
  limits,
  parsedCall,
  readCall,
  type ToolFamily,
} from './call-parts.ts';
import {
  readFunctionCalls,
  readFunctions,
  readKeyed,
  readLists,
  readNamed,
  readPythonic,
  readSeparated,
  readValues,
} from './marked-calls.ts';

/** Families whose calls stand within marks of their own, by one that their templates have. */
const byMark = (mark: string, read: ToolFamily['read']) =>
  ({
    isOf: (template) => template.includes(mark),
    argumentsName: 'arguments',
    read,
  }) satisfies ToolFamily;

const families = {
  /** gpt-oss: each call is a message to a function, as channel-text.ts writes it. */
  harmony: {
    isOf: (template) => template.includes('<|channel|>') && template.includes('to=functions.'),
    argumentsName: 'arguments',
    read: readMessages,
  },
  /** LFM2: a list of calls as Python writes them. */
  lfm2: byMark('<|tool_call_start|>', readPythonic),
  /** The first LFM2, whose template shows only the list of tools. */
  lfm2First: byMark('<|tool_list_start|>', readPythonic),
  /** Gemma 4: a name and arguments whose texts stand between marks. */
  gemma4: byMark('<|tool_call>', readValues),
  /** Qwen3.5, Qwen3-Coder and Nemotron 3: an element for each argument. */
  qwen35: byMark('<parameter=', readNamed),
  /** GLM 4: the keys and the values of arguments are elements. */
  glm: byMark('<arg_key>', readKeyed),
  /** Granite 3, Phi 4, Nemotron 2, Apriel, MiniMax and Apertus: a list of calls. */
  granite3: byMark('<|tool_call|>', readLists),
  nemotron2: byMark('<TOOLCALL>', readLists),
  apriel: byMark('<tool_calls>', readLists),
  apertus: byMark('<|tools_prefix|>', readLists),
  /** Command R7B. */
  commandR7b: byMark('<|START_ACTION|>', readLists),
  /** OLMo 3. */
  olmo3: byMark('<function_calls>', readFunctionCalls),
  /** Functionary. */
  functionary: byMark("'<function=", readFunctions),
  /** DeepSeek, and models that were distilled from it. */
  deepSeek: byMark('<｜tool▁call▁begin｜>', readSeparated),
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
    'The chat template shows no way of calling tools that is known: those of Llama 3, Hermes, Qwen, Mistral, gpt-oss, LFM2, Gemma 4, GLM 4, Granite, Nemotron, Apriel, Apertus, Command R7B, OLMo 3, Functionary and DeepSeek are.';
  throw new AmbryError('Unsupported', message, { path: 'chatTemplate' });
}

/** As `Generator.parseToolCalls`. */
export function parseToolCalls(
  text: string,
  template: string | null,
  tools: readonly Tool[] = [],
): ToolAnswer {
  const family = familyOf(template);
  if (text.length > limits.characters) {
    const message = `The answer is longer than ${limits.characters} characters.`;
    throw new AmbryError('LimitExceeded', message, { path: 'toolCalls' });
  }
  return family.read(text, family, tools);
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

/** Newer ones write each call by itself, with its name before its arguments. */
function readList(text: string, family: ToolFamily): ToolAnswer {
  const mark = '[TOOL_CALLS]';
  const at = text.indexOf(mark);
  if (at >= 0 && text.includes('[ARGS]')) {
    const calls = limited(text.slice(at + mark.length).split(mark)).map(readSeparate);
    return { text: text.slice(0, at).trim(), calls };
  }
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

function readSeparate(text: string, index: number): ToolCall {
  const [, name = '', id, given = ''] =
    /^\s*([^\s[{]+)(?:\[CALL_ID\]([^\s[]*))?\[ARGS\](.*)$/s.exec(text) ?? [];
  if (name === '') {
    throw badCall(index, 'It must have a name before [ARGS].');
  }
  const args = parsedCall(given, index);
  if (!isObject(args)) {
    throw badCall(index, 'Its arguments must be an object.');
  }
  return { name, arguments: args, ...(id && { id }) };
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
