// The call `open` of workers that run models.
import { AmbryError } from '../base/errors.ts';
import type { CallMap } from '../rpc/protocol.ts';
import type { CallContext, Handlers } from '../rpc/serve.ts';
import type { WorkerRuntime } from '../runtime/worker-runtime.ts';
import type { ByteSource } from '../sources/base/byte-source.ts';
import type { CoreModule } from '../wasm/module.mjs';
import { headOf, kindOf, type RunKind, workerKind } from './kind.ts';
import type { Opening } from './opening.ts';
import type { NotOpened, OpenCalls, OpenedModel, OpenRequest } from './protocol.ts';

/** Loads models of one kind. */
export interface Loader {
  /** The answer for a model of this kind that another worker runs, by the first bytes of its file. */
  elsewhere?(head: Uint8Array): Pick<NotOpened, 'worker'> | undefined;
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

/** Without conversions, of which small workers know nothing. */
function asItIs(head: Uint8Array, wanted?: RunKind): Opening | undefined {
  const kind = workerKind(head, wanted) ?? kindOf(head);
  return kind && { kind, converts: false };
}

/** Opens a file with the loader of its kind, or says which other kind it is, or that it has to be converted. */
export function openWith(
  sources: Sources,
  loaders: Loaders,
  openingOf: typeof asItIs = asItIs,
): Handlers<OpenCalls>['open'] {
  return async (request, context) => {
    const { kind, mode, resident, source: wire } = request;
    if (kind && (mode === 'range' || resident !== undefined)) {
      const ranged = loaders[kind]?.loadRanged;
      if (ranged) {
        return orConverted(ranged(request, context), kind);
      }
    }
    prepare(loaders, kind);
    return sources.withSourceAlone(wire, context, async (source) => {
      const head = await headOf(source);
      const opening = openingOf(head, kind);
      if (opening?.converts) {
        return { otherKind: opening.kind, converts: true };
      }
      const found = opening?.kind ?? kind;
      if (!found) {
        return openUnknown(loaders, source, request, context, head);
      }
      const loader = loaders[found];
      if (!loader) {
        return { otherKind: found, head };
      }
      const elsewhere = loader.elsewhere?.(head);
      if (elsewhere) {
        return { otherKind: found, ...elsewhere };
      }
      return orConverted(loader.load(source, request, context), found);
    });
  };
}

/** Loads the WebAssembly while the source is opened, when it is clear which one. `load` throws what goes wrong with it. */
function prepare(loaders: Loaders, kind: RunKind | undefined): void {
  const all = Object.values(loaders);
  const loader = kind ? loaders[kind] : all.length === 1 ? all[0] : undefined;
  loader?.prepare().catch(() => undefined);
}

/** No format that runs begins like this file. It may be a network for pictures, which has no magic, or something that can
 *  be converted. When it is neither, the error of the encoder's loader says what the file looks like. */
async function openUnknown(
  { encoder, classifier }: Loaders,
  source: ByteSource,
  request: OpenRequest,
  context: CallContext,
  head: Uint8Array,
): Promise<OpenedModel | NotOpened> {
  if (!encoder) {
    return { otherKind: 'classifier' };
  }
  const found = await refusalOf(encoder.load(source, request, context));
  if (!(found instanceof AmbryError)) {
    return found;
  }
  const refusal = found.toJSON();
  if (!classifier) {
    return { otherKind: 'classifier', refusal, head };
  }
  const converted = { otherKind: undefined, converts: true, refusal };
  if (!source.seekable) {
    return converted;
  }
  const network = await refusalOf(classifier.load(source, request, context));
  return network instanceof AmbryError ? converted : network;
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
  return { otherKind: kind, converts: true, refusal: opened.toJSON() };
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
