// The ways in which a model comes to the page. None of them touches the page's state.

import { open } from 'ambry';
import type { JobContext } from '../../shared/jobs.ts';
import type { Runtime } from '../../shared/runtime.ts';
import { builtInModelName, builtInModelUrl } from '../built-in.ts';
import type { LoadedModel } from '../state.ts';

/** All that is known of a model before it is open. */
export type ModelFacts = Omit<LoadedModel, 'model'>;

export type Opener = (context: JobContext) => Promise<LoadedModel>;

export function builtInFacts(): ModelFacts {
  return { source: builtInModelUrl(), name: builtInModelName, builtIn: true, converted: null };
}

/** An opener of a `.weights` file. */
export function opener(facts: ModelFacts, runtime: Runtime): Opener {
  return async ({ signal, report }) => {
    const model = await open(facts.source, {
      ...runtime,
      cache: !facts.builtIn,
      signal,
      onProgress: ({ loaded, total }) => report(loaded, total),
    });
    return { ...facts, model };
  };
}
