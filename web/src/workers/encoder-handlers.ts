// The calls of the workers for encoders and search indexes, which run the same module.
import type { EncoderCalls } from '../encoder/protocol.ts';
import { encoderHandlers } from '../encoder/worker.ts';
import { handlersFor } from '../model/worker-open.ts';
import type { Handlers } from '../rpc/serve.ts';
import type { WorkerRuntime } from '../runtime/worker-runtime.ts';
import type { IndexCalls } from '../search/protocol.ts';
import { indexHandlers } from '../search/worker.ts';
import type { RunModule } from '../wasm/module.mjs';

export function encoderAndIndexHandlers(
  runtime: WorkerRuntime<RunModule>,
): Handlers<EncoderCalls & IndexCalls> {
  return {
    ...handlersFor(runtime, 'encoder', encoderHandlers(runtime)),
    ...indexHandlers(runtime),
  };
}
