// Trains a classifier with the built-in encoder, which stays open. The code comes with the first examples.

import { type ClassifierExample, createClassifier, type Encoder, open } from 'ambry';
import type { JobContext } from '../../shared/jobs/jobs.ts';
import type { Runtime } from '../../shared/site/runtime.ts';
import type { Learned } from '../state/state.ts';

let encoder: Encoder | null = null;

export async function learnTexts(
  examples: readonly ClassifierExample[],
  runtime: Runtime,
  { signal, stage, report }: JobContext,
): Promise<Learned> {
  encoder ??= await open(new URL('../models/english-static-336.weights', document.baseURI), {
    ...runtime,
    kind: 'encoder',
    architecture: 'static',
    signal,
    onProgress: ({ loaded, total }) => report(loaded, total),
  });
  stage('Learning from the texts', 'passages');
  const count = examples.length;
  const classifier = await createClassifier(encoder, examples, {
    signal,
    onProgress: ({ loaded, total }) => report(Math.floor((count * loaded) / total), count),
  });
  return { classifier };
}

/** The examples of a file. */
export async function examplesIn(file: File): Promise<readonly ClassifierExample[]> {
  const { readExamples } = await import('ambry/passages');
  return (await readExamples(file.name, await file.arrayBuffer())).examples;
}
