// What a prompt may be, and what else a caller gives to a language model.
import { AmbryError } from '../base/errors.ts';
import { isObject, isSomeObject, type Kind, text } from '../base/kinds.ts';

export const prompt: Kind = {
  words: 'a text, token ids or { messages }',
  is: (value) => text.is(value) || isSomeObject(value),
};
export const bytes: Kind = {
  words: 'a Uint8Array, as save() of a session gives it',
  is: (value) => value instanceof Uint8Array,
};
export const template: Kind = {
  words: 'the name of a template or its text',
  is: (value) => value === undefined || value === null || text.is(value),
};
/** A list of messages would else be taken for ids. The core checks what is a number. */
export function checkedIds(ids: readonly unknown[]): number[] {
  const isMessage = (element: unknown) => isObject(element) && 'role' in element;
  if (Array.from(ids).some(isMessage)) {
    const message = 'A list of messages is given as an object: { messages: […] }.';
    throw new AmbryError('BadValue', message, { path: 'prompt' });
  }
  return Array.from(ids, (id, i) => {
    if (typeof id === 'number') {
      return id;
    }
    throw new AmbryError('BadValue', 'The id of a token must be an integer.', {
      path: `prompt[${i}]`,
    });
  });
}

export function isIds(prompt: unknown): prompt is readonly number[] {
  return Array.isArray(prompt) || ArrayBuffer.isView(prompt);
}

export function notPrompts(): AmbryError {
  return new AmbryError('BadValue', 'Give a list of prompts.', { path: 'prompts' });
}

/** The error of a prompt, at its place in the list. */
export function ofPrompt(i: number, error: unknown): unknown {
  if (!(error instanceof AmbryError) || !error.path?.startsWith('prompt')) {
    return error;
  }
  const path = error.path.replace('prompt', `prompts[${i}]`);
  return new AmbryError(error.code, error.message, { path, cause: error.cause });
}

export function invalidPrompt(given: unknown): AmbryError {
  const what =
    given === null ? 'null' : isObject(given) ? 'an object without messages' : typeof given;
  const message = `A prompt is a text, token ids or { messages }, not ${what}.`;
  return new AmbryError('BadValue', message, { path: 'prompt' });
}
