// Every call. A worker serves one thing: a model, a tokenizer, an index, or a single job.
import { AmbryError } from '../errors.ts';
import type { Calls, WireSource } from '../rpc/protocol.ts';
import type { CallContext, Handlers } from '../rpc/serve.ts';
import { blobSource } from '../source/blob.ts';
import type { ByteSource } from '../source/byte-source.ts';
import { type OpenPath, openSource } from '../source/open-source.ts';
import { spool } from '../source/stream.ts';
import type { Inspection, TokenizerInfo, ValidationReport } from '../types.ts';
import type { AmbryModule } from '../wasm/ambry.mjs';
import { withContext } from './context.ts';
import { blobOutput, convert, type Output } from './convert.ts';
import { unwrap, using } from './heap.ts';
import { fillSink, withParts } from './parts.ts';
import { runHandlers } from './run-handlers.ts';
import type { LocalReads, Workplace } from './workplace.ts';

/** What only Node has. */
export interface LocalFiles extends LocalReads {
  readonly output: (path: string) => Promise<Output>;
}

export function allHandlers(place: Workplace<AmbryModule>, local?: LocalFiles): Handlers<Calls> {
  return {
    ...runHandlers(place),

    hello: async () => {
      const module = await place.wasm();
      return { flavour: module.simdFlavour(), formats: JSON.parse(module.formatIds()) as string[] };
    },

    inspect: ({ source: wire }, context) =>
      place.withSource(wire, context, async (module, source) => {
        const info = await withParts(module, source, (parts) => module.inspect(parts));
        return info as Inspection;
      }),

    validate: ({ source: wire, strict, values, context: around }, context) =>
      place.withSource(wire, context, async (module, source) => {
        const begin = () =>
          withParts(module, source, (parts) => module.beginValidation(parts, strict, values));
        return using(module, await begin(), async (validation) => {
          await fillSink(module, validation, source, context, 'validate');
          const report = unwrap(module.finishValidation(validation)) as ValidationReport;
          return around ? withContext(report, source) : report;
        });
      }),

    convert: ({ source: wire, files: side, settings, output }, context) =>
      place.withSource(wire, context, async (module, source) => {
        const whole = source.seekable ? source : await spooled(source, context);
        const sideFiles = await readWhole(side, context.signal, local?.openPath);
        const target = output === undefined ? blobOutput() : await needLocal(local).output(output);
        return convert(module, whole, sideFiles, settings, target, context);
      }),

    openTokenizer: ({ source: wire }, context) =>
      place.withSource(wire, context, async (module, source) => {
        place.tokenizer = await withParts(module, source, (parts) => module.openTokenizer(parts));
        return unwrap(module.tokenizerInfo(place.tokenizer)) as TokenizerInfo;
      }),
  };
}

function needLocal(local: LocalFiles | undefined): LocalFiles {
  if (local) return local;
  throw new AmbryError('Unsupported', 'A browser cannot write to a path; take the blob.');
}

async function spooled(source: ByteSource, { signal, report }: CallContext): Promise<ByteSource> {
  const chunks = source.stream(0, source.size) as AsyncIterable<Uint8Array<ArrayBuffer>>;
  const { phase, size: total } = source;
  const blob = await spool(chunks, (loaded) => report({ phase, loaded, total, cached: false }));
  return blobSource(blob, signal, phase);
}

async function readWhole(
  side: Readonly<Record<string, WireSource>>,
  signal: AbortSignal,
  openPath: OpenPath | undefined,
): Promise<Map<string, Uint8Array>> {
  const whole = new Map<string, Uint8Array>();
  for (const [name, wire] of Object.entries(side)) {
    const source = await openSource(wire, { signal }, openPath);
    try {
      whole.set(name, await source.read(0, source.size));
    } finally {
      await source.close();
    }
  }
  return whole;
}
