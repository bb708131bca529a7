// The browser's platform: how a page starts the packaged workers.
import { AmbryError, messageOf } from '../errors.ts';
import { type Port, webPort } from '../rpc/port.ts';
import { startingPort } from '../rpc/starting-port.ts';
import type { Platform, WorkerName } from '../runtime/platform.ts';
import type { Starter } from '../start-worker.ts';
import { web } from './web.ts';

type Script = WorkerName | 'encoder-shared' | 'encode-shared' | 'generator-shared';

// The URLs are spelled out so that bundlers see them.
const starters: Record<Script, Starter> = {
  encoder: () => new Worker(new URL('./encoder-worker.js', import.meta.url), { type: 'module' }),
  'encoder-cached': () =>
    new Worker(new URL('./encoder-cached-worker.js', import.meta.url), { type: 'module' }),
  'encoder-shared': () =>
    new Worker(new URL('./encoder-shared-worker.js', import.meta.url), { type: 'module' }),
  encode: () => new Worker(new URL('./encode-worker.js', import.meta.url), { type: 'module' }),
  'encode-shared': () =>
    new Worker(new URL('./encode-shared-worker.js', import.meta.url), { type: 'module' }),
  'static-encoder': () =>
    new Worker(new URL('./static-encoder-worker.js', import.meta.url), { type: 'module' }),
  'static-encode': () =>
    new Worker(new URL('./static-encode-worker.js', import.meta.url), { type: 'module' }),
  words: () => new Worker(new URL('./words-worker.js', import.meta.url), { type: 'module' }),
  classifier: () =>
    new Worker(new URL('./classifier-worker.js', import.meta.url), { type: 'module' }),
  'text-classifier': () =>
    new Worker(new URL('./text-classifier-worker.js', import.meta.url), { type: 'module' }),
  generator: () =>
    new Worker(new URL('./generator-worker.js', import.meta.url), { type: 'module' }),
  'generator-shared': () =>
    new Worker(new URL('./generator-shared-worker.js', import.meta.url), { type: 'module' }),
  inspect: () => new Worker(new URL('./inspect-worker.js', import.meta.url), { type: 'module' }),
  tokenizer: () =>
    new Worker(new URL('./tokenizer-worker.js', import.meta.url), { type: 'module' }),
  convert: () => new Worker(new URL('./convert-worker.js', import.meta.url), { type: 'module' }),
  'kept-vectors': () =>
    new Worker(new URL('./kept-vectors-worker.js', import.meta.url), { type: 'module' }),
  'chat-template': () =>
    new Worker(new URL('./chat-template-worker.js', import.meta.url), { type: 'module' }),
  all: () => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' }),
};

/** A page that has converted has downloaded that worker, which also inspects. */
let hasConverted = false;

export const browser: Platform = {
  ...web,
  spawn: (worker) => {
    hasConverted ||= worker === 'convert';
    return packagedPort(starters[scriptFor(worker)]);
  },
  cores: () => (hasWorkers() && navigator.hardwareConcurrency) || 1,
};

const hasWorkers = () => typeof Worker === 'function';

/** Most pages never fetch what starts a worker in another way. */
let others: typeof import('./other-ports.ts') | undefined;

function packagedPort(start: Starter): Port {
  return startingPort(
    () => {
      if (others?.areMissing()) throw new Error('the scripts are missing');
      return webPort(start());
    },
    async (reason) => {
      others ??= await importOthers();
      return others.portInstead(start, reason);
    },
  );
}

function importOthers() {
  return import('./other-ports.ts').catch((error: unknown) => {
    // Service workers and worklets load no code later.
    const fix = hasWorkers()
      ? 'Check that the files of the package are served.'
      : "Import from 'ambry/in-thread' in the place of 'ambry'.";
    throw new AmbryError(
      'Unsupported',
      `Neither workers nor code load here: ${messageOf(error)}. ${fix}`,
    );
  });
}

function scriptFor(worker: WorkerName): Script {
  if (worker === 'inspect' && hasConverted) return 'convert';
  if (!globalThis.crossOriginIsolated) return worker;
  if (worker === 'encoder' || worker === 'encoder-cached') return 'encoder-shared';
  return worker === 'generator' || worker === 'encode' ? `${worker}-shared` : worker;
}
