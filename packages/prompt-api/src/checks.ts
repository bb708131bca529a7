// What is given, checked. What a model cannot do is a `NotSupportedError`, and what is no prompt a `TypeError`, as the
// specification has it. The cause is an AmbryError with the path.
import { AmbryError, type ChatMessage } from 'ambry';
import type { PromptInput, PromptMessage } from './types.ts';

export function notSupported(message: string, path: string): DOMException {
  const error = new DOMException(`${path}: ${message}`, 'NotSupportedError');
  return withCause(error, new AmbryError('Unsupported', message, { path }));
}

export function badValue(message: string, path: string): TypeError {
  const cause = new AmbryError('BadValue', message, { path });
  return new TypeError(`${path}: ${message}`, { cause });
}

export function withCause<E extends Error>(error: E, cause: unknown): E {
  return Object.defineProperty(error, 'cause', { value: cause, configurable: true });
}

/** Throws a `TypeError` at an option that there is not. */
export function checkOptions(options: object, names: readonly string[]): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw badValue('Must be an object of options.', 'options');
  }
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined && !names.includes(name)) {
      throw badValue(
        `There is no option ${name}. The options are ${names.join(', ')}.`,
        `options.${name}`,
      );
    }
  }
  const { signal } = options as { readonly signal?: unknown };
  const isSignal = typeof (signal as AbortSignal | undefined)?.addEventListener === 'function';
  if (signal !== undefined && !isSignal) {
    throw badValue('Must be an AbortSignal.', 'options.signal');
  }
}

/** Messages for the chat template. Only the first message of a session may be one of the system. */
export function messagesOf(
  input: PromptInput,
  path: string,
  isFirst = false,
): readonly ChatMessage[] {
  if (typeof input === 'string') {
    return [{ role: 'user', content: input }];
  }
  if (!Array.isArray(input)) {
    throw badValue('Must be a text or a list of messages.', path);
  }
  return input.map((message, i) => messageOf(message, `${path}[${i}]`, isFirst && i === 0));
}

function messageOf(message: PromptMessage, path: string, mayBeSystem: boolean): ChatMessage {
  const { role, content, prefix } = message ?? {};
  if (!['system', 'user', 'assistant'].includes(role)) {
    throw badValue('Must be system, user or assistant.', `${path}.role`);
  }
  if (role === 'system' && !mayBeSystem) {
    throw badValue('A message of the system is the first of initialPrompts.', `${path}.role`);
  }
  if (prefix) {
    throw notSupported('An answer cannot be begun for the model.', `${path}.prefix`);
  }
  return { role, content: textOf(content, `${path}.content`) };
}

function textOf(content: PromptMessage['content'], path: string): string {
  if (typeof content === 'string') {
    return content;
  }
  if (!Array.isArray(content)) {
    throw badValue('Must be a text or a list of parts.', path);
  }
  const texts = content.map((part: { readonly type?: unknown; readonly value?: unknown }, i) => {
    const { type, value } = part ?? {};
    if (type !== 'text') {
      throw notSupported(`The model reads text, and no ${String(type)}.`, `${path}[${i}].type`);
    }
    if (typeof value !== 'string') {
      throw badValue('Must be a text.', `${path}[${i}].value`);
    }
    return value;
  });
  return texts.join('');
}

/** The form of an answer. */
export function formatOf(constraint: unknown): { format?: { schema: object } | { regex: string } } {
  if (constraint === undefined) {
    return {};
  }
  if (constraint instanceof RegExp) {
    if (constraint.flags.replace(/[gudy]/g, '') !== '') {
      throw notSupported('A regular expression has no flags here.', 'options.responseConstraint');
    }
    return { format: { regex: constraint.source } };
  }
  if (typeof constraint === 'object' && constraint !== null && !Array.isArray(constraint)) {
    return { format: { schema: constraint } };
  }
  throw badValue('Must be a JSON Schema or a regular expression.', 'options.responseConstraint');
}
