// The calls by which workers compute together. The model's own worker leads; each of the others runs an instance of the
// module over the same memory, and answers no more calls once it serves.
import type { Handlers } from '../rpc/serve.ts';
import { unwrap } from '../runtime/worker-heap.ts';
import type { WorkerRuntime } from '../runtime/worker-runtime.ts';
import type { GeneratorModel, GeneratorModule, InstanceTeam } from '../wasm/module.mjs';
import type { TeamCalls } from './base/protocol.ts';

export function teamHandlers(
  runtime: WorkerRuntime<GeneratorModule>,
  model: () => GeneratorModel,
): Handlers<TeamCalls> {
  return {
    leadTeam: async ({ size }) => {
      if (!runtime.sharesMemory) {
        return null;
      }
      const module = await runtime.wasm();
      const members = [];
      while (members.length < size - 1) {
        members.push(await runtime.lend());
      }
      const team = unwrap(module.makeTeam(size));
      unwrap(module.leadTeam(team, model()));
      return { team, members };
    },

    serveTeam: async ({ team, ...lent }) => {
      await runtime.borrow(lent);
      const module = await runtime.wasm();
      // After the answer to this call.
      setTimeout(() => unwrap(module.serveTeam(team as InstanceTeam)));
      return null;
    },
  };
}
