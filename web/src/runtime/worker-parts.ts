// The two ways a file gets into the core: the parts that a parser asks for, and a stream straight into
// the aligned place that a loader has made for it.
import type { CallContext } from '../rpc/serve.ts';
import type { ByteSource } from '../sources/base/byte-source.ts';
import { ReadAhead } from '../sources/read-ahead.ts';
import type { ByteSink, CoreModule, OutcomeText, PartialSource } from '../wasm/module.mjs';
import { withEventLoop } from './worker-event-loop.ts';
import { outcomeOf, unwrap, using, valueIn } from './worker-heap.ts';

/**
 * Calls `attempt` until it has all the parts it needs. A source that can be had only once is presented
 * as such when `mayStream`: the core then does without its end, and perhaps without its size.
 */
export function withParts<T>(
  module: CoreModule,
  source: ByteSource,
  attempt: (parts: PartialSource) => OutcomeText<T>,
  mayStream = false,
): Promise<T> {
  return hold(module, source, mayStream, (held) =>
    gather(module, [held], () => attempt(held.parts)),
  );
}

/** Gives a function several sources at once, in their order. */
export function withAllParts<T>(
  module: CoreModule,
  sources: readonly ByteSource[],
  attempt: (parts: readonly PartialSource[]) => OutcomeText<T>,
): Promise<T> {
  const holdNext = (all: readonly Held[]): Promise<T> => {
    const source = sources[all.length];
    if (source) {
      return hold(module, source, false, (held) => holdNext([...all, held]));
    }
    return gather(module, all, () => attempt(all.map(({ parts }) => parts)));
  };
  return holdNext([]);
}

interface Held {
  readonly source: ByteSource;
  readonly parts: PartialSource;
  readonly ahead: ReadAhead;
}

async function hold<T>(
  module: CoreModule,
  source: ByteSource,
  mayStream: boolean,
  use: (held: Held) => Promise<T>,
): Promise<T> {
  const streams = mayStream && !source.seekable;
  const size = streams ? source.size : await source.measure();
  return using(module, unwrap(module.createSource(size ?? -1, streams)), (parts) => {
    if (source.ends) {
      unwrap(module.joinParts(parts, JSON.stringify(source.ends)));
    }
    return use({ source, parts, ahead: new ReadAhead() });
  });
}

async function gather<T>(
  module: CoreModule,
  all: readonly Held[],
  attempt: () => OutcomeText<T>,
): Promise<T> {
  for (;;) {
    const outcome = outcomeOf(attempt());
    if (!('error' in outcome) || outcome.error.code !== 'NeedBytes') {
      return valueIn(outcome);
    }
    const { byteOffset, needSize = 0, needFile = 0 } = outcome.error;
    const { source, parts, ahead } = all[needFile] as Held;
    const before = source.size;
    if (byteOffset === undefined) {
      await source.measure();
    } else {
      await insert(module, parts, source, byteOffset, ahead.take(byteOffset, needSize));
    }
    if (source.size !== before) {
      unwrap(module.endsAt(parts, await source.measure()));
    }
  }
}

/** Whether the file is far away and any part of it can be had, so that less is asked for than all. */
export function isRemote(source: ByteSource): boolean {
  return source.seekable && source.phase === 'download';
}

async function insert(
  module: CoreModule,
  parts: PartialSource,
  source: ByteSource,
  offset: number,
  wanted: number,
): Promise<void> {
  const size = Math.min(wanted, (source.size ?? Number.POSITIVE_INFINITY) - offset);
  if (size <= 0) {
    throw new Error(`no bytes at ${offset}`);
  }
  unwrap(module.insert(parts, offset, await source.read(offset, size)));
}

/** Streams what the sink wants into its window, chunk by chunk. */
export async function fillSink(
  module: CoreModule,
  sink: ByteSink,
  source: ByteSource,
  { report, signal }: CallContext,
  phase: 'download' | 'load' | 'validate',
): Promise<void> {
  const { start, wanted } = unwrap(module.sinkRange(sink));
  let at = start;
  const end = start + wanted;
  const say = () => {
    const { size: total = end, cached = false, note } = source;
    report({ phase, loaded: at, total, cached, note });
  };
  if (end > at) {
    await withEventLoop(async (eventLoop) => {
      for await (const chunk of source.stream(at, end)) {
        commit(module, sink, chunk);
        at += chunk.byteLength;
        say();
        await eventLoop.turn(signal);
      }
    });
  }
  at = source.size ?? end;
  say();
}

function commit(module: CoreModule, sink: ByteSink, chunk: Uint8Array): void {
  for (let at = 0; at < chunk.byteLength; ) {
    const window = unwrap(module.rangeOf(sink));
    const size = Math.min(window.size, chunk.byteLength - at);
    if (size === 0) {
      throw new Error('no room for bytes');
    }
    module.HEAPU8.set(chunk.subarray(at, at + size), window.address);
    unwrap(module.commit(sink, size));
    at += size;
  }
}
