// An instance of the module over the heap of another worker's: it runs batches of that one's jobs, side by side with
// it, and allocates nothing.
import { AmbryError } from '../../errors.ts';
import type { CallContext } from '../../rpc/serve.ts';
import type { HeapShare } from '../../runtime/types.ts';
import { withEventLoop } from '../../runtime/worker-event-loop.ts';
import { withMemory } from '../../runtime/worker-wasm.ts';
import type { LaneWork } from './protocol.ts';

type RunBatch = (job: number, lane: number, batch: number) => number;

export class Lane {
  readonly #memory: WebAssembly.Memory;
  readonly #table: WebAssembly.Table;

  private constructor(memory: WebAssembly.Memory, table: WebAssembly.Table) {
    this.#memory = memory;
    this.#table = table;
  }

  static async join({ module, memory }: HeapShare): Promise<Lane> {
    const { exports } = await WebAssembly.instantiate(module, withMemory(barred(module), memory));
    const isTable = (value: unknown) => value instanceof WebAssembly.Table;
    return new Lane(memory, Object.values(exports).find(isTable) as WebAssembly.Table);
  }

  /** Takes batches as long as there are any; `counts` says which is next, and how many texts are done. */
  run(work: LaneWork, { signal, report }: CallContext): Promise<null> {
    const { job, counts, batches, lane, stacks, stackBytes, texts: total } = work;
    const runBatch = this.#function<RunBatch>(work.run);
    const useStack = this.#function<(top: number) => void>(work.useStack);
    return withEventLoop(async (eventLoop) => {
      for (;;) {
        await eventLoop.turn(signal);
        const shared = new Int32Array(this.#memory.buffer, counts, 2);
        const batch = Atomics.add(shared, 0, 1);
        if (batch >= batches) return null;
        // Another job's may be in use, and gone after it.
        useStack(stacks + (lane + 1) * stackBytes);
        const texts = runBatch(job, lane, batch);
        if (texts === 0) throw new AmbryError('Crashed', 'A batch that was ready did not run.');
        const loaded = Atomics.add(shared, 1, texts) + texts;
        report({ phase: 'embed', loaded, total, cached: false });
      }
    });
  }

  #function<F>(runtime: number): F {
    return this.#table.get(runtime) as F;
  }
}

/** What a batch never calls. */
function barred(module: WebAssembly.Module): WebAssembly.Imports {
  const imports: Record<string, Record<string, () => never>> = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    if (kind !== 'function') continue;
    imports[from] ??= {};
    imports[from][name] = () => {
      throw new Error('A batch called what only the worker that allocates may call.');
    };
  }
  return imports;
}
