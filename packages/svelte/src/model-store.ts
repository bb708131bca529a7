// The store. It opens a model for its first subscriber, and gives it back after the last one.
import {
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

export type ModelState<M> =
  | { readonly status: 'loading'; readonly progress?: Progress }
  | { readonly status: 'ready'; readonly model: M }
  | { readonly status: 'error'; readonly error: unknown };

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
      (error: unknown) => tell({ status: 'error', error }),
    );
    return () => {
      end.abort();
      // A model that was open in time must go, too.
      opened.then((model) => model.dispose()).catch(() => {});
    };
  });
}
