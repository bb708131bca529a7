// The calls of the workers for static encoders, and for search indexes beside them.
import type { StaticEncoderCalls } from '../../encoder/protocol.ts';
import { staticEncoderHandlers } from '../../encoder/worker-static.ts';
import { handlersFor } from '../../model/worker-open.ts';
import type { Handlers } from '../../rpc/serve.ts';
import type { WorkerRuntime } from '../../runtime/worker-runtime.ts';
import type { IndexCalls } from '../../search/base/protocol.ts';
import { indexHandlers } from '../../search/worker.ts';
import type { StaticModule } from '../../wasm/module.mjs';

type Calls = StaticEncoderCalls & IndexCalls;

/** For WordPiece. For other encoders, `open` says which worker runs them. */
export function staticAndIndexHandlers(runtime: WorkerRuntime<StaticModule>): Handlers<Calls> {
  const { loader, handlers } = staticEncoderHandlers(runtime);
  const small = { loader: { ...loader, codes: ['static-small'] as const }, handlers };
  return { ...handlersFor(runtime, 'encoder', small), ...indexHandlers(runtime) };
}

/** For every tokenizer. */
export function everyStaticAndIndexHandlers(runtime: WorkerRuntime<StaticModule>): Handlers<Calls> {
  return {
    ...handlersFor(runtime, 'encoder', staticEncoderHandlers(runtime)),
    ...indexHandlers(runtime),
  };
}
