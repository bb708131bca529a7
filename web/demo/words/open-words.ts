// Opens word vectors. This does not change the state of the page.

import { AmbryError, inspect, type Model, type OpenOptions, open } from 'ambry';
import type { FileSource } from '../shared/files/file-source.ts';
import type { JobContext } from '../shared/jobs.ts';
import type { Runtime } from '../shared/runtime.ts';
import type { LoadedWords } from './state.ts';

export type Opener = (context: JobContext) => Promise<LoadedWords>;

/** The page suggests words from this many first words of the file. */
const vocabularySize = 100_000;

/** Quantized vectors at an address are opened by ranges, if the server supports these. Only the needed rows are
 *  downloaded then. All other files are opened whole. */
async function openInParts(source: FileSource['source'], options: OpenOptions): Promise<Model> {
  if (typeof source === 'string') {
    try {
      const { config } = await inspect(source, options);
      if (config?.['storage'] === 'quantized') {
        return await open(source, { ...options, mode: 'range' });
      }
    } catch {
      // Word vectors as text cannot be inspected. If the address is wrong, opening it says so.
      options.signal?.throwIfAborted();
    }
  }
  return open(source, options);
}

const contentOf = {
  reranker: 'a reranker, or a classifier of texts',
  encoder: 'a sentence encoder',
  classifier: 'a network that classifies pictures',
  textClassifier: 'a classifier of texts',
  generator: 'a model that writes text',
} as const;

/** An opener of word vectors. If they are not a `.fifu` file, they are converted while they are opened. */
export function opener({ name, builtIn, source }: FileSource, runtime: Runtime): Opener {
  return async ({ signal, report }) => {
    const model = await openInParts(source, {
      ...runtime,
      ...(builtIn && { kind: 'words' }),
      signal,
      onProgress: ({ loaded, total }) => report(loaded, total),
    });
    try {
      if (model.kind !== 'words') {
        const message = `This file holds ${contentOf[model.kind]} and no word vectors.`;
        throw new AmbryError('Unsupported', message);
      }
      const { words } = model;
      const vocabulary = await words.list({
        offset: 0,
        limit: Math.min(vocabularySize, words.size),
      });
      return { name, builtIn, source, model, words, vocabulary };
    } catch (error) {
      await model.dispose();
      throw error;
    }
  };
}
