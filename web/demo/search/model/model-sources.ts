// Models that are not built in: files, addresses, and Hugging Face folders.

import { convert, type ModelSource, type Problem } from 'ambry';
import { withoutExtension } from '../../shared/files/file-extension.ts';
import { modelExtension } from '../../shared/files/file-types.ts';
import type { Runtime } from '../../shared/site/runtime.ts';
import { type ModelChoice, type Opener, opener } from './open-model.ts';

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

/** An opener of a Hugging Face folder. It converts the files to a `.weights` file first. */
export function converter(name: string, files: ModelFiles, runtime: Runtime): Opener {
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
    return opener(
      { source: converted, name, builtIn: false, converted, warnings },
      runtime,
    )(context);
  };
}
