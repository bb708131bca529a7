// What a worker holds for the caller.
/// <reference lib="esnext.disposable" preserve="true" />
import type { CallMap } from '../rpc/protocol.ts';
import type { Connection } from '../runtime/connect.ts';

/** A model, tokenizer or index in a worker of its own. */
export abstract class WorkerResource<C extends CallMap<C>> {
  /** @internal */
  readonly connection: Connection<C>;

  /** @internal */
  constructor(connection: Connection<C>) {
    this.connection = connection;
  }

  /** Ends the worker, which gives all memory back. Calls that are under way reject with `Cancelled`. */
  async dispose(): Promise<void> {
    const { channel, further } = this.connection;
    await channel.close();
    for (const other of further) {
      await other.close();
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }
}
