// What the address of the search page holds: the question, its options and the model.

import { modelUrl } from '../../shared/page-address/linked-model.ts';
import { choice, list, type Parameters, text } from '../../shared/page-address/parameters.ts';
import type { QueryOptions } from '../state/state.ts';

/** The field's limit. */
const maxQueryLength = 2000;

export interface SearchLink extends QueryOptions {
  readonly query: string;
  readonly url: string;
}

export const searchParameters: Parameters<SearchLink> = {
  query: text('q', maxQueryLength),
  mode: choice('mode', ['words', 'meaning'], 'words'),
  sources: list('source', { maxCount: 50, maxLength: 500 }),
  url: modelUrl,
};

/** Without a question, its options say nothing. */
export function linkOf(
  { query, url }: Pick<SearchLink, 'query' | 'url'>,
  { mode, sources }: QueryOptions,
): SearchLink {
  return query === '' ? { query, url, mode: 'words', sources: [] } : { query, url, mode, sources };
}
