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
  classify: { name: 'Classify', wants: 'a classifier or a picture' },
  chat: { name: 'Chat', wants: 'a language model' },
  check: { name: 'Check', wants: 'a model' },
  convert: { name: 'Convert', wants: 'a model' },
};

export const pageName = (page: FilePage): string => pages[page].name;

/** A model of another program, such as "a Core ML model". */
const otherModel = /^an? (?!.* of )[^,]*\b(model|bundle)( \([^)]*\))?$/;

/** "This is a PNG picture, not a model." */
export function refusalOf({ kind, name }: Pick<Recognized, 'kind' | 'name'>, page: FilePage) {
  if (kind === 'empty') {
    return 'The file is empty.';
  }
  return kind === 'foreign' && otherModel.test(name)
    ? `This is ${name}, which Ambry does not read.`
    : `This is ${name}, not ${pages[page].wants}.`;
}

/** Below the site's root. */
export const pathOf = (page: FilePage): string => `${page}/index.html`;

/** A page that opens what was found. */
export interface PageOffer {
  readonly page: FilePage;
  /** On a button that has its name beside it: `Write with it`. */
  readonly label: string;
}

interface Use extends PageOffer {
  /** "The Classify page reads pictures." */
  readonly sentence: string;
  /** On a button for several of them. */
  readonly several?: string;
  /** A second page that opens it. */
  readonly also?: PageOffer;
}

export const checkOffer: PageOffer = { page: 'check', label: 'Check it' };
export const convertOffer: PageOffer = { page: 'convert', label: 'Convert it' };

const searchWith: PageOffer = { page: 'search', label: 'Search with it' };
const onlyChecked: Use = {
  ...checkOffer,
  sentence: 'No page runs it. The Check page says what is in it.',
};
const searchIn: Use = {
  page: 'search',
  label: 'Search in it',
  several: 'Search in them',
  sentence: 'The Search page reads documents.',
};

/** No page runs models of a kind without a row. Kinds of files without a row are opened by no page, or only their reader tells
 *  which page that is. */
const uses: Readonly<Partial<Record<ModelKind | FileKind, Use>>> = {
  encoder: { ...searchWith, sentence: 'The Search page finds texts with it.' },
  questionAnswering: {
    page: 'search',
    label: 'Ask it',
    sentence: 'The Search page answers questions with it, from your documents.',
  },
  words: {
    page: 'words',
    label: 'Look up words',
    sentence: 'The Words page shows them.',
    also: searchWith,
  },
  imageClassifier: {
    page: 'classify',
    label: 'Classify with it',
    sentence: 'The Classify page runs it.',
  },
  textClassifier: {
    page: 'classify',
    label: 'Label texts with it',
    sentence: 'The Classify page labels texts with it.',
  },
  tokenClassifier: {
    page: 'classify',
    label: 'Find names with it',
    sentence: 'The Classify page finds names with it.',
  },
  generator: { page: 'chat', label: 'Write with it', sentence: 'The Chat page runs it.' },
  index: {
    page: 'search',
    label: 'Open the index',
    sentence: 'The Search page imports it.',
  },
  picture: {
    page: 'classify',
    label: 'Classify it',
    sentence: 'The Classify page reads pictures.',
  },
  document: searchIn,
  text: searchIn,
  questions: {
    page: 'words',
    label: 'Answer the questions',
    sentence: 'The Words page answers them.',
  },
};

/** The page for such a model. */
export const useOfModel = (kind: ModelKind): Use => uses[kind] ?? onlyChecked;

/** The page for such a file; null if there is none. */
export const useOfFile = (kind: FileKind): Use | null => uses[kind] ?? null;

/** The page that opens the file; null if there is none, or if only its reader tells. */
export const useOf = ({ kind, model }: Recognized): Use | null =>
  model ? useOfModel(model) : useOfFile(kind);

/** Whether the page runs models of this kind. */
export function runsOn(kind: ModelKind, page: FilePage): boolean {
  const { page: own, also } = useOfModel(kind);
  return [checkOffer.page, convertOffer.page, own, also?.page].includes(page);
}
