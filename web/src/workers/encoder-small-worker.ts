// The browser's worker entry for sentence encoders and search indexes.
import type { EncoderCalls } from '../encoder/protocol.ts';
import { WorkerRuntime } from '../runtime/worker-runtime.ts';
import type { IndexCalls } from '../search/base/protocol.ts';
import { moduleEncoderSmall } from '../wasm/module-encoder-small.ts';
import { encoderAndIndexHandlers } from './encoder-handlers.ts';
import { serveWorker } from './serve.ts';

serveWorker<EncoderCalls & IndexCalls>(({ deterministic }) => {
  const sharesMemory = globalThis.crossOriginIsolated;
  return encoderAndIndexHandlers(
    new WorkerRuntime(moduleEncoderSmall, { deterministic, sharesMemory }),
  );
});
