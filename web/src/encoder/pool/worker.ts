// The calls of workers that embed side by side with one encoder. The model's own worker opens and closes jobs; every
// worker runs their batches.
import { embeddedOut } from '../../model/worker-embedded.ts';
import type { Handlers } from '../../rpc/serve.ts';
import { copyOf, unwrap, using } from '../../runtime/worker-heap.ts';
import { requireOpen } from '../../runtime/worker-open-check.ts';
import type { WorkerRuntime } from '../../runtime/worker-runtime.ts';
import type { EmbedJob, EncoderSession, RunModule } from '../../wasm/module.mjs';
import { giveTexts } from '../worker-embed.ts';
import type { PoolCalls } from './protocol.ts';
import { Lane } from './worker-lane.ts';

/** The encoder that the worker holds. */
interface HeldEncoder {
  readonly session: () => EncoderSession;
  readonly adopt: (session: EncoderSession) => void;
  /** Waits until no job runs that would stay behind in the old heap. */
  readonly idle: () => Promise<void>;
}

export function poolHandlers(
  runtime: WorkerRuntime<RunModule>,
  held: HeldEncoder,
): Handlers<PoolCalls> {
  let lane: Lane | undefined;

  return {
    copyHeap: async (_, { transfer }) => {
      const heap = copyOf(await runtime.wasm());
      transfer.push(heap.buffer);
      return { heap, session: held.session() };
    },

    adoptHeap: async ({ heap, session }) => {
      await runtime.wasm(heap);
      held.adopt(session as EncoderSession);
      return null;
    },

    shareHeap: async () => {
      await held.idle();
      const share = await runtime.share();
      if (share) lane ??= await Lane.join(share);
      return share;
    },

    joinHeap: async (share) => {
      lane = await Lane.join(share);
      return null;
    },

    openLanes: async ({ texts, settings, lanes }) => {
      const module = await runtime.wasm();
      const handle = unwrap(module.beginEmbed(held.session(), JSON.stringify(settings)));
      try {
        giveTexts(module, handle, texts);
        return { ...unwrap(module.openLanes(handle, lanes)), handle, texts: texts.length };
      } catch (error) {
        module.release(handle);
        throw error;
      }
    },

    runLane: (work, context) => requireOpen(lane).run(work, context),

    closeLanes: async ({ handle, wanted }, context) => {
      const module = await runtime.wasm();
      return using(module, handle as EmbedJob, (job) =>
        wanted ? embeddedOut(module, unwrap(module.embedded(job)), context) : null,
      );
    },
  };
}
