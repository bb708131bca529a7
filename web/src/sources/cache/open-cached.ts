// Opens sources with the options `cache` and `sha256`.

import { checkedSource, hashOption } from '../hashed.ts';
import { isHttpUrl } from '../http/url.ts';
import { type OpenPath, type OpenSource, openSource } from '../open-source.ts';
import type { WireSource } from '../wire.ts';
import { openCached } from './cached.ts';
import type { CacheStore } from './store.ts';

type CacheOption = NonNullable<WireSource['cache']>;

/** The cache that the option means; undefined if there is none. */
export type StoreFor = (cache: CacheOption) => Promise<CacheStore | undefined>;

const nowhere = 'This browser keeps no files for this page; the download is not kept.';

export function cachingOpener(storeFor: StoreFor, openPath?: OpenPath): OpenSource {
  return async (wire, options) => {
    const sha256 = wire.sha256 === undefined ? undefined : hashOption(wire.sha256);
    let note: string | undefined;
    if (wire.kind === 'url' && wire.cache && isHttpUrl(wire.url)) {
      const store = await storeFor(wire.cache);
      if (store) return openCached(wire.url, { ...options, store, sha256 });
      note = nowhere;
    }
    return checkedSource(await openSource(wire, options, openPath), sha256, note);
  };
}
