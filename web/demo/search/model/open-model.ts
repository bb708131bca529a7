// Opens a model. This does not change the state of the page.

import { AmbryError, type Model, open } from 'ambry';
import type { JobContext } from '../../shared/jobs/jobs.ts';
import type { Runtime } from '../../shared/site/runtime.ts';
import { builtInModelName, builtInModelUrl } from '../state/built-in.ts';
import type { LoadedModel } from '../state/state.ts';

/** A model before it is open. */
export type ModelChoice = Omit<LoadedModel, 'model'>;

export type Opener = (context: JobContext) => Promise<LoadedModel>;

export function builtInChoice(): ModelChoice {
  return { source: builtInModelUrl(), name: builtInModelName, builtIn: true, converted: null };
}

/** Opens a model of any kind. */
export function openModel(
  choice: ModelChoice,
  runtime: Runtime,
  { signal, report }: JobContext,
): Promise<Model> {
  return open(choice.source, {
    ...runtime,
    // Then no other worker is downloaded.
    ...(choice.builtIn && { architecture: 'static' }),
    cache: !choice.builtIn,
    signal,
    onProgress: ({ loaded, total }) => report(loaded, total),
  });
}

/** The model if it can search. */
export async function searching(choice: ModelChoice, model: Model): Promise<LoadedModel> {
  if (model.kind === 'encoder' || model.kind === 'words') {
    return { ...choice, model };
  }
  await model.dispose();
  const message = 'This model gives no vectors of texts. Search needs a sentence encoder.';
  throw new AmbryError('Unsupported', message);
}

/** An opener of a `.weights` file. */
export function opener(choice: ModelChoice, runtime: Runtime): Opener {
  return async (context) => searching(choice, await openModel(choice, runtime, context));
}
