// Every call but those of keep-handlers.ts. A worker serves one thing: a model, a tokenizer, an index, or a single job.
import { AmbryError } from '../errors.ts';
import type { Calls, KeepCalls } from '../rpc/protocol.ts';
import type { CallContext, Handlers } from '../rpc/serve.ts';
import { blobSource } from '../source/blob.ts';
import type { ByteSource } from '../source/byte-source.ts';
import { heldBy, kMagicBytes } from '../source/magic.ts';
import type { RangedOptions } from '../source/ranged.ts';
import { spool } from '../source/stream.ts';
import type { Inspection } from '../types.ts';
import type { AmbryModule, PartialSource } from '../wasm/ambry.mjs';
import { Classifier } from './classifier.ts';
import { classifyHandlers } from './classify-handlers.ts';
import { blobOutput, conversionTargets, convert, type Inputs, type Output } from './convert.ts';
import { generateHandlers } from './generate-handlers.ts';
import { isRemote, withParts } from './parts.ts';
import { openEncoder, runHandlers } from './run-handlers.ts';
import { tokenizerHandlers } from './tokenizer-handlers.ts';
import { validate } from './validate.ts';
import { wordsHandlers } from './words-handlers.ts';
import { WordsStore } from './words-store.ts';
import type { Workplace } from './workplace.ts';

/** Writes to a path; only Node can. */
export type OutputTo = (path: string) => Promise<Output>;

export function allHandlers(
  place: Workplace<AmbryModule>,
  ranged: Omit<RangedOptions, 'signal'>,
  outputTo?: OutputTo,
): Handlers<Omit<Calls, keyof KeepCalls>> {
  const run = runHandlers(place);
  const words = wordsHandlers(place, ranged);
  const pictures = classifyHandlers(place);
  const tokens = tokenizerHandlers(place);
  const texts = generateHandlers(place, ranged);
  // What is open decides who takes the calls that models of all kinds share.
  let opened: Pick<typeof run, 'embed' | 'tokenize' | 'detokenize'> = run;
  return {
    ...texts.handlers,
    ...pictures.handlers,
    ...words.handlers,
    ...run,
    embed: (input, context) => opened.embed(input, context),
    copyHeap: async (input, context) => ({ ...(await run.copyHeap(input, context)), whole: true }),
    tokenize: (input, context) => opened.tokenize(input, context),
    detokenize: (input, context) => opened.detokenize(input, context),

    open: (input, context) => {
      if (input.mode === 'classifier') {
        opened = pictures.handlers;
        return pictures.handlers.open(input, context);
      }
      if (input.mode === 'generator' || input.resident !== undefined) {
        opened = texts.handlers;
        return texts.handlers.open(input, context);
      }
      opened = words.handlers;
      if (input.mode === 'range') return words.handlers.open(input, context);
      return place.withSource(input.source, context, async (module, source) => {
        const head = await source.read(0, Math.min(source.size ?? kMagicBytes, kMagicBytes));
        const held = heldBy(head);
        if (held === 'words') return words.hold(await WordsStore.load(module, source, context));
        if (held === 'generator') {
          opened = texts.handlers;
          return texts.load(module, source, input, context);
        }
        opened = run;
        return openEncoder(place, module, source, context, input.weights).catch(
          async (error: AmbryError) => {
            // Networks for pictures have no magic, so they are asked last.
            const network =
              error.code === 'BadMagic' && source.seekable
                ? await unlessForeign(Classifier.load(module, source, context))
                : undefined;
            if (!network) throw error;
            opened = pictures.handlers;
            return pictures.hold(network);
          },
        );
      });
    },

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

    convert: (given, context) =>
      withInputs(place, given, context, async (module, inputs) => {
        const { settings, output } = given;
        const target = output === undefined ? blobOutput() : await need(outputTo)(output);
        return convert(module, inputs, settings, target, context);
      }),

    conversionTargets: (given, context) =>
      withInputs(
        place,
        given,
        context,
        (module, inputs) => conversionTargets(module, inputs, given.settings),
        false,
      ),

    openTokenizer: (input, context) => {
      opened = { ...tokens, embed: run.embed };
      return tokens.openTokenizer(input, context);
    },
  };
}

async function unlessForeign<T>(opening: Promise<T>): Promise<T | undefined> {
  return opening.catch((error: AmbryError) => {
    if (error.code === 'BadMagic') return undefined;
    throw error;
  });
}

/** Runs `use` with all files opened; those that a conversion streams are near. */
async function withInputs<T>(
  place: Workplace<AmbryModule>,
  { weights, files }: Pick<Calls['convert']['in'], 'weights' | 'files'>,
  context: CallContext,
  use: (module: AmbryModule, inputs: Inputs) => Promise<T>,
  whole = true,
): Promise<T> {
  const sideFiles = new Map<string, Uint8Array>();
  for (const [name, file] of Object.entries(files)) {
    const read = async (_: unknown, part: ByteSource) => part.read(0, await part.measure());
    sideFiles.set(name, await place.withSource(file, context, read));
  }
  const withNext = async (held: Inputs['weights']): Promise<T> => {
    const next = weights[held.length];
    if (!next) return use(await place.wasm(), { weights: held, files: sideFiles });
    return place.withSource(next.source, context, async (_, source) => {
      // Reading it in one go is one request, where reading by need would be many.
      const isNear = !whole || (source.seekable && source.phase === 'load');
      const near = isNear ? source : await spooled(source, context);
      return withNext([...held, { name: next.name, source: near }]);
    });
  };
  return withNext([]);
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
