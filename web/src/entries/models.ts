// The kinds of models, and how each of them is opened.
import type { Classifier } from '../classifier/client.ts';
import { Encoder } from '../encoder/client.ts';
import type { Generator } from '../generator/client.ts';
import type { Opener, Openers } from '../model/open.ts';
import type { EncoderCode } from '../model/opening.ts';
import type { OpenOptions } from '../model/types.ts';
import type { WorkerName } from '../platform/platform.ts';
import type { Reranker } from '../reranker/client.ts';
import type { Connection } from '../runtime/connect.ts';
import type { WireSource } from '../sources/base/wire.ts';
import type { TextClassifier } from '../text-classifier/client.ts';
import type { WordVectors } from '../words/client.ts';

/** The class of each kind. */
export interface ModelOfKind {
  encoder: Encoder;
  reranker: Reranker;
  words: WordVectors;
  classifier: Classifier;
  textClassifier: TextClassifier;
  generator: Generator;
}

/** An opened model. `kind` says which one it is. */
export type Model = ModelOfKind[keyof ModelOfKind];

type ClassOf<T> = new (connection: Connection<never>, opened: never) => T;

function opener<T>(worker: Opener<T>['worker'], load: () => Promise<unknown>): Opener<T> {
  return {
    worker,
    load: async () => {
      const Class = (await load()) as ClassOf<T>;
      return (connection, opened) => new Class(connection, opened as never);
    },
  };
}

/** The smallest worker knows no cache and no hashes. */
const encoderWorker = (
  { cache, sha256, hub }: WireSource,
  { architecture }: OpenOptions,
  code: EncoderCode | undefined,
): WorkerName => {
  const known = code ?? (architecture ? 'static-small' : 'encoder-small');
  if (known !== 'encoder-small') {
    return known;
  }
  return cache || sha256 || hub?.sha256 ? 'encoder-small-cached' : 'encoder-small';
};

// A page fetches the code of the other kinds with its first model of that kind.
export const openers: Openers<Model> = {
  kinds: {
    encoder: opener<Encoder>(encoderWorker, async () => Encoder),
    reranker: opener<Reranker>(
      encoderWorker,
      async () => (await import('../reranker/client.ts')).Reranker,
    ),
    words: opener<WordVectors>(
      () => 'words',
      async () => (await import('../words/client.ts')).WordVectors,
    ),
    classifier: opener<Classifier>(
      () => 'image-classifier',
      async () => (await import('../classifier/client.ts')).Classifier,
    ),
    textClassifier: opener<TextClassifier>(
      () => 'text-classifier',
      async () => (await import('../text-classifier/client.ts')).TextClassifier,
    ),
    generator: {
      worker: () => 'generator',
      load: async () => (await import('../generator/threads.ts')).openGenerator,
    },
  },
  conversion: async () => (await import('../convert/convert-to-run.ts')).convertToRun,
};
