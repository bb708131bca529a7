// Which pages open what was found, the best one first.

import type { FilePage } from '../shared/recognize/file-pages.ts';
import { useOfModel } from '../shared/recognize/file-pages.ts';
import type { FileKind, ModelKind } from '../shared/recognize/kinds.ts';
import type { PageOffer } from './state.ts';

const check: PageOffer = { page: 'check', label: 'Check it' };
const convert: PageOffer = { page: 'convert', label: 'Convert it' };

const labels: Readonly<Record<FilePage, string>> = {
  search: 'Search with it',
  words: 'Look up words',
  classify: 'Classify with it',
  chat: 'Write with it',
  check: check.label,
  convert: convert.label,
};

/** For a model that runs, if it is of a known kind. */
export function modelOffers(kind: ModelKind | null): PageOffer[] {
  const page = kind === null ? 'check' : useOfModel(kind).page;
  const own = page === 'check' ? [] : [{ page, label: labels[page] }];
  const second = kind === 'words' ? [{ page: 'search' as const, label: labels.search }] : [];
  return [...own, ...second, check, convert];
}

/** For a damaged model, and for one that no page can run. */
export const damagedOffers: readonly PageOffer[] = [
  { page: 'check', label: 'See what is wrong' },
  convert,
];

const fileOffers: Partial<Readonly<Record<FileKind, PageOffer>>> = {
  index: { page: 'search', label: 'Open the index' },
  document: { page: 'search', label: 'Search in it' },
  text: { page: 'search', label: 'Search in it' },
  picture: { page: 'classify', label: 'Classify it' },
  questions: { page: 'words', label: 'Answer the questions' },
};

/** For a file that is no model; none if no page opens it. */
export function offersFor(kind: FileKind): PageOffer[] {
  const offer = fileOffers[kind];
  return offer === undefined ? [] : [offer];
}
