// The calls of the worker that converts files, and looks into them.
import type { ConvertCalls } from '../../convert/protocol.ts';
import { convertHandlers } from '../../convert/worker-convert.ts';
import type { InspectCalls } from '../../inspect/protocol.ts';
import { inspectHandlers } from '../../inspect/worker-inspect.ts';
import type { Handlers } from '../../rpc/serve.ts';
import type { WorkerRuntime } from '../../runtime/worker-runtime.ts';
import type { ConvertModule } from '../../wasm/module.mjs';

export function convertAndInspectHandlers(
  runtime: WorkerRuntime<ConvertModule>,
): Handlers<ConvertCalls & InspectCalls> {
  return { ...inspectHandlers(runtime), ...convertHandlers(runtime) };
}
