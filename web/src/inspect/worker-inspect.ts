// The calls that inspect and validate files.

import { withLargeIntegers } from '../model/large-integers.ts';
import type { Handlers } from '../rpc/serve.ts';
import { isRemote, withParts } from '../runtime/worker-parts.ts';
import type { WorkerRuntime } from '../runtime/worker-runtime.ts';
import type { ByteSource } from '../sources/base/byte-source.ts';
import { keepsIn } from '../sources/open-cached.ts';
import type { InspectModule, OnnxBindings, PartialSource } from '../wasm/module.mjs';
import type { Inspection } from './inspect-types.ts';
import type { OnnxGraph } from './onnx-types.ts';
import type { InspectCalls } from './protocol.ts';
import { readTensors } from './worker-tensors.ts';
import { validate } from './worker-validate.ts';

/** Only the module for ONNX has the call. */
async function graphOf(
  module: InspectModule,
  source: ByteSource,
  onnxGraph: OnnxBindings['onnxGraph'],
): Promise<OnnxGraph> {
  return (await withParts(module, source, onnxGraph, true)) as OnnxGraph;
}

export function inspectHandlers(runtime: WorkerRuntime<InspectModule>): Handlers<InspectCalls> {
  return {
    hello: async () => {
      const module = await runtime.wasm();
      return { formats: JSON.parse(module.formatIds()) as string[] };
    },

    inspect: ({ source: wire, graph }, context) =>
      runtime.withSource(
        wire,
        context,
        async (module, source) => {
          const vocabulary = !isRemote(source);
          const look = (parts: PartialSource) => module.inspect(parts, vocabulary);
          const found = (await withParts(module, source, look, true)) as Inspection;
          const { onnxGraph } = module as Partial<OnnxBindings>;
          return withLargeIntegers(
            graph && onnxGraph && found.format === 'onnx'
              ? { ...found, graph: await graphOf(module, source, onnxGraph) }
              : found,
          );
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
