// Opens word vectors. This does not change the state of the page.

import { AmbryError, inspect, type Model, type OpenOptions, open, type WordVectors } from 'ambry';
import type { JobContext } from '../../shared/jobs/jobs.ts';
import type { Runtime } from '../../shared/site/runtime.ts';
import type { LoadedWords, WordsSource } from './state.ts';

export type Opener = (context: JobContext) => Promise<LoadedWords>;

/** The page suggests words from this many first words of the file. */
const vocabularySize = 100_000;

/** Nearest words need all vectors. The page reads up to this many bytes without a question. */
const mostUnasked = 16_000_000;

interface Opened {
  readonly model: Model;
  readonly unread: number;
}

/** Quantized vectors at an address are opened by ranges, if the server supports these. Only the needed rows are
 *  downloaded then. All other files are opened whole. */
async function openInParts(source: WordsSource['source'], options: OpenOptions): Promise<Opened> {
  if (typeof source === 'string') {
    try {
      const { kind: _, ...reading } = options;
      const { config, tensors } = await inspect(source, reading);
      if (config?.['storage'] === 'quantized') {
        const model = await open(source, { ...options, mode: 'range' });
        const bytes = tensors.find(({ name }) => name === 'quantized.codes')?.bytes ?? 0;
        return { model, unread: bytes > mostUnasked ? bytes : 0 };
      }
    } catch {
      // Word vectors as text cannot be inspected. If the address is wrong, opening it says so.
      options.signal?.throwIfAborted();
    }
  }
  return openWhole(source, options);
}

async function openWhole(source: WordsSource['source'], options: OpenOptions): Promise<Opened> {
  return { model: await open(source, options), unread: 0 };
}

const contentOf = {
  reranker: 'a reranker',
  questionAnswering: 'a model that answers questions from a text',
  fillMask: 'a model that fills in missing words',
  sparseEncoder: 'a sparse encoder',
  encoder: 'a sentence encoder',
  imageClassifier: 'a network that classifies pictures',
  textClassifier: 'a text classifier',
  tokenClassifier: 'a model that finds names in texts',
  generator: 'a model that writes text',
} as const;

const isFinalfusionWithoutNorms = ({ info }: WordVectors): boolean =>
  info.format === 'finalfusion' && !info.words.hasNorms;

/** An opener of word vectors. If they are not a `.fifu` file, they are converted while they are opened. */
export function opener(from: WordsSource, runtime: Runtime): Opener {
  const { name, builtIn, source, isPart = false } = from;
  return async ({ signal, report }) => {
    const openFile = isPart ? openWhole : openInParts;
    const { model, unread } = await openFile(source, {
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
      const vocabulary = await model.list({ limit: Math.min(vocabularySize, model.size) });
      // Norms are not needed, so a file opens where only they are cut off.
      const mayBeCut = source instanceof File && isFinalfusionWithoutNorms(model);
      const cut = mayBeCut ? await (await import('./cut-words.ts')).cutLine(source, runtime) : '';
      return { name, builtIn, source, isPart, model, vocabulary, unread, cut };
    } catch (error) {
      await model.dispose();
      throw error;
    }
  };
}
