// Opens the models of the tasks with a text. This does not change the state of the page.

import {
  AmbryError,
  type OpenOptions,
  open,
  type TextClassifier,
  type TokenClassifier,
} from 'ambry';
import { withoutExtension } from '../../shared/files/file-extension.ts';
import type { FileSource } from '../../shared/files/file-source.ts';
import type { JobContext } from '../../shared/jobs/jobs.ts';
import { modelName } from '../../shared/recognize/kinds.ts';
import { fetchSample, samples, sampleUrl } from '../../shared/samples/samples.ts';
import type { Runtime } from '../../shared/site/runtime.ts';
import type { GivenModel } from '../given/route.ts';
import type { TextTask } from '../state/task.ts';

export type RunsText = TextClassifier | TokenClassifier;
export type RunsTextSource = FileSource & { readonly model: RunsText };

const builtInSamples = { text: samples.languages, names: samples.tagger } as const;

/** A model of another kind is not read: its page is named instead. */
function refuse(kind: GivenModel['kind']): void {
  if (kind !== null && kind !== 'textClassifier' && kind !== 'tokenClassifier') {
    throw new AmbryError('Unsupported', `This is ${modelName(kind)}.`);
  }
}

async function openAs(
  source: OpenSource,
  kind: GivenModel['kind'],
  options: OpenOptions,
): Promise<RunsText> {
  refuse(kind);
  const model = await open(source, { ...options, ...(kind !== null && { kind }) });
  if (model.kind === 'textClassifier' || model.kind === 'tokenClassifier') {
    return model;
  }
  await model.dispose();
  throw new AmbryError('Unsupported', `This is ${modelName(model.kind)}.`);
}

type OpenSource = Parameters<typeof open>[0];

const optionsOf = (runtime: Runtime, { signal, report }: JobContext): OpenOptions => ({
  ...runtime,
  signal,
  onProgress: ({ loaded, total }) => report(loaded, total),
});

export async function openGiven(
  { name, source, kind }: GivenModel,
  runtime: Runtime,
  context: JobContext,
): Promise<RunsTextSource> {
  const model = await openAs(source, kind, optionsOf(runtime, context));
  return { name, builtIn: false, source, model };
}

/** The built-in model of a task is kept when it is used. */
export async function openBuiltIn(
  task: TextTask,
  runtime: Runtime,
  context: JobContext,
): Promise<RunsTextSource> {
  const sample = builtInSamples[task];
  const kind = task === 'text' ? 'textClassifier' : 'tokenClassifier';
  const [given] = (await fetchSample(sample)).files;
  if (given === undefined) {
    throw new Error('The built-in model is missing.');
  }
  const model = await openAs(given.file, kind, optionsOf(runtime, context));
  const name = withoutExtension(given.path, '.ftz', '.weights');
  return { name, builtIn: true, source: sampleUrl(sample), model };
}
