// The browser's worker entry for sentence encoders and search indexes.
import type { EncoderCalls } from '../../encoder/protocol.ts';
import { serveWorker } from '../../platform/worker-serve.ts';
import { WorkerRuntime } from '../../runtime/worker-runtime.ts';
import type { IndexCalls } from '../../search/base/protocol.ts';
import { moduleEncoderSmall } from '../../wasm/module-encoder-small.ts';
import { encoderAndIndexHandlers } from '../handlers/encoder-handlers.ts';

serveWorker<EncoderCalls & IndexCalls>(({ deterministic }) => {
  const sharesMemory = globalThis.crossOriginIsolated;
  return encoderAndIndexHandlers(
    new WorkerRuntime(moduleEncoderSmall, { deterministic, sharesMemory }),
  );
});
