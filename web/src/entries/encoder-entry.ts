import { checked } from '../base/call.ts';
import type { Encoder } from '../encoder/client.ts';
import type { Platform } from '../platform/platform.ts';
import type { RuntimeOptions } from '../platform/types.ts';
import type { JobOptions } from '../rpc/types.ts';
import type { Doc, IndexedModel, IndexOptions } from '../search/base/types.ts';
import * as search from '../search/client.ts';
import type { SearchIndex } from '../search/search-index.ts';
import type { FetchOptions, ModelSource } from '../sources/base/types.ts';
import type { WordVectors } from '../words/client.ts';
import { type OpenOfKind, openOfKind } from './open-of-kind.ts';

export interface EncoderEntry {
  readonly open: OpenOfKind<'encoder'>;
  readonly openReranker: OpenOfKind<'reranker'>;
  readonly createIndex: (
    model: Encoder | WordVectors,
    docs: readonly Doc[],
    options?: IndexOptions,
  ) => Promise<SearchIndex>;
  readonly loadIndex: (
    model: Encoder | WordVectors | ((indexed: IndexedModel) => Promise<Encoder | WordVectors>),
    source: ModelSource,
    options?: JobOptions & RuntimeOptions & FetchOptions,
  ) => Promise<SearchIndex>;
}

export function encoderEntry(platform: Platform): EncoderEntry {
  return {
    open: openOfKind(platform, 'encoder'),
    openReranker: openOfKind(platform, 'reranker'),
    createIndex: checked((model, docs, options = {}) =>
      search.createIndex(platform, model, docs, options),
    ),
    loadIndex: checked(async (model, source, options = {}) => {
      const loading = await import('../search/load-index.ts');
      return loading.loadIndex(platform, model, source, options);
    }),
  };
}
