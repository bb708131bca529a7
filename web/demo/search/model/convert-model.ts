// A Hugging Face directory is converted in the tab, and what comes out is opened.

import { convert, type ModelSource } from 'ambry';
import type { Runtime } from '../../shared/runtime.ts';
import { type Opener, opener } from './open-model.ts';

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
