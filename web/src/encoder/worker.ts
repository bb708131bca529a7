// The calls that run a model or search an index. A worker serves one thing: a model or an index.

import type { FileInfo } from '../files/inspect-types.ts';
import type { WeightStorage } from '../model/types.ts';
import type { RunCalls } from '../rpc/protocol.ts';
import type { CallContext, Handlers } from '../rpc/serve.ts';
import { copyOf, encode, unwrap, using } from '../runtime/worker-heap.ts';
import { need } from '../runtime/worker-need.ts';
import { fillSink, withParts } from '../runtime/worker-parts.ts';
import type { Workplace } from '../runtime/worker-workplace.ts';
import { IndexStore } from '../search/worker-index-store.ts';
import type { ByteSource } from '../sources/byte-source.ts';
import type { Tokens } from '../tokenizer/types.ts';
import type { EncoderSession, PartialSource, RunModule } from '../wasm/ambry.mjs';
import { laneHandlers } from './pool/worker.ts';
import { embed } from './worker-embed.ts';

export function runHandlers(place: Workplace<RunModule>): Handlers<RunCalls> {
  let index: IndexStore | undefined;
  const underWay = new UnderWay();

  return {
    ...laneHandlers(place, () => underWay.end()),

    open: ({ source: wire, weights }, context) =>
      place.withSource(wire, context, (module, source) =>
        openEncoder(place, module, source, context, weights),
      ),

    tokenize: async ({ text, options: { special = true, pair } }) => {
      const opened = need(place.tokenizer);
      const module = await place.wasm();
      const second = encode(pair ?? '');
      const tokens = module.tokenize(opened, encode(text), special, pair !== undefined, second);
      return unwrap(tokens) as Tokens;
    },

    detokenize: async ({ ids, skipSpecial }) => {
      const opened = need(place.tokenizer);
      return unwrap((await place.wasm()).detokenize(opened, JSON.stringify(ids), skipSpecial));
    },

    embed: async ({ texts, settings }, context) => {
      const module = await place.wasm();
      return underWay.add(embed(module, need(place.session), texts, settings, context));
    },

    copyHeap: async (_, { transfer }) => {
      const heap = copyOf(await place.wasm());
      transfer.push(heap.buffer);
      return { heap, session: need(place.session) };
    },

    adoptHeap: async ({ heap, session }) => {
      await place.wasm(heap);
      place.session = session as EncoderSession;
      return null;
    },

    createIndex: async ({ dim, int8 }) => {
      index = IndexStore.create(await place.wasm(), dim, int8);
      return null;
    },

    readIndex: ({ source: wire }, context) =>
      place.withSource(wire, context, async (module, source) => {
        index = await IndexStore.read(module, source);
        return index.facts(context);
      }),

    appendRows: async ({ rows }) => need(index).append(rows),
    retainRows: async ({ marks }) => need(index).retain(marks),
    searchRows: async (input) => need(index).search(input),
    writeIndex: async ({ header }) => need(index).write(header),
  };
}

/** Work that is not done. */
class UnderWay {
  readonly #works = new Set<Promise<unknown>>();

  add<T>(work: Promise<T>): Promise<T> {
    const done = (): void => void this.#works.delete(work);
    this.#works.add(work);
    work.then(done, done);
    return work;
  }

  async end(): Promise<void> {
    await Promise.allSettled(this.#works);
  }
}

/** Loads an encoder, which the place then holds. */
export async function openEncoder(
  place: Workplace<RunModule>,
  module: RunModule,
  source: ByteSource,
  context: CallContext,
  weights: WeightStorage = 'as-stored',
): Promise<RunCalls['open']['out']> {
  const begin = (parts: PartialSource) => module.beginLoad(parts, weights);
  const loader = await withParts(module, source, begin, true);
  const session = await using(module, loader, async () => {
    await fillSink(module, loader, source, context, source.phase);
    return unwrap(module.finishLoad(loader));
  });
  place.session = session;
  place.tokenizer = unwrap(module.sessionTokenizer(session));
  const { info, weightBytes } = unwrap(module.sessionFacts(session));
  return { info: info as FileInfo, weightBytes, flavour: module.simdFlavour() };
}
