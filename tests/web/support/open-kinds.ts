// Opens models without saying their kind, and checks that they are of the kind that the test expects.

import type {
  ModelKind,
  ModelParts,
  ModelSource,
  OpenOptions,
} from '../../../web/src/entries/types.ts';
import type { ModelOfKind } from '../../../web/src/index.ts';
import { ambry } from './package.ts';

function opener<K extends ModelKind>(kind: K) {
  return async (
    source: ModelSource | ModelParts,
    options: OpenOptions = {},
  ): Promise<ModelOfKind[K]> => {
    const model = await ambry.open(source, options);
    if (model.kind === kind) {
      return model as ModelOfKind[K];
    }
    await model.dispose();
    throw new Error(`the model opened as ${model.kind}, not as ${kind}`);
  };
}

export const openReranker = opener('reranker');
export const openTokenClassifier = (source: ModelSource | ModelParts, options: OpenOptions = {}) =>
  ambry.open(source, { ...options, kind: 'tokenClassifier' });
export const openQuestionAnswerer = opener('questionAnswering');
export const openEncoder = opener('encoder');
export const openWords = opener('words');
export const openImageClassifier = opener('imageClassifier');
export const openTextClassifier = opener('textClassifier');
export const openGenerator = opener('generator');
