// The ways in which word vectors come to the page. None of them touches the page's state.

import { AmbryError, convert, inspect, type Model, type OpenOptions, open } from 'ambry';
import type { FileSource } from '../shared/file-source.ts';
import type { JobContext } from '../shared/jobs.ts';
import type { Runtime } from '../shared/runtime.ts';
import type { LoadedWords } from './state.ts';

export type Opener = (context: JobContext) => Promise<LoadedWords>;

/** Words that are offered while somebody types: the first of the file, which are the most frequent. */
const kMostOffered = 100_000;

/** Of an address only what is asked for is fetched, where rows are codes and the server sends ranges;
 *  anything else comes whole, and so says itself what is wrong with it. */
async function openBest(source: string | URL | Blob, options: OpenOptions): Promise<Model> {
  if (typeof source === 'string') {
    const { config } = await inspect(source, options);
    if (config?.['storage'] === 'quantized') {
      try {
        return await open(source, { ...options, mode: 'range' });
      } catch {
        options.signal?.throwIfAborted();
      }
    }
  }
  return open(source, options);
}

const holds = {
  encoder: 'a sentence encoder',
  classifier: 'a network for pictures',
  generator: 'a model that writes text',
} as const;

/** An opener of a `.fifu` file. */
export function opener({ name, builtIn, source }: FileSource, runtime: Runtime): Opener {
  return async ({ signal, report }) => {
    const model = await openBest(source, {
      ...runtime,
      ...(builtIn && { kind: 'words' }),
      signal,
      onProgress: ({ loaded, total }) => report(loaded, total),
    });
    try {
      if (model.kind !== 'words') {
        throw new AmbryError(
          'Unsupported',
          `This file holds ${holds[model.kind]}, no word vectors.`,
        );
      }
      const { words } = model;
      const vocabulary = await words.list({ offset: 0, limit: Math.min(kMostOffered, words.size) });
      return { name, builtIn, source, model, words, vocabulary };
    } catch (error) {
      await model.dispose();
      throw error;
    }
  };
}

/** An opener of word vectors in another format: they are converted in the tab, and what comes out is opened. */
export function converter(file: File, runtime: Runtime): Opener {
  return async (context) => {
    const source = await convert(file, {
      ...runtime,
      to: 'finalfusion',
      signal: context.signal,
      onProgress: ({ loaded, total }) => context.report(loaded, total),
    });
    context.stage(`Opening ${file.name}`, 'bytes');
    return opener({ source, name: file.name, builtIn: false }, runtime)(context);
  };
}
