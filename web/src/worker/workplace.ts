// What all handlers of a worker share: its WebAssembly, its sources, and the tokenizer it holds.
import type { Greeting, WireSource } from '../rpc/protocol.ts';
import type { CallContext } from '../rpc/serve.ts';
import type { ByteSource } from '../source/byte-source.ts';
import { type OpenPath, openSource } from '../source/open-source.ts';
import type { RunModule, Tokenizer } from '../wasm/ambry.mjs';
import { loadWasm, type PackagedModule, type ReadFile } from './wasm.ts';

/** What only Node has. */
export interface LocalReads {
  readonly openPath: OpenPath;
  readonly readFile: ReadFile;
}

export class Workplace<M extends RunModule> {
  readonly #packaged: PackagedModule<M>;
  readonly #greeting: Greeting;
  readonly #local: LocalReads | undefined;
  #loading: Promise<M> | undefined;
  /** Of the opened model, or opened by itself. */
  tokenizer: Tokenizer | undefined;

  constructor(packaged: PackagedModule<M>, greeting: Greeting, local?: LocalReads) {
    this.#packaged = packaged;
    this.#greeting = greeting;
    this.#local = local;
  }

  wasm(): Promise<M> {
    this.#loading ??= loadWasm(this.#packaged, this.#greeting, this.#local?.readFile);
    return this.#loading;
  }

  /** Runs `use` with the source opened, and closes it. */
  async withSource<T>(
    wire: WireSource,
    { signal, report }: CallContext,
    use: (module: M, source: ByteSource) => Promise<T>,
  ): Promise<T> {
    const module = await this.wasm();
    const onSpool = (loaded: number) =>
      report({ phase: 'download', loaded, total: 0, cached: false });
    const source = await openSource(wire, { signal, onSpool }, this.#local?.openPath);
    try {
      return await use(module, source);
    } finally {
      await source.close();
    }
  }
}
