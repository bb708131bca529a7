// Loads models of every kind into the core's heap, and asks what they say of themselves.
import type { CallContext } from '../rpc/serve.ts';
import { toJson, unwrap, using } from '../runtime/worker-heap.ts';
import { fillSink, withParts } from '../runtime/worker-parts.ts';
import type { ByteSource } from '../sources/base/byte-source.ts';
import type {
  AnyModel,
  CoreModule,
  Loader,
  ModelBindings,
  ModelsByKind,
  PartialSource,
} from '../wasm/module.mjs';
import type { FileInfo } from './file-info.ts';
import type { RunKind } from './kind.ts';
import { withLargeIntegers } from './large-integers.ts';
import type { OpenedModel } from './protocol.ts';

/** The calls by which a module loads models. */
export type LoadModule = CoreModule & ModelBindings;

export interface LoadOptions {
  /** What the core's loader of this kind reads. */
  readonly options?: object;
  /** Whether the loader can do with a source that can be had only once. */
  readonly mayStream?: boolean;
}

/** Streams the file of a model into the heap. */
export async function loadModel<K extends keyof ModelsByKind>(
  module: LoadModule,
  kind: K,
  source: ByteSource,
  context: CallContext,
  { options = {}, mayStream = false }: LoadOptions = {},
): Promise<ModelsByKind[K]> {
  const settings = toJson(options);
  const begin = (parts: PartialSource) => module.beginLoad(kind, parts, settings);
  const loader = await withParts(module, source, begin, mayStream);
  return using(module, loader, async () => {
    await fillSink(module, loader, source, context, source.phase);
    return unwrap(module.finishLoad(loader)) as ModelsByKind[K];
  });
}

/** Opens a model that needs no more than the head of its file, and what `give` gives the loader. */
export async function openHead<K extends keyof ModelsByKind>(
  module: LoadModule,
  kind: K,
  source: ByteSource,
  options: object,
  give?: (loader: Loader) => Promise<void>,
): Promise<ModelsByKind[K]> {
  const settings = toJson(options);
  const begin = (parts: PartialSource) => module.beginLoad(kind, parts, settings);
  const loader = await withParts(module, source, begin);
  return using(module, loader, async () => {
    await give?.(loader);
    return unwrap(module.finishLoad(loader)) as ModelsByKind[K];
  });
}

/** What the page is told of a model that was opened. */
export function openedModel(module: LoadModule, kind: RunKind, model: AnyModel): OpenedModel {
  const { info, weightBytes } = unwrap(module.modelFacts(model));
  return {
    kind,
    info: withLargeIntegers(info as FileInfo),
    weightBytes,
    flavour: module.simdFlavour(),
  };
}
