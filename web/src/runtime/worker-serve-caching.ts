// A browser's worker around one module of the package, which keeps downloads where it is asked to.
import type { CallMap } from '../rpc/protocol.ts';
import type { Handlers } from '../rpc/serve.ts';
import { browserStore } from '../sources/cache/browser-stores.ts';
import { cachingOpener } from '../sources/cache/open-cached.ts';
import type { RangedOptions } from '../sources/ranged.ts';
import type { CoreModule, PackagedModule } from '../wasm/module.mjs';
import { serveWorker } from './worker-serve.ts';
import { Workplace } from './worker-workplace.ts';

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
