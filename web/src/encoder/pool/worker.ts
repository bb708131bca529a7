// The calls of workers that embed side by side over one heap. One of them has it, opens jobs and closes them; every
// one runs their batches.
import type { RunCalls } from '../../rpc/protocol.ts';
import type { Handlers } from '../../rpc/serve.ts';
import { embeddedOut } from '../../runtime/worker-embedded.ts';
import { unwrap, using } from '../../runtime/worker-heap.ts';
import { need } from '../../runtime/worker-need.ts';
import type { Workplace } from '../../runtime/worker-workplace.ts';
import type { EmbedJob, RunModule } from '../../wasm/ambry.mjs';
import { giveTexts } from '../worker-embed.ts';
import { Lane } from './worker-lane.ts';

export type LaneCalls = Pick<
  RunCalls,
  'shareHeap' | 'joinHeap' | 'openLanes' | 'runLane' | 'closeLanes'
>;

/** `idle` waits until no job is under way that would stay behind in the old heap. */
export function laneHandlers(
  place: Workplace<RunModule>,
  idle: () => Promise<void>,
): Handlers<LaneCalls> {
  let lane: Lane | undefined;

  return {
    shareHeap: async () => {
      await idle();
      const share = await place.share();
      if (share) lane ??= await Lane.join(share);
      return share;
    },

    joinHeap: async (share) => {
      lane = await Lane.join(share);
      return null;
    },

    openLanes: async ({ texts, settings, lanes }) => {
      const module = await place.wasm();
      const handle = unwrap(module.beginEmbed(need(place.session), JSON.stringify(settings)));
      try {
        giveTexts(module, handle, texts);
        return { ...unwrap(module.openLanes(handle, lanes)), handle, texts: texts.length };
      } catch (error) {
        module.release(handle);
        throw error;
      }
    },

    runLane: (work, context) => need(lane).run(work, context),

    closeLanes: async ({ handle, wanted }, context) => {
      const module = await place.wasm();
      return using(module, handle as EmbedJob, (job) =>
        wanted ? embeddedOut(module, unwrap(module.embedded(job)), context) : null,
      );
    },
  };
}
