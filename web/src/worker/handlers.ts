// One handler a call. A worker serves one thing: a model, a tokenizer, an index, or a single job.
import { AmbryError } from '../errors.ts';
import type { Calls, Greeting, WireSource } from '../rpc/protocol.ts';
import type { CallContext, Handlers } from '../rpc/serve.ts';
import { blobSource } from '../source/blob.ts';
import type { ByteSource } from '../source/byte-source.ts';
import { type OpenPath, openSource } from '../source/open-source.ts';
import { spool } from '../source/stream.ts';
import type { FileInfo, Inspection, TokenizerInfo, Tokens, ValidationReport } from '../types.ts';
import type { AmbryModule, EncoderSession, Tokenizer } from '../wasm/ambry.mjs';
import { blobOutput, convert, type Output } from './convert.ts';
import { embed } from './embed.ts';
import { unwrap, using } from './heap.ts';
import { IndexStore } from './index-store.ts';
import { fillSink, withParts } from './parts.ts';
import { loadWasm, type PackagedModule, type ReadFile } from './wasm.ts';

/** What only Node has. */
export interface LocalFiles {
  readonly openPath: OpenPath;
  readonly readFile: ReadFile;
  readonly output: (path: string) => Promise<Output>;
}

export function makeHandlers(
  packaged: PackagedModule,
  greeting: Greeting,
  local?: LocalFiles,
): Handlers<Calls> {
  const files = local;
  let loading: Promise<AmbryModule> | undefined;
  let session: EncoderSession | undefined;
  let tokenizer: Tokenizer | undefined;
  let index: IndexStore | undefined;
  const wasm = () => (loading ??= loadWasm(packaged, greeting, files?.readFile));

  async function withSource<T>(
    wire: WireSource,
    { signal, report }: CallContext,
    use: (module: AmbryModule, source: ByteSource) => Promise<T>,
  ): Promise<T> {
    const module = await wasm();
    const onSpool = (loaded: number) =>
      report({ phase: 'download', loaded, total: 0, cached: false });
    const source = await openSource(wire, { signal, onSpool }, files?.openPath);
    try {
      return await use(module, source);
    } finally {
      await source.close();
    }
  }

  return {
    hello: async () => {
      const module = await wasm();
      return { flavour: module.simdFlavour(), formats: JSON.parse(module.formatIds()) as string[] };
    },

    inspect: ({ source: wire }, context) =>
      withSource(wire, context, async (module, source) => {
        const info = await withParts(module, source, (parts) => module.inspect(parts));
        return JSON.parse(info) as Inspection;
      }),

    validate: ({ source: wire, strict, values }, context) =>
      withSource(wire, context, async (module, source) => {
        const begin = () =>
          withParts(module, source, (parts) => module.beginValidation(parts, strict, values));
        return using(await begin(), async (validation) => {
          await fillSink(module, validation, source, context, 'validate');
          return JSON.parse(validation.finish()) as ValidationReport;
        });
      }),

    convert: ({ source: wire, files: side, settings, output }, context) =>
      withSource(wire, context, async (module, source) => {
        const whole = source.seekable ? source : await spooled(source, context);
        const sideFiles = await readWhole(side, context.signal, files?.openPath);
        const target = output === undefined ? blobOutput() : await needLocal(files).output(output);
        return convert(module, whole, sideFiles, settings, target, context);
      }),

    open: ({ source: wire, weights }, context) =>
      withSource(wire, context, async (module, source) => {
        const begin = () => withParts(module, source, (parts) => module.beginLoad(parts, weights));
        session = await using(await begin(), async (loader) => {
          await fillSink(module, loader, source, context, source.phase);
          return unwrap(loader.finish());
        });
        tokenizer = session.tokenizer();
        const info = JSON.parse(session.info()) as FileInfo;
        return { info, weightBytes: session.weightBytes(), flavour: module.simdFlavour() };
      }),

    openTokenizer: ({ source: wire }, context) =>
      withSource(wire, context, async (module, source) => {
        tokenizer = await withParts(module, source, (parts) => module.openTokenizer(parts));
        return JSON.parse(tokenizer.info()) as TokenizerInfo;
      }),

    tokenize: async ({ text, options: { special = true, pair } }) => {
      const encoder = new TextEncoder();
      const second = encoder.encode(pair ?? '');
      const opened = need(tokenizer);
      const tokens = opened.tokenize(encoder.encode(text), special, pair !== undefined, second);
      return JSON.parse(unwrap(tokens)) as Tokens;
    },

    detokenize: async ({ ids, skipSpecial }) =>
      unwrap(need(tokenizer).detokenize(JSON.stringify(ids), skipSpecial)),

    embed: async ({ texts, settings }, context) =>
      embed(await wasm(), need(session), texts, settings, context),

    createIndex: async ({ dim }) => {
      index = IndexStore.create(await wasm(), dim);
      return null;
    },

    readIndex: ({ source: wire }, context) =>
      withSource(wire, context, async (module, source) => {
        index = await IndexStore.read(module, source);
        return index.facts();
      }),

    appendRows: async ({ rows }) => need(index).append(rows),
    searchRows: async ({ query, k }) => need(index).search(query, k),
    writeIndex: async ({ header }) => need(index).write(header),
  };
}

/** The page opens before it calls; only a worker that was replaced after a crash has nothing open. */
function need<T>(opened: T | undefined): T {
  if (opened !== undefined) return opened;
  throw new AmbryError('Crashed', 'The worker that held this is gone; open it again.');
}

function needLocal(files: LocalFiles | undefined): LocalFiles {
  if (files) return files;
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
