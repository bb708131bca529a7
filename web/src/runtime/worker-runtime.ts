// What all handlers of a worker share: its WebAssembly and its sources.

import type { CallContext } from '../rpc/serve.ts';
import type { ByteSource } from '../sources/base/byte-source.ts';
import type { WireSource } from '../sources/base/wire.ts';
import { type OpenSource, openSource } from '../sources/open-source.ts';
import { useSource } from '../sources/use-source.ts';
import type { CoreModule, PackagedModule } from '../wasm/module.mjs';
import type { LentModule } from './types.ts';
import type { CustomWasm } from './worker-custom-wasm.ts';
import { type Instance, lend, makeInstance } from './worker-instance.ts';
import { type AnyModule, compileFrom, runnable } from './worker-wasm.ts';

/** The runtime of a module. */
export type RuntimeOf = <M extends CoreModule>(packaged: PackagedModule<M>) => WorkerRuntime<M>;

/** What differs between workers of a browser and of Node, and between small and large workers. */
interface WorkerRuntimeOptions {
  readonly openSource?: OpenSource;
  readonly customWasm?: CustomWasm;
  /** Takes the flavour that computes the same on every machine. */
  readonly deterministic?: boolean | undefined;
  /** Other workers may compute over the memory of this one. Not for WebAssembly that the caller brings. */
  readonly sharesMemory?: boolean | undefined;
}

export class WorkerRuntime<M extends CoreModule> {
  readonly #packaged: AnyModule<M>;
  readonly #options: WorkerRuntimeOptions;
  #loading: Promise<Instance<M>> | undefined;

  constructor(packaged: AnyModule<M>, options: WorkerRuntimeOptions = {}) {
    this.#packaged = packaged;
    this.#options = options;
  }

  /** Whether other workers can compute over the memory of this one. */
  get sharesMemory(): boolean {
    return this.#packaged.sharedAt !== undefined && (this.#options.sharesMemory ?? false);
  }

  async wasm(): Promise<M> {
    this.#loading ??= this.#load();
    return (await this.#loading).module;
  }

  async #load(): Promise<Instance<M>> {
    const { customWasm, deterministic } = this.#options;
    const file = () => runnable(this.#packaged, deterministic, this.sharesMemory);
    const compiled = await (customWasm?.(file) ?? compileFrom(file()));
    return makeInstance(this.#packaged, compiled, this.sharesMemory);
  }

  /** What another worker needs to go on from the memory of this one. */
  async lend(): Promise<LentModule> {
    this.#loading ??= this.#load();
    const instance = await this.#loading;
    return { compiled: instance.compiled, memory: lend(instance) };
  }

  /** Goes on from the memory of another worker. It must be the first call. */
  async borrow({ compiled, memory }: LentModule): Promise<void> {
    this.#loading ??= makeInstance(this.#packaged, compiled, this.sharesMemory, memory);
    await this.#loading;
  }

  /**
   * Runs `use` with the source opened, and closes it. When a download cannot be continued, it starts again from the
   * beginning. `whole` says whether the job reads all of the file.
   */
  withSource<T>(
    wire: WireSource,
    context: CallContext,
    use: (module: M, source: ByteSource) => Promise<T>,
    whole = true,
  ): Promise<T> {
    // The module and the source load at the same time. A failure of the module is thrown when `use` needs it.
    const loading = this.wasm();
    loading.catch(() => undefined);
    const useBoth = async (source: ByteSource) => use(await loading, source);
    return this.withSourceAlone(wire, context, useBoth, whole);
  }

  /** Gives a function the source without the module. */
  withSourceAlone<T>(
    wire: WireSource,
    context: CallContext,
    use: (source: ByteSource) => Promise<T>,
    whole = true,
  ): Promise<T> {
    const { openSource: open = openSource } = this.#options;
    return useSource(open, wire, context, use, whole);
  }
}
