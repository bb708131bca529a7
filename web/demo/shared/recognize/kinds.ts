// What a file can be for the pages.

import type { kindNames } from 'ambry/tables';

/** The kinds of models that the package opens. */
export type ModelKind = keyof typeof kindNames;

export type FileKind =
  /** A model that a page may run. */
  | 'model'
  /** Weights, which need the other files of their model. */
  | 'weights'
  /** An index of the search page. */
  | 'index'
  /** A picture that browsers can read. */
  | 'picture'
  | 'document'
  /** Questions for word vectors. */
  | 'questions'
  | 'text'
  /** Known, but no page opens it. */
  | 'foreign'
  | 'empty'
  | 'unknown';

export interface Recognized {
  readonly kind: FileKind;
  /** With its article: `a PNG picture`. Empty for an unknown file. */
  readonly name: string;
  /** What the user can do with it: sentences, or empty. */
  readonly advice: string;
  /** As what a model runs, if its first bytes tell. */
  readonly model?: ModelKind;
  /** The model was trained on examples, and opens with the encoder that it was trained with. */
  readonly learned?: true;
}

export const unknownFile: Recognized = { kind: 'unknown', name: '', advice: '' };

export function known(kind: FileKind, name: string, advice = ''): Recognized {
  return { kind, name, advice };
}

const modelNames: Readonly<Partial<Record<ModelKind, string>>> = {
  encoder: 'a model for search (a sentence encoder)',
  reranker: 'a model that sorts texts for a query (a reranker)',
  questionAnswering: 'a model that answers questions from a text',
  fillMask: 'a model that fills in missing words',
  sparseEncoder: 'a model for search by words and their weights (a sparse encoder)',
  words: 'a file of word vectors',
  imageClassifier: 'a network that classifies pictures',
  textClassifier: 'a model that gives labels to texts (a text classifier)',
  tokenClassifier: 'a model that finds names in texts (a token classifier)',
  generator: 'a language model',
};

/** What people call a model of this kind. */
export const modelName = (kind: ModelKind): string => modelNames[kind] ?? 'a model';
