// The calls by which workers compute together. The model's own worker leads; each of the others runs an instance of the
// module over the same memory, and answers no more calls once it serves.
import type { Handlers } from '../rpc/serve.ts';
import { unwrap } from '../runtime/worker-heap.ts';
import type { WorkerRuntime } from '../runtime/worker-runtime.ts';
import type {
  GenerateModule,
  GeneratorSession,
  InstanceTeam,
  TeamBindings,
} from '../wasm/module.mjs';
import type { TeamCalls } from './protocol.ts';

export function teamHandlers(
  runtime: WorkerRuntime<GenerateModule>,
  session: () => GeneratorSession,
): Handlers<TeamCalls> {
  /** Modules whose memory is shared have these bindings. */
  const bindings = async () => (await runtime.wasm()) as GenerateModule & TeamBindings;

  return {
    leadTeam: async ({ size }) => {
      if (!runtime.sharesMemory) return null;
      const module = await bindings();
      const members = [];
      while (members.length < size - 1) members.push(await runtime.lend());
      const team = unwrap(module.makeTeam(size));
      unwrap(module.leadTeam(team, session()));
      return { team, members };
    },

    serveTeam: async ({ team, ...lent }) => {
      await runtime.borrow(lent);
      const module = await bindings();
      // After the answer to this call.
      setTimeout(() => unwrap(module.serveTeam(team as InstanceTeam)));
      return null;
    },
  };
}
