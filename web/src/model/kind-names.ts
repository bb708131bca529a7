// The kinds of models in words.
import type { ModelKind } from './kind.ts';

export const kindNames: Readonly<Record<ModelKind, string>> = {
  encoder: 'a sentence encoder',
  reranker: 'a reranker, or an encoder that classifies texts',
  words: 'word vectors',
  classifier: 'a network that classifies pictures',
  textClassifier: 'a classifier of texts',
  generator: 'a model that generates text',
};
