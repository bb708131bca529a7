// Checks what a caller gives.
import { AmbryError } from 'ambry/terms';
import { type OptionNames, refuseUnknown } from '../shared/refuse-unknown.ts';
import type { PrepareOptions, SearchOptions, SiteSearchOptions } from './base/types.ts';

export const openOptionNames: OptionNames<SiteSearchOptions> = {
  site: true,
  model: true,
  keepModel: true,
  timeout: true,
  signal: true,
};
export const prepareOptionNames: OptionNames<PrepareOptions> = { signal: true, onProgress: true };
export const answersOptionNames: OptionNames<Omit<SearchOptions, 'mode'>> = {
  k: true,
  filters: true,
  facets: true,
  excerptLength: true,
  signal: true,
};
const searchOptionNames: OptionNames<SearchOptions> = { ...answersOptionNames, mode: true };

const modes = ['auto', 'hybrid', 'words', 'meaning'];
const mostPages = 100;
const mostExcerpt = 10_000;

/** Throws `BadValue` at the option. */
export function checkSearch(query: string, options: SearchOptions): void {
  if (typeof query !== 'string') {
    throw wrong('query', 'must be a text');
  }
  refuseUnknown(options, searchOptionNames);
  const { k, mode, excerptLength, filters } = options;
  if (k !== undefined) {
    checkNumber('k', k, 1, mostPages);
  }
  if (excerptLength !== undefined) {
    checkNumber('excerptLength', excerptLength, 20, mostExcerpt);
  }
  if (mode !== undefined && !modes.includes(mode)) {
    throw wrong('options.mode', `must be one of ${modes.join(', ')}`);
  }
  for (const [name, value] of Object.entries(filters ?? {})) {
    const isTexts = [value].flat().every((one) => typeof one === 'string');
    if (!isTexts) {
      throw wrong(`options.filters.${name}`, 'must be a text or a list of texts');
    }
  }
}

function checkNumber(name: string, value: number, least: number, most: number): void {
  if (Number.isSafeInteger(value) && value >= least && value <= most) {
    return;
  }
  throw wrong(`options.${name}`, `must be a whole number from ${least} to ${most}`);
}

function wrong(path: string, rule: string): AmbryError {
  return new AmbryError('BadValue', `${path} ${rule}.`, { path });
}
