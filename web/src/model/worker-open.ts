// The call `open` of workers that run models.
import { AmbryError, toWire, type WireError } from '../base/errors.ts';
import type { CallMap } from '../rpc/protocol.ts';
import type { CallContext, Handlers } from '../rpc/serve.ts';
import type { WorkerRuntime } from '../runtime/worker-runtime.ts';
import type { ByteSource } from '../sources/base/byte-source.ts';
import type { CoreModule } from '../wasm/module.mjs';
import type { RunKind } from './kind.ts';
import { type EncoderCode, headOf, type Opening, openingOf } from './opening.ts';
import type { NotOpened, OpenCalls, OpenedModel, OpenRequest } from './protocol.ts';

/** Loads models of one kind. */
export interface Loader {
  /** The code of encoders that this worker has; all of it if this is left out. */
  readonly codes?: readonly EncoderCode[];
  /** Starts to load the WebAssembly that the model will need. */
  prepare(): Promise<unknown>;
  /** Loads the whole file. */
  load(source: ByteSource, request: OpenRequest, context: CallContext): Promise<OpenedModel>;
  /** Opens a file whose parts are read when they are needed. */
  loadRanged?(request: OpenRequest, context: CallContext): Promise<OpenedModel>;
}

export type Loaders = { readonly [K in RunKind]?: Loader };

/** Opens sources. */
type Sources = Pick<WorkerRuntime<CoreModule>, 'withSourceAlone'>;

/** Opens a file with the loader of its kind, or says how it opens. */
export function openWith(sources: Sources, loaders: Loaders): Handlers<OpenCalls>['open'] {
  return async (request, context) => {
    const { kind, mode, resident, device, source: wire } = request;
    const isOnDevice = device !== undefined && device !== 'wasm';
    if (kind && (mode === 'range' || resident !== undefined || isOnDevice)) {
      const ranged = loaders[kind]?.loadRanged;
      if (ranged) {
        return orConverted(ranged(request, context), kind);
      }
    }
    prepare(loaders, kind);
    return sources.withSourceAlone(wire, context, async (source) => {
      const opens = openingOf(await headOf(source), kind) ?? (kind && { kind, converts: false });
      if (!opens) {
        return openUnknown(loaders, source, request, context);
      }
      const loader = loaderFor(loaders, opens);
      return opens.kind && loader
        ? orConverted(loader.load(source, request, context), opens.kind)
        : { opens };
    });
  };
}

/** The loader that runs the file as it is, if this worker has one. */
function loaderFor(loaders: Loaders, { kind, converts, code }: Opening): Loader | undefined {
  const loader = kind && !converts ? loaders[kind] : undefined;
  const runs = !code || !loader?.codes || loader.codes.includes(code);
  return runs ? loader : undefined;
}

/** Loads the WebAssembly while the source is opened, when it is clear which one. `load` throws what goes wrong with it. */
function prepare(loaders: Loaders, kind: RunKind | undefined): void {
  const all = Object.values(loaders);
  const only = all.length === 1 ? all[0] : undefined;
  const loader = kind ? (loaders[kind] ?? only) : only;
  loader?.prepare().catch(() => undefined);
}

/** No format that runs begins like this file. It may be a network for pictures, which has no magic, or something that can
 *  be converted. When it is neither, the error of the encoder's loader says what the file looks like. */
async function openUnknown(
  { encoder, imageClassifier }: Loaders,
  source: ByteSource,
  request: OpenRequest,
  context: CallContext,
): Promise<OpenedModel | NotOpened> {
  let refusal: WireError | undefined;
  for (const loader of [encoder, imageClassifier]) {
    // A stream is read once.
    if (!loader || (refusal && !source.seekable)) {
      continue;
    }
    const found = await refusalOf(loader.load(source, request, context));
    if (!(found instanceof AmbryError)) {
      return found;
    }
    refusal ??= toWire(found);
  }
  return imageClassifier
    ? { opens: { kind: undefined, converts: true }, refusal }
    : { opens: { kind: 'imageClassifier', converts: false }, isGuess: true, refusal };
}

/** The model. A file of another format may be one that can be converted. */
async function orConverted(
  loading: Promise<OpenedModel>,
  kind: RunKind,
): Promise<OpenedModel | NotOpened> {
  const opened = await refusalOf(loading);
  if (!(opened instanceof AmbryError)) {
    return opened;
  }
  return { opens: { kind, converts: true }, refusal: toWire(opened) };
}

/** The model, or the error that says that the file is of another format. */
function refusalOf(loading: Promise<OpenedModel>): Promise<OpenedModel | AmbryError> {
  return loading.catch((error: unknown) => {
    if (error instanceof AmbryError && error.code === 'BadMagic') {
      return error;
    }
    throw error;
  });
}

/** What a feature brings to a worker: how its models are loaded, and its other calls. */
export interface ModelHandlers<C extends CallMap<C>> {
  readonly loader: Loader;
  readonly handlers: Omit<Handlers<C>, 'open'>;
}

/** The calls of a worker for models of one kind. */
export function handlersFor<C extends CallMap<C> & OpenCalls>(
  sources: Sources,
  kind: RunKind,
  { loader, handlers }: ModelHandlers<C>,
): Handlers<C> {
  return { ...handlers, open: openWith(sources, { [kind]: loader }) } as Handlers<C>;
}
