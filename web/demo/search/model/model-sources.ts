// Models that are not built in: files, addresses, and Hugging Face folders.

import { convert, type ModelSource, type Problem } from 'ambry';
import { withoutExtension } from '../../shared/files/file-extension.ts';
import { modelExtension } from '../../shared/files/file-types.ts';
import type { JobContext } from '../../shared/jobs/jobs.ts';
import type { Runtime } from '../../shared/site/runtime.ts';
import type { LoadedModel, LoadedReader } from '../state/state.ts';
import { type ModelChoice, openModel, searching } from './open-model.ts';

const baseName = (fileName: string): string => withoutExtension(fileName, modelExtension);

export function fileChoice(file: File): ModelChoice {
  return { source: file, name: baseName(file.name), builtIn: false, converted: null };
}

export function urlChoice(url: string): ModelChoice {
  const file = new URL(url).pathname.split('/').pop() || url;
  return { source: url, name: baseName(file), builtIn: false, converted: null };
}

/** By their path in the folder. */
export type ModelFiles = ReadonlyMap<string, ModelSource>;

/** A model that searches, or one that answers questions. */
export type Given = LoadedModel | LoadedReader;

export type GivenOpener = (context: JobContext) => Promise<Given>;

export const isReader = (given: Given): given is LoadedReader =>
  given.model.kind === 'questionAnswering';

/** An opener of what the user gives. */
export function givenOpener(choice: ModelChoice, runtime: Runtime): GivenOpener {
  return async (context) => {
    const model = await openModel(choice, runtime, context);
    const { name, source } = choice;
    return model.kind === 'questionAnswering' ? { name, source, model } : searching(choice, model);
  };
}

/** An opener of a Hugging Face folder. It converts the files to a `.weights` file first. */
export function converter(name: string, files: ModelFiles, runtime: Runtime): GivenOpener {
  return async (context) => {
    const warnings: Problem[] = [];
    const converted = await convert(files, {
      ...runtime,
      to: 'embd',
      signal: context.signal,
      onProgress: ({ loaded, total }) => context.report(loaded, total),
      onWarning: (warning) => warnings.push(warning),
    });
    context.stage(`Opening ${name}`, 'bytes');
    return givenOpener(
      { source: converted, name, builtIn: false, converted, warnings },
      runtime,
    )(context);
  };
}
