// Every call. A worker serves one thing: a model, a tokenizer, an index, or a single job.
import { AmbryError } from '../errors.ts';
import type { Calls, WireSource } from '../rpc/protocol.ts';
import type { CallContext, Handlers } from '../rpc/serve.ts';
import { blobSource } from '../source/blob.ts';
import type { ByteSource } from '../source/byte-source.ts';
import { spool } from '../source/stream.ts';
import type { Inspection, TokenizerInfo } from '../types.ts';
import type { AmbryModule, PartialSource } from '../wasm/ambry.mjs';
import { blobOutput, conversionTargets, convert, type Output } from './convert.ts';
import { unwrap } from './heap.ts';
import { isRemote, withParts } from './parts.ts';
import { runHandlers } from './run-handlers.ts';
import { validate } from './validate.ts';
import type { Workplace } from './workplace.ts';

/** Writes to a path; only Node can. */
export type OutputTo = (path: string) => Promise<Output>;

export function allHandlers(place: Workplace<AmbryModule>, outputTo?: OutputTo): Handlers<Calls> {
  return {
    ...runHandlers(place),

    hello: async () => {
      const module = await place.wasm();
      return { flavour: module.simdFlavour(), formats: JSON.parse(module.formatIds()) as string[] };
    },

    inspect: ({ source: wire }, context) =>
      place.withSource(
        wire,
        context,
        async (module, source) => {
          const vocabulary = !isRemote(source);
          const look = (parts: PartialSource) => module.inspect(parts, vocabulary);
          return (await withParts(module, source, look, true)) as Inspection;
        },
        false,
      ),

    validate: ({ source: wire, ...asked }, context) => {
      // Who wants a file kept, or its SHA-256 compared, has it downloaded anyway.
      const kept = Boolean(wire.cache) || wire.sha256 !== undefined;
      const settings = { ...asked, checksums: asked.checksums ?? (kept || undefined) };
      return place.withSource(
        wire,
        context,
        (module, source) => validate(module, source, settings, context),
        settings.values || settings.checksums === true,
      );
    },

    convert: ({ source: wire, files: side, settings, output }, context) =>
      place.withSource(wire, context, async (module, source) => {
        // Reading it in one go is one request, where reading by need would be many.
        const isNear = source.seekable && source.phase === 'load';
        const near = isNear ? source : await spooled(source, context);
        const sideFiles = await readSideFiles(place, side, context);
        const target = output === undefined ? blobOutput() : await need(outputTo)(output);
        return convert(module, near, sideFiles, settings, target, context);
      }),

    conversionTargets: ({ source: wire, files: side, settings }, context) =>
      place.withSource(wire, context, async (module, source) =>
        conversionTargets(module, source, await readSideFiles(place, side, context), settings),
      ),

    openTokenizer: ({ source: wire }, context) =>
      place.withSource(wire, context, async (module, source) => {
        place.tokenizer = await withParts(module, source, (parts) => module.openTokenizer(parts));
        return unwrap(module.tokenizerInfo(place.tokenizer)) as TokenizerInfo;
      }),
  };
}

async function readSideFiles(
  place: Workplace<AmbryModule>,
  side: Readonly<Record<string, WireSource>>,
  context: CallContext,
): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  for (const [name, file] of Object.entries(side)) {
    const read = async (_: unknown, part: ByteSource) => part.read(0, await part.measure());
    files.set(name, await place.withSource(file, context, read));
  }
  return files;
}

function need(outputTo: OutputTo | undefined): OutputTo {
  if (outputTo) return outputTo;
  throw new AmbryError('Unsupported', 'A browser cannot write to a path; take the blob.');
}

async function spooled(source: ByteSource, { signal, report }: CallContext): Promise<ByteSource> {
  const total = await source.measure();
  const chunks = source.stream(0, total) as AsyncIterable<Uint8Array<ArrayBuffer>>;
  const { phase } = source;
  const blob = await spool(chunks, (loaded) => {
    report({ phase, loaded, total, cached: source.cached ?? false });
  });
  return blobSource(blob, signal, phase);
}
