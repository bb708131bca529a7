// Text to vectors: what encoders and word vectors share.

import { AmbryError } from '../base/errors.ts';
import { refuseUnknown } from '../base/options.ts';
import type { CallOptions } from '../rpc/channel.ts';
import type { Connection } from '../runtime/connect.ts';
import { checkCount } from './check-count.ts';
import { checkTexts } from './check-texts.ts';
import {
  type EmbedMatrixOptions,
  type EmbedOptions,
  embedDefaults,
  embedOptionNames,
} from './embed-types.ts';
import type { ModelFacts } from './model-facts.ts';

export type EmbedSettings = Omit<EmbedOptions, 'as' | 'signal' | 'onProgress' | 'workers'>;

export interface EmbedInput {
  readonly texts: readonly string[];
  readonly settings: EmbedSettings;
}

export interface Embedded {
  /** All rows, one after the other. */
  readonly vectors: Float32Array<ArrayBuffer>;
  readonly dim: number;
  /** Rows of each text. */
  readonly rowCounts: Uint32Array<ArrayBuffer>;
}

export type EmbedCalls = { embed: { in: EmbedInput; out: Embedded } };

/** A model that turns texts into vectors. */
export interface Embedder extends ModelFacts {
  readonly kind: 'encoder' | 'words';
  readonly dim: number;
  /** Present in a model with late interaction, which makes a vector of each token. */
  readonly lateInteraction?: object | undefined;
  /** @internal */
  readonly connection: Connection<EmbedCalls>;
  embed(
    texts: string | readonly string[],
    options: EmbedMatrixOptions,
  ): Promise<Float32Array<ArrayBuffer>>;
  embed(text: string, options?: EmbedOptions): Promise<Float32Array<ArrayBuffer>>;
  dispose(): Promise<void>;
}

/** Whether it is an opened model that embeds texts. */
export function isEmbedder(value: unknown): value is Embedder {
  const { embed, connection } = (value ?? {}) as Partial<Embedder>;
  return typeof embed === 'function' && connection !== undefined;
}

/** Embeds with `run`. A text gives one array; a list gives one for each text, or one with all rows (`as`). */
export async function embedTexts(
  text: string | readonly string[],
  options: EmbedOptions,
  run: (input: EmbedInput, options: CallOptions, workers: number) => Promise<Embedded>,
): Promise<Float32Array<ArrayBuffer> | Float32Array<ArrayBuffer>[]> {
  const refusal = refuseUnknown(options, embedOptionNames);
  if (refusal) {
    return refusal;
  }
  const {
    signal,
    onProgress,
    workers = embedDefaults.workers,
    as = embedDefaults.as,
    ...settings
  } = options;
  checkCount(workers, 'workers', 'workers');
  if (as === 'matrix' && settings.pooling === 'none') {
    const message =
      'Pooling "none" has no matrix, because texts differ in their tokens. Leave out "as".';
    throw new AmbryError('BadValue', message, { path: 'options.as' });
  }
  const isOne = typeof text === 'string';
  const input = { texts: checkTexts(isOne ? [text] : text), settings };
  const embedded = await run(input, { signal, onProgress }, workers);
  return isOne || as === 'matrix' ? embedded.vectors : vectorsOf(embedded);
}

/** The rows of each text, in a buffer of their own: it can be transferred, and `vector.buffer` has nothing else in it. */
export function vectorsOf({ vectors, dim, rowCounts }: Embedded): Float32Array<ArrayBuffer>[] {
  if (rowCounts.length === 1) {
    return [vectors];
  }
  let at = 0;
  return Array.from(rowCounts, (rows) => {
    const begin = at;
    at += rows * dim;
    return vectors.slice(begin, at);
  });
}
