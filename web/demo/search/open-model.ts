// The ways in which a model comes to the page. None of them touches the page's state.

import { convert, open } from 'ambry';
import type { JobContext } from '../shared/jobs.ts';
import type { Runtime } from '../shared/runtime.ts';
import { builtInModelName, builtInModelUrl } from './built-in.ts';
import type { LoadedModel } from './state.ts';

/** All that is known of a model before it is open. */
export type ModelFacts = Omit<LoadedModel, 'model'>;

export type Opener = (context: JobContext) => Promise<LoadedModel>;

const bare = (fileName: string): string => fileName.replace(/\.weights$/i, '');

export function builtInFacts(): ModelFacts {
  return { source: builtInModelUrl(), name: builtInModelName, builtIn: true, converted: null };
}

export function fileFacts(file: File): ModelFacts {
  return { source: file, name: bare(file.name), builtIn: false, converted: null };
}

export function urlFacts(url: string): ModelFacts {
  const file = new URL(url).pathname.split('/').pop() || url;
  return { source: url, name: bare(file), builtIn: false, converted: null };
}

/** An opener of a `.weights` file. */
export function opener(facts: ModelFacts, runtime: Runtime): Opener {
  return async ({ signal, report }) => {
    const model = await open(facts.source, {
      ...runtime,
      signal,
      onProgress: ({ loaded, total }) => report(loaded, total),
    });
    return { ...facts, model };
  };
}

/** An opener of a Hugging Face folder: it is converted in the tab, and what comes out is opened. */
export function converter(
  name: string,
  files: ReadonlyMap<string, File>,
  runtime: Runtime,
): Opener {
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
