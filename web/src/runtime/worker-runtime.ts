// What all handlers of a worker share: its WebAssembly and its sources.

import type { CallContext } from '../rpc/serve.ts';
import type { ByteSource } from '../sources/byte-source.ts';
import { MustRestart } from '../sources/http/error.ts';
import { RetryPolicy } from '../sources/http/retry-policy.ts';
import { type OpenSource, openSource } from '../sources/open-source.ts';
import type { WireSource } from '../sources/wire.ts';
import type { CoreModule, PackagedModule } from '../wasm/module.mjs';
import type { HeapShare } from './types.ts';
import type { CustomWasm } from './worker-custom-wasm.ts';
import { mostPages, overSharedMemory } from './worker-shared-wasm.ts';
import { bytesFrom, compileFrom, loadWasm, pageBytes, runnable } from './worker-wasm.ts';

/** What differs between workers of a browser and of Node, and between small and large workers. */
export interface WorkerRuntimeOptions {
  readonly openSource?: OpenSource;
  readonly customWasm?: CustomWasm;
  /** Takes the flavour that computes the same on every machine. */
  readonly deterministic?: boolean | undefined;
}

/** How often a download that cannot be continued is started again. */
const maxRestarts = 3;

export class WorkerRuntime<M extends CoreModule> {
  readonly #packaged: PackagedModule<M>;
  readonly #options: WorkerRuntimeOptions;
  #loading: Promise<M> | undefined;
  #shared: Promise<HeapShare | null> | undefined;

  constructor(packaged: PackagedModule<M>, options: WorkerRuntimeOptions = {}) {
    this.#packaged = packaged;
    this.#options = options;
  }

  /** `heap`, which counts at the first call only, is what another worker's holds. */
  wasm(heap?: Uint8Array): Promise<M> {
    this.#loading ??= this.#load(heap);
    return this.#loading;
  }

  async #load(heap?: Uint8Array): Promise<M> {
    const { customWasm, deterministic } = this.#options;
    const packaged = this.#packaged;
    const compiled =
      customWasm?.compile(packaged) ?? compileFrom(runnable(packaged, deterministic));
    return loadWasm(packaged, await compiled, heap);
  }

  /** Moves the heap into memory that other instances can share; null where that cannot be. Jobs that are under way would
   *  stay behind. */
  share(): Promise<HeapShare | null> {
    // Without its bytes, or room for one more heap, the module stays where it is.
    this.#shared ??= this.#move().catch(() => null);
    return this.#shared;
  }

  async #move(): Promise<HeapShare | null> {
    const { customWasm, deterministic } = this.#options;
    const packaged = this.#packaged;
    if (typeof SharedArrayBuffer === 'undefined') return null;
    const bytes = customWasm
      ? customWasm.bytes(packaged)
      : bytesFrom(runnable(packaged, deterministic));
    if (!bytes) return null;
    const module = await WebAssembly.compile(overSharedMemory(await bytes));
    const { HEAPU8: heap } = await this.wasm();
    const initial = heap.length / pageBytes;
    const memory = new WebAssembly.Memory({ initial, maximum: mostPages, shared: true });
    const moved = await loadWasm(packaged, module, heap, memory);
    this.#loading = Promise.resolve(moved);
    return { module, memory };
  }

  /**
   * Runs `use` with the source opened, and closes it; again from the beginning when a download cannot be
   * continued. `whole` says whether the job reads all of the file.
   */
  async withSource<T>(
    wire: WireSource,
    context: CallContext,
    use: (module: M, source: ByteSource) => Promise<T>,
    whole = true,
  ): Promise<T> {
    // Both are on their way at once; who waits for the source hears of a failure of the module below.
    const loading = this.wasm();
    loading.catch(() => undefined);
    const { openSource: open = openSource } = this.#options;
    const { signal, report } = context;
    const onSpool = (loaded: number) =>
      report({ phase: 'download', loaded, total: 0, cached: false });
    const options = { signal, onSpool, retryPolicy: new RetryPolicy(), whole };
    for (let restarts = 0; ; restarts++) {
      let source: ByteSource | undefined;
      try {
        source = await open(wire, options);
        const result = await use(await loading, source);
        await source.settle?.();
        return result;
      } catch (error) {
        if (!(error instanceof MustRestart) || restarts === maxRestarts) throw error;
      } finally {
        await source?.close();
      }
    }
  }
}
