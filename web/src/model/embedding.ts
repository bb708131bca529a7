// Text to vectors: what encoders and word vectors share.

import { refuseUnknown } from '../base/options.ts';
import type { CallOptions } from '../rpc/channel.ts';
import type { Connection } from '../runtime/connect.ts';
import { checkCount } from './check-count.ts';
import { checkTexts } from './check-texts.ts';
import { type EmbedOptions, embedDefaults, embedOptionNames } from './embed-types.ts';
import type { ModelFacts } from './types.ts';

export type EmbedSettings = Omit<EmbedOptions, 'signal' | 'onProgress' | 'workers'>;

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
  embed(text: string | readonly string[], options?: EmbedOptions): Promise<Float32Array>;
}

/** Embeds with `run`. The result is one array, or one array a text for pooling `none`. */
export async function embedTexts(
  text: string | readonly string[],
  options: EmbedOptions,
  run: (input: EmbedInput, options: CallOptions, workers: number) => Promise<Embedded>,
): Promise<Float32Array | Float32Array[]> {
  const refusal = refuseUnknown(options, embedOptionNames);
  if (refusal) {
    return refusal;
  }
  const { signal, onProgress, workers = embedDefaults.workers, ...settings } = options;
  checkCount(workers, 'workers', 'workers');
  const input = { texts: checkTexts(typeof text === 'string' ? [text] : text), settings };
  const { vectors, dim, rowCounts } = await run(input, { signal, onProgress }, workers);
  if (settings.pooling !== 'none') {
    return vectors;
  }
  let at = 0;
  return Array.from(rowCounts, (rows) => {
    const begin = at;
    at += rows * dim;
    return vectors.subarray(begin, at);
  });
}
