import type * as api from '../index.ts';
import type { Platform } from '../runtime/platform.ts';
import * as search from '../search/client.ts';
import { type OpenOfKind, openOfKind } from './open-of-kind.ts';

export interface EncoderEntry {
  readonly open: OpenOfKind<'encoder'>;
  readonly openReranker: OpenOfKind<'reranker'>;
  readonly createIndex: typeof api.createIndex;
  readonly loadIndex: typeof api.loadIndex;
}

export function encoderEntry(platform: Platform): EncoderEntry {
  return {
    open: openOfKind(platform, 'encoder'),
    openReranker: openOfKind(platform, 'reranker'),
    createIndex: (model, docs, options = {}) => search.createIndex(platform, model, docs, options),
    loadIndex: async (model, source, options = {}) => {
      const loading = await import('../search/load-index.ts');
      return loading.loadIndex(platform, model, source, options);
    },
  };
}
