// Text to vectors: what encoders and word vectors share.
import { AmbryError } from '../errors.ts';
import type { CallOptions } from '../rpc/channel.ts';
import type { JobOptions } from '../rpc/types.ts';
import type { Connection } from '../runtime/connect.ts';
import { checkTexts } from './check-texts.ts';
import type { ModelFacts } from './types.ts';

/** `sif` is for word vectors only: a mean in which frequent words count less. */
export type Pooling = 'mean' | 'cls' | 'max' | 'mean_sqrt_len' | 'lasttoken' | 'none' | 'sif';

export interface EmbedOptions extends JobOptions {
  /** The default is the model's own. */
  readonly pooling?: Pooling;
  /** Scales each vector to length 1. The default is what the model's file says. */
  readonly normalize?: boolean;
  /** What happens to texts that are longer than the model takes: they are cut (`end`, the default), or the call is
   *  rejected (`error`). */
  readonly truncate?: 'end' | 'error';
  /** Text to put before each text, or the name of one of the model's prompts. */
  readonly prompt?: string;
  /** Keeps the first `dim` values of each vector (Matryoshka), and normalizes afterwards. */
  readonly dim?: number;
  /** How many workers embed side by side; the default is 1. Where there is no `SharedArrayBuffer`, each worker but
   *  the first holds a copy of the model. The memory is given back some seconds after the last text. Word vectors
   *  always use one worker. */
  readonly workers?: number;
}

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
  /** @internal */
  readonly connection: Connection<EmbedCalls>;
  embed(text: string | readonly string[], options?: EmbedOptions): Promise<Float32Array>;
}

const mostWorkers = 64;

/** Embeds with `run`. The result is one array, or one array a text for pooling `none`. */
export async function embedTexts(
  text: string | readonly string[],
  { signal, onProgress, workers = 1, ...settings }: EmbedOptions,
  run: (input: EmbedInput, options: CallOptions, workers: number) => Promise<Embedded>,
): Promise<Float32Array | Float32Array[]> {
  checkWorkers(workers);
  const input = { texts: checkTexts(typeof text === 'string' ? [text] : text), settings };
  const { vectors, dim, rowCounts } = await run(input, { signal, onProgress }, workers);
  if (settings.pooling !== 'none') return vectors;
  let at = 0;
  return Array.from(rowCounts, (rows) => {
    const begin = at;
    at += rows * dim;
    return vectors.subarray(begin, at);
  });
}

export function checkWorkers(workers: number): void {
  if (Number.isInteger(workers) && workers >= 1 && workers <= mostWorkers) return;
  const message = `The number of workers must be an integer from 1 to ${mostWorkers}, not ${workers}.`;
  throw new AmbryError('BadValue', message, { path: 'workers' });
}
