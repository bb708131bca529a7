// A browser's worker around one module of the package, which keeps downloads where it is asked to.
import type { CallMap } from '../rpc/protocol.ts';
import type { Handlers } from '../rpc/serve.ts';
import { browserStore } from '../source/browser-stores.ts';
import { cachingOpener } from '../source/open-cached.ts';
import type { RangedOptions } from '../source/ranged.ts';
import type { CoreModule } from '../wasm/ambry.mjs';
import type { PackagedModule } from './wasm.ts';
import { serveWorker } from './web-worker.ts';
import { Workplace } from './workplace.ts';

export function serveCaching<C extends CallMap<C>, M extends CoreModule>(
  packaged: PackagedModule<M>,
  makeHandlers: (place: Workplace<M>, ranged: Omit<RangedOptions, 'signal'>) => Handlers<C>,
): void {
  serveWorker<C>(({ deterministic }) => {
    const open = cachingOpener(browserStore);
    const place = new Workplace(packaged, { openSource: open, deterministic });
    return makeHandlers(place, { open, storeFor: browserStore });
  });
}
