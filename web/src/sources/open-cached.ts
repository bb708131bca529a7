// Opens sources with the options `cache` and `sha256`.

import { checkedSource, hashOption } from './base/hashed.ts';
import { openJoined } from './base/joined.ts';
import type { WireSource } from './base/wire.ts';
import { openCached } from './cache/cached.ts';
import type { CacheStore } from './cache/store.ts';
import { isHttpUrl } from './http/url.ts';
import { type OpenPath, type OpenSource, openSource } from './open-source.ts';

type CacheOption = NonNullable<WireSource['cache']>;

/** The cache that the option means; undefined if there is none. */
export type StoreFor = (cache: CacheOption) => Promise<CacheStore | undefined>;

/** Whether downloads are added to the cache, or files that are there only used. */
export function keepsIn(cache: WireSource['cache']): boolean {
  return typeof cache !== 'object' || cache.keep !== false;
}

const nowhere = 'This browser keeps no files for this page; the download is not kept.';

export function cachingOpener(storeFor: StoreFor, openPath?: OpenPath): OpenSource {
  const open: OpenSource = async (wire, options) => {
    if (wire.kind === 'parts') {
      return openJoined(wire.parts, (part) => open(part, options));
    }
    const sha256 = wire.sha256 === undefined ? undefined : hashOption(wire.sha256);
    let note: string | undefined;
    if (wire.kind === 'url' && wire.cache && isHttpUrl(wire.url)) {
      const store = await storeFor(wire.cache);
      const { hub, cache } = wire;
      if (store) {
        return openCached(wire.url, { ...options, store, sha256, hub, keeps: keepsIn(cache) });
      }
      note = nowhere;
    }
    const expected = { sha256, hub: wire.hub, whole: options.whole };
    return checkedSource(await openSource(wire, options, openPath), expected, note);
  };
  return open;
}
