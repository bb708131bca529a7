// The two ways a file gets into the core: the parts that a parser asks for, and a stream straight into
// the aligned place that a loader has made for it.
import type { CallContext } from '../rpc/serve.ts';
import type { ByteSource } from '../source/byte-source.ts';
import type { ByteSink, OutcomeText, PartialSource, RunModule } from '../wasm/ambry.mjs';
import { withBreath } from './breath.ts';
import { outcomeOf, unwrap, using, valueIn } from './heap.ts';

const kFirstReadAhead = 64 * 1024;
const kLargestReadAhead = 4 * 1024 * 1024;

/** Calls `attempt` until it has all the parts it needs; reading ahead grows with every part. */
export function withParts<T>(
  module: RunModule,
  source: ByteSource,
  attempt: (parts: PartialSource) => OutcomeText<T>,
): Promise<T> {
  return using(module, unwrap(module.createSource(source.size, false)), async (parts) => {
    let readAhead = kFirstReadAhead;
    for (;;) {
      const outcome = outcomeOf(attempt(parts));
      if (!('error' in outcome) || outcome.error.code !== 'NeedBytes') return valueIn(outcome);
      const { byteOffset = 0, needSize = 0 } = outcome.error;
      const size = Math.min(Math.max(needSize, readAhead), source.size - byteOffset);
      if (size <= 0) throw new Error(`the core asked for bytes past the end, at ${byteOffset}`);
      unwrap(module.insert(parts, byteOffset, await source.read(byteOffset, size)));
      readAhead = Math.min(readAhead * 2, kLargestReadAhead);
    }
  });
}

/** Streams what the sink wants into its window, chunk by chunk. */
export async function fillSink(
  module: RunModule,
  sink: ByteSink,
  source: ByteSource,
  { report, signal }: CallContext,
  phase: 'download' | 'load' | 'validate',
): Promise<void> {
  const { start, wanted } = unwrap(module.sinkRange(sink));
  let at = start;
  const end = start + wanted;
  const say = () => report({ phase, loaded: at, total: source.size, cached: false });
  if (end > at) {
    await withBreath(async (breath) => {
      for await (const chunk of source.stream(at, end)) {
        commit(module, sink, chunk);
        at += chunk.byteLength;
        say();
        await breath.take(signal);
      }
    });
  }
  at = source.size;
  say();
}

function commit(module: RunModule, sink: ByteSink, chunk: Uint8Array): void {
  for (let at = 0; at < chunk.byteLength; ) {
    const window = unwrap(module.sinkWindow(sink));
    const size = Math.min(window.size, chunk.byteLength - at);
    if (size === 0) throw new Error('the core gave no room for bytes it wants');
    module.HEAPU8.set(chunk.subarray(at, at + size), window.address);
    unwrap(module.commit(sink, size));
    at += size;
  }
}
