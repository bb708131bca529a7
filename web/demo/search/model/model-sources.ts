// Models that are not built in: files, addresses, and Hugging Face folders, which are converted in the tab.

import { convert, type ModelSource } from 'ambry';
import type { Runtime } from '../../shared/runtime.ts';
import { type ModelFacts, type Opener, opener } from './open-model.ts';

const bare = (fileName: string): string => fileName.replace(/\.weights$/i, '');

export function fileFacts(file: File): ModelFacts {
  return { source: file, name: bare(file.name), builtIn: false, converted: null };
}

export function urlFacts(url: string): ModelFacts {
  const file = new URL(url).pathname.split('/').pop() || url;
  return { source: url, name: bare(file), builtIn: false, converted: null };
}

/** By their path in the directory. */
export type ModelFiles = ReadonlyMap<string, ModelSource>;

export function converter(name: string, files: ModelFiles, runtime: Runtime): Opener {
  return async (context) => {
    const converted = await convert(files, {
      ...runtime,
      to: 'embd',
      signal: context.signal,
      onProgress: ({ loaded, total }) => context.report(loaded, total),
    });
    context.stage(`Opening ${name}`, 'bytes');
    return opener({ source: converted, name, builtIn: false, converted }, runtime)(context);
  };
}
