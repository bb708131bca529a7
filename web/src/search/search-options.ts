// What the options of a search must be.
import { callback, count, type Kind, number, signal, text } from '../base/kinds.ts';
import type { OptionNames } from '../base/options.ts';
import type { SearchOptions } from './base/types.ts';

/** Something that a page may have written from another library's filters. */
const filter: Kind = {
  ...callback,
  words: 'a function, such as (doc) => doc.source === "a.md"',
};
/** A weight. */
const hybrid: Kind = {
  words: 'true, false or a number from 0 to 1',
  is: (value) => typeof value === 'boolean' || number.is(value),
};
export const searchOptionNames: OptionNames<SearchOptions> = {
  k: count,
  prompt: text,
  hybrid,
  sparse: hybrid,
  filter,
  rerank: true,
  candidates: number,
  signal,
};
