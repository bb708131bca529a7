// What the option `adapter` may be.
import { isSomeObject, type Kind } from '../base/kinds.ts';

/** The sources are checked where they are read. */
export const adapters: Kind = {
  words: 'the source of an adapter, {source, weight}, or a list of these',
  is: (value) => typeof value === 'string' || isSomeObject(value),
};
