// Trains and opens classifiers with the built-in encoder, which stays open. The code comes with the first examples.

import { AmbryError, type ClassifierExample, createClassifier, type Encoder, open } from 'ambry';
import type { JobContext } from '../../shared/jobs/jobs.ts';
import { samples, sampleUrl } from '../../shared/samples/samples.ts';
import type { Runtime } from '../../shared/site/runtime.ts';
import { noteUsed } from '../../shared/site/used-files.ts';
import type { Learned } from '../state/state.ts';

let encoder: Encoder | null = null;

/** The browser keeps the file when it is used, so that it works without a connection, too. */
async function openEncoder(runtime: Runtime, { signal, report }: JobContext): Promise<Encoder> {
  if (encoder === null) {
    encoder = await open(sampleUrl(samples.textEncoder), {
      ...runtime,
      kind: 'encoder',
      architecture: 'static',
      signal,
      onProgress: ({ loaded, total }) => report(loaded, total),
    });
    noteUsed(samples.textEncoder.paths[0]);
  }
  return encoder;
}

/** An encoder whose worker has crashed is opened again. */
async function withEncoder<Result>(
  runtime: Runtime,
  context: JobContext,
  use: (opened: Encoder) => Promise<Result>,
): Promise<Result> {
  try {
    return await use(await openEncoder(runtime, context));
  } catch (error) {
    if (!(error instanceof AmbryError) || error.code !== 'Crashed') {
      throw error;
    }
    encoder = null;
    return use(await openEncoder(runtime, context));
  }
}

export function learnTexts(
  examples: readonly ClassifierExample[],
  runtime: Runtime,
  context: JobContext,
): Promise<Learned> {
  const { signal, stage, report } = context;
  const count = examples.length;
  return withEncoder(runtime, context, async (opened) => {
    stage('Learning from the texts', 'passages');
    const classifier = await createClassifier(opened, examples, {
      signal,
      onProgress: ({ loaded, total }) => report(Math.floor((count * loaded) / total), count),
    });
    return { classifier, examples };
  });
}

/** Rejects if it was trained with another encoder. */
export function openClassifier(
  file: File,
  runtime: Runtime,
  context: JobContext,
): Promise<Learned> {
  return withEncoder(runtime, context, async (opened) => {
    const classifier = await open(file, {
      ...runtime,
      kind: 'textClassifier',
      encoder: opened,
      signal: context.signal,
    });
    return { classifier, examples: null };
  });
}

/** The examples of a file. */
export async function examplesIn(file: File): Promise<readonly ClassifierExample[]> {
  const { readExamples } = await import('ambry/passages');
  return (await readExamples(file.name, await file.arrayBuffer())).examples;
}
