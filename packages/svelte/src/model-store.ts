// The store. It opens a model for its first subscriber, and gives it back after the last one.
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
import { type Readable, readable } from 'svelte/store';

/** What a state does not have is undefined, so that a program may ask for it before it looks at the status. */
type Lacks<Name extends 'progress' | 'model' | 'error'> = { readonly [K in Name]?: undefined };

export type ModelState<M> =
  | ({ readonly status: 'loading'; readonly progress?: Progress } & Lacks<'model' | 'error'>)
  | ({ readonly status: 'ready'; readonly model: M } & Lacks<'progress' | 'error'>)
  /** Mostly an `AmbryError`. */
  | ({ readonly status: 'error'; readonly error: Error } & Lacks<'progress' | 'model'>);

type Source = ModelSource | ModelParts;
type Options = Omit<OpenOptions, 'signal' | 'onProgress'>;

/**
 * A store with the state of a model. It is opened with the first subscriber, and disposed of after the last one; the next
 * subscriber opens it again. So a component that shows the store holds the model as long as it is there.
 *
 * @example
 * const minilm = modelStore('/models/minilm.weights', { kind: 'encoder' });
 * $: if ($minilm.status === 'ready') $minilm.model.embed('the cat');
 */
export function modelStore<K extends ModelKind>(
  source: Source,
  options: Options & { readonly kind: K },
): Readable<ModelState<ModelOfKind[K]>>;
export function modelStore(source: Source, options?: Options): Readable<ModelState<Model>>;
export function modelStore(source: Source, options: Options = {}): Readable<ModelState<Model>> {
  if (typeof options !== 'object' || options === null) {
    throw new AmbryError('BadValue', 'Must be an object of options.', { path: 'options' });
  }
  const loading = { status: 'loading' } as const;
  return readable<ModelState<Model>>(loading, (set) => {
    set(loading);
    const end = new AbortController();
    const tell = (state: ModelState<Model>) => !end.signal.aborted && set(state);
    const opened = open(source, {
      ...options,
      signal: end.signal,
      onProgress: (progress) => tell({ status: 'loading', progress }),
    });
    opened.then(
      (model) => tell({ status: 'ready', model }),
      (error: Error) => tell({ status: 'error', error }),
    );
    return () => {
      end.abort();
      // A model that was open in time must go, too.
      opened.then((model) => model.dispose()).catch(() => {});
    };
  });
}
