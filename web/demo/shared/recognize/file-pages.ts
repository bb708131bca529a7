// Which page of the site opens which files.

import type { FileKind, ModelKind, Recognized } from './kinds.ts';

/** A page that opens files. It is the name of its folder. */
export type FilePage = 'search' | 'words' | 'classify' | 'chat' | 'check' | 'convert';

interface PageWords {
  readonly name: string;
  /** What the page takes, for "…, not a model". */
  readonly wants: string;
}

const pages: Readonly<Record<FilePage, PageWords>> = {
  search: { name: 'Search', wants: 'a model or a document' },
  words: { name: 'Words', wants: 'word vectors' },
  classify: { name: 'Classify', wants: 'a network or a picture' },
  chat: { name: 'Chat', wants: 'a language model' },
  check: { name: 'Check', wants: 'a model' },
  convert: { name: 'Convert', wants: 'a model' },
};

export const pageName = (page: FilePage): string => pages[page].name;
export const wantedBy = (page: FilePage): string => pages[page].wants;

/** Below the site's root. */
export const pathOf = (page: FilePage): string => `${page}/index.html`;

interface Use {
  readonly page: FilePage;
  /** "The Classify page reads pictures." */
  readonly sentence: string;
}

const modelUses: Readonly<Record<ModelKind, Use>> = {
  encoder: { page: 'search', sentence: 'The Search page finds texts with it.' },
  reranker: { page: 'check', sentence: 'No page runs it. The Check page says what is in it.' },
  words: { page: 'words', sentence: 'The Words page shows them.' },
  classifier: { page: 'classify', sentence: 'The Classify page runs it.' },
  textClassifier: {
    page: 'check',
    sentence: 'No page runs it. The Check page says what is in it.',
  },
  generator: { page: 'chat', sentence: 'The Chat page runs it.' },
};

const fileUses: Partial<Readonly<Record<FileKind, Use>>> = {
  index: { page: 'search', sentence: 'The Search page imports it.' },
  picture: { page: 'classify', sentence: 'The Classify page reads pictures.' },
  document: { page: 'search', sentence: 'The Search page reads documents.' },
  text: { page: 'search', sentence: 'The Search page reads documents.' },
  questions: { page: 'words', sentence: 'The Words page answers them.' },
};

/** The page for such a model. */
export const useOfModel = (kind: ModelKind): Use => modelUses[kind];

/** The page that opens the file; null if there is none, or if only its reader tells. */
export function useOf({ kind, model }: Recognized): Use | null {
  return model === undefined ? (fileUses[kind] ?? null) : modelUses[model];
}

/** Whether the page runs models of this kind. The search page takes word vectors, too. */
export const runsOn = (kind: ModelKind, page: FilePage): boolean =>
  page === 'check' ||
  page === 'convert' ||
  modelUses[kind].page === page ||
  (kind === 'words' && page === 'search');
