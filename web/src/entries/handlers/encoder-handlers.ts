// The calls of the workers for encoders and search indexes, which run the same module.
import type { AllOutputsCalls } from '../../encoder/all/protocol.ts';
import { allOutputsHandlers } from '../../encoder/all/worker.ts';
import type { EncoderCalls } from '../../encoder/protocol.ts';
import { encoderHandlers } from '../../encoder/worker.ts';
import type { LateCalls } from '../../late-interaction/protocol.ts';
import { lateHandlers } from '../../late-interaction/worker.ts';
import { handlersFor, type ModelHandlers } from '../../model/worker-open.ts';
import type { Handlers } from '../../rpc/serve.ts';
import type { WorkerRuntime } from '../../runtime/worker-runtime.ts';
import type { IndexCalls } from '../../search/base/protocol.ts';
import { indexHandlers } from '../../search/worker.ts';
import { anyIndex } from '../../search/worker-document-store.ts';
import type { SparseOnlyCalls } from '../../sparse-encoder/protocol.ts';
import { sparseHandlers } from '../../sparse-encoder/worker.ts';
import type { TokenHeadOnlyCalls } from '../../token-head/protocol.ts';
import { tokenHeadHandlers } from '../../token-head/worker.ts';
import type { EncoderModule, EncoderSmallModule } from '../../wasm/module.mjs';

type Calls = EncoderCalls & IndexCalls;
/** What only the module with every encoder has. */
type MoreCalls = LateCalls & TokenHeadOnlyCalls & SparseOnlyCalls & AllOutputsCalls;

/** For BERT's family with WordPiece. For other encoders, `open` says which worker runs them. */
export function encoderAndIndexHandlers(
  runtime: WorkerRuntime<EncoderSmallModule>,
): Handlers<Calls> {
  const { loader, handlers } = encoderHandlers(runtime);
  const small = { loader: { ...loader, codes: ['encoder-small'] as const }, handlers };
  return { ...handlersFor(runtime, 'encoder', small), ...indexHandlers(runtime) };
}

/** For all encoders, those with late interaction and with heads for tokens among them. */
export function everyEncoderAndIndexHandlers(
  runtime: WorkerRuntime<EncoderModule>,
): Handlers<Calls & MoreCalls> {
  return {
    ...handlersFor(runtime, 'encoder', everyEncoderHandlers(runtime)),
    ...indexHandlers(runtime, anyIndex),
  };
}

export function everyEncoderHandlers(
  runtime: WorkerRuntime<EncoderModule>,
): ModelHandlers<EncoderCalls & MoreCalls> {
  const { loader, handlers, model } = encoderHandlers(runtime);
  return {
    loader,
    handlers: {
      ...handlers,
      ...lateHandlers(runtime, model),
      ...tokenHeadHandlers(runtime, model),
      ...sparseHandlers(runtime, model),
      ...allOutputsHandlers(runtime, model),
    },
  };
}
