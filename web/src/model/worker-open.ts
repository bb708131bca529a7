// The call `open` of workers that run models.
import { AmbryError } from '../errors.ts';
import type { CallMap } from '../rpc/protocol.ts';
import type { CallContext, Handlers } from '../rpc/serve.ts';
import type { WorkerRuntime } from '../runtime/worker-runtime.ts';
import type { ByteSource } from '../sources/byte-source.ts';
import type { CoreModule } from '../wasm/module.mjs';
import { kindOf, type ModelKind, magicBytes } from './kind.ts';
import type { OpenCalls, OpenedModel, OpenRequest, OtherKind } from './protocol.ts';

/** Loads models of one kind. */
export interface Loader {
  /** Starts to load the WebAssembly that the model will need. */
  prepare(): Promise<unknown>;
  /** Loads the whole file. */
  load(source: ByteSource, request: OpenRequest, context: CallContext): Promise<OpenedModel>;
  /** Opens a file whose parts are read when they are needed. */
  loadRanged?(request: OpenRequest, context: CallContext): Promise<OpenedModel>;
}

export type Loaders = { readonly [K in ModelKind]?: Loader };

/** Opens sources. */
type Sources = Pick<WorkerRuntime<CoreModule>, 'withSourceAlone'>;

/** Opens a file with the loader of its kind, or says which other kind it is. */
export function openWith(sources: Sources, loaders: Loaders): Handlers<OpenCalls>['open'] {
  return async (request, context) => {
    const { kind, mode, resident, source: wire } = request;
    if (kind && (mode === 'range' || resident !== undefined)) {
      const ranged = loaders[kind]?.loadRanged;
      if (ranged) return ranged(request, context);
    }
    prepare(loaders, kind);
    return sources.withSourceAlone(wire, context, async (source) => {
      const found = kind ?? kindOf(await headOf(source));
      if (!found) return openUnknown(loaders, source, request, context);
      const loader = loaders[found];
      return loader ? loader.load(source, request, context) : { otherKind: found };
    });
  };
}

/** Loads the WebAssembly while the source is opened, when it is clear which one. `load` throws what goes wrong with it. */
function prepare(loaders: Loaders, kind: ModelKind | undefined): void {
  const all = Object.values(loaders);
  const loader = kind ? loaders[kind] : all.length === 1 ? all[0] : undefined;
  loader?.prepare().catch(() => undefined);
}

function headOf(source: ByteSource): Promise<Uint8Array> {
  return source.read(0, Math.min(source.size ?? magicBytes, magicBytes));
}

/** No format begins like this file. It may be a network for pictures, which has no magic. When it is not, the error of
 *  the encoder's loader says what the file looks like. */
async function openUnknown(
  { encoder, classifier }: Loaders,
  source: ByteSource,
  request: OpenRequest,
  context: CallContext,
): Promise<OpenedModel | OtherKind> {
  if (!encoder) return { otherKind: 'classifier' };
  const refusal = await refusalOf(encoder.load(source, request, context));
  if (!(refusal instanceof AmbryError)) return refusal;
  if (!classifier) return { otherKind: 'classifier', refusal: refusal.toJSON() };
  if (!source.seekable) throw refusal;
  const network = await refusalOf(classifier.load(source, request, context));
  if (network instanceof AmbryError) throw refusal;
  return network;
}

/** The model, or the error that says that the file is of another format. */
function refusalOf(loading: Promise<OpenedModel>): Promise<OpenedModel | AmbryError> {
  return loading.catch((error: unknown) => {
    if (error instanceof AmbryError && error.code === 'BadMagic') return error;
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
  kind: ModelKind,
  { loader, handlers }: ModelHandlers<C>,
): Handlers<C> {
  return { ...handlers, open: openWith(sources, { [kind]: loader }) } as Handlers<C>;
}
