import { checked } from '../base/call.ts';
import type { Encoder } from '../encoder/client.ts';
import type { Openers } from '../model/open.ts';
import type { Platform } from '../platform/platform.ts';
import type { Doc, IndexOptions, OpenIndexOptions } from '../search/base/types.ts';
import * as search from '../search/client.ts';
import type { SearchIndex } from '../search/search-index.ts';
import type { ModelSource } from '../sources/base/types.ts';
import type { SparseEncoder } from '../sparse-encoder/client.ts';
import type { TrainedClassifier } from '../text-classifier/trained/client.ts';
import type { ClassifierExample, ClassifierOptions } from '../text-classifier/trained/types.ts';
import type { WordVectors } from '../words/client.ts';
import type { Model } from './built/kinds/models.ts';
import { type OpenOfKind, openOfKind } from './open-of-kind.ts';

export interface EncoderEntry {
  readonly open: OpenOfKind<'encoder'>;
  readonly openReranker: OpenOfKind<'reranker'>;
  readonly openTokenClassifier: OpenOfKind<'tokenClassifier'>;
  readonly openQuestionAnswerer: OpenOfKind<'questionAnswering'>;
  readonly openMaskFiller: OpenOfKind<'fillMask'>;
  readonly openSparseEncoder: OpenOfKind<'sparseEncoder'>;
  readonly createIndex: (
    model: Encoder | SparseEncoder | WordVectors,
    docs: readonly Doc[],
    options?: IndexOptions,
  ) => Promise<SearchIndex>;
  readonly createClassifier: (
    encoder: Encoder,
    examples: readonly ClassifierExample[],
    options?: ClassifierOptions,
  ) => Promise<TrainedClassifier>;
  readonly openIndex: (
    source: ModelSource,
    options: OpenIndexOptions<Encoder | SparseEncoder | WordVectors>,
  ) => Promise<SearchIndex>;
}

export function encoderEntry(platform: Platform, openers: Openers<Model>): EncoderEntry {
  return {
    open: openOfKind(platform, 'encoder', openers),
    openReranker: openOfKind(platform, 'reranker', openers),
    openTokenClassifier: openOfKind(platform, 'tokenClassifier', openers),
    openQuestionAnswerer: openOfKind(platform, 'questionAnswering', openers),
    openMaskFiller: openOfKind(platform, 'fillMask', openers),
    openSparseEncoder: openOfKind(platform, 'sparseEncoder', openers),
    createIndex: checked((model, docs, options = {}) =>
      search.createIndex(platform, model, docs, options),
    ),
    createClassifier: checked(async (encoder, examples, options = {}) => {
      const training = await import('../text-classifier/trained/create.ts');
      return training.createClassifier(encoder, examples, options);
    }),
    openIndex: checked(async (source, options) => {
      const opening = await import('../search/open-index.ts');
      return opening.openIndex(platform, source, options);
    }),
  };
}
