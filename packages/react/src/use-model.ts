// The hook. It opens a model in an effect, and gives it back when the component goes.
import {
  AmbryError,
  type Model,
  type ModelKind,
  type ModelOfKind,
  type ModelParts,
  type ModelSource,
  type OpenOptions,
  open,
  type Progress,
} from 'ambry';
import { useEffect, useState } from 'react';

/** What a state does not have is undefined, so that a program may ask for it before it looks at the status. */
type Lacks<Name extends 'progress' | 'model' | 'error'> = { readonly [K in Name]?: undefined };

export type ModelState<M> =
  /** There is no source. */
  | ({ readonly status: 'idle' } & Lacks<'progress' | 'model' | 'error'>)
  | ({ readonly status: 'loading'; readonly progress?: Progress } & Lacks<'model' | 'error'>)
  | ({ readonly status: 'ready'; readonly model: M } & Lacks<'progress' | 'error'>)
  /** Mostly an `AmbryError`. */
  | ({ readonly status: 'error'; readonly error: Error } & Lacks<'progress' | 'model'>);

type Source = ModelSource | ModelParts | null;
type Options = Omit<OpenOptions, 'signal' | 'onProgress'>;
/** A state, and the source and options that it is of. */
type Known = {
  readonly state: ModelState<Model>;
  readonly sourceKey: unknown;
  readonly optionsKey: string;
};

/**
 * Opens a model, and disposes of it when the component goes or the source or an option changes. Addresses and plain
 * objects are compared by what they say, files and bytes by identity, functions among the options not at all. Null opens
 * nothing.
 *
 * @example
 * const minilm = useModel('/models/minilm.weights', { kind: 'encoder' });
 * if (minilm.status === 'ready') minilm.model.embed('the cat');
 */
export function useModel<K extends ModelKind>(
  source: Source,
  options: Options & { readonly kind: K },
): ModelState<ModelOfKind[K]>;
export function useModel(source: Source, options?: Options): ModelState<Model>;
export function useModel(source: Source, options: Options = {}): ModelState<Model> {
  const [known, setKnown] = useState<Known>();
  const sourceKey = keyOf(source);
  const optionsKey = keyOfOptions(options);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the keys stand for the source and the options.
  useEffect(() => {
    if (source === null) {
      return undefined;
    }
    return opening(source, options, (state) => setKnown({ state, sourceKey, optionsKey }));
  }, [sourceKey, optionsKey]);
  if (source === null) {
    return { status: 'idle' };
  }
  // The state of an earlier source may be of a model that was disposed of.
  const isCurrent = known?.sourceKey === sourceKey && known?.optionsKey === optionsKey;
  return known && isCurrent ? known.state : { status: 'loading' };
}

/** Returns what ends it. */
function opening(
  source: Exclude<Source, null>,
  options: Options,
  tell: (state: ModelState<Model>) => void,
): () => void {
  const end = new AbortController();
  const { signal } = end;
  const onProgress = (progress: Progress) =>
    !signal.aborted && tell({ status: 'loading', progress });
  const opened = open(source, { ...options, signal, onProgress });
  opened.then(
    (model) => !signal.aborted && tell({ status: 'ready', model }),
    (error: Error) => !signal.aborted && tell({ status: 'error', error }),
  );
  return () => {
    end.abort();
    // A model that was open in time must go, too.
    opened.then((model) => model.dispose()).catch(() => {});
  };
}

function keyOf(source: Source): unknown {
  if (source instanceof URL) {
    return source.href;
  }
  const isPlain = source !== null && Object.getPrototypeOf(source) === Object.prototype;
  // A directory has files, which JSON would lose.
  const isWritten = isPlain && Object.values(source).every((value) => typeof value === 'string');
  return isWritten ? JSON.stringify(source) : source;
}

/** Throws an `AmbryError` for options that cannot be compared with those of the next call. */
function keyOfOptions(options: Options): string {
  if (typeof options !== 'object' || options === null) {
    throw new AmbryError('BadValue', 'Must be an object of options.', { path: 'options' });
  }
  try {
    return JSON.stringify(options);
  } catch (cause) {
    const message = 'Must be plain data, so that it can be compared with the options before.';
    throw new AmbryError('BadValue', message, { path: 'options', cause });
  }
}
