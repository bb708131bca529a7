// The calls that inspect and validate files.

import { withLargeIntegers } from '../model/large-integers.ts';
import type { Handlers } from '../rpc/serve.ts';
import { isRemote, withParts } from '../runtime/worker-parts.ts';
import type { WorkerRuntime } from '../runtime/worker-runtime.ts';
import { keepsIn } from '../sources/open-cached.ts';
import type { InspectModule, PartialSource } from '../wasm/module.mjs';
import type { Inspection } from './inspect-types.ts';
import type { InspectCalls } from './protocol.ts';
import { readTensors } from './worker-tensors.ts';
import { validate } from './worker-validate.ts';

export function inspectHandlers(runtime: WorkerRuntime<InspectModule>): Handlers<InspectCalls> {
  return {
    hello: async () => {
      const module = await runtime.wasm();
      return { formats: JSON.parse(module.formatIds()) as string[] };
    },

    inspect: ({ source: wire }, context) =>
      runtime.withSource(
        wire,
        context,
        async (module, source) => {
          const vocabulary = !isRemote(source);
          const look = (parts: PartialSource) => module.inspect(parts, vocabulary);
          return withLargeIntegers((await withParts(module, source, look, true)) as Inspection);
        },
        false,
      ),

    readTensors: ({ source: wire, ...asked }, context) =>
      runtime.withSource(wire, context, (module, source) => readTensors(module, source, asked)),

    validate: ({ source: wire, ...asked }, context) => {
      // A cached or hashed file is downloaded completely in any case.
      const kept = (wire.cache && keepsIn(wire.cache)) || wire.sha256 !== undefined;
      const settings = { ...asked, checksums: asked.checksums ?? (kept || undefined) };
      return runtime.withSource(
        wire,
        context,
        (module, source) => validate(module, source, settings, context),
        settings.values || settings.checksums === true,
      );
    },
  };
}
