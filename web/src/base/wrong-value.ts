// The error for a value or an option that a call does not take: what it must be, what was given, and what was meant.
import { didYouMean } from './did-you-mean.ts';
import { AmbryError } from './errors.ts';
import type { Wrong, WrongValue } from './kinds.ts';
import { optionAdvice } from './option-advice.ts';

/** Characters of a text in the error. Longer ones are cut. */
const mostCharacters = 60;

export function wrongValue(wrong: Wrong): AmbryError {
  if (!('name' in wrong)) {
    return new AmbryError('BadValue', messageOf(wrong), { path: wrong.path });
  }
  const { name, known, path } = wrong;
  const message = `There is no option "${name}".${optionAdvice(name, known)}`;
  return new AmbryError('BadValue', message, { path: `${path}.${name}` });
}

function messageOf({ kind, value }: WrongValue): string {
  const meant = typeof value === 'string' && kind.names ? didYouMean(value, kind.names) : '';
  const advice = value instanceof Promise ? ' Await it first.' : '';
  return `Must be ${kind.words}, not ${given(value)}.${meant}${advice}`;
}

/** Says what a value is, in a few words. */
export function given(value: unknown): string {
  if (typeof value === 'string') {
    return JSON.stringify(value.slice(0, mostCharacters));
  }
  if (typeof value === 'function' || typeof value === 'symbol') {
    return `a ${typeof value}`;
  }
  if (typeof value !== 'object' || value === null) {
    return String(value);
  }
  if (Array.isArray(value)) {
    return 'a list';
  }
  const { name } = value.constructor ?? {};
  return typeof name === 'string' && name !== 'Object' && name !== '' ? `a ${name}` : 'an object';
}
