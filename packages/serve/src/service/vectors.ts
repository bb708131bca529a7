// Vectors of texts, for all interfaces.
import type { EmbedOptions, Encoder, WordVectors } from 'ambry';
import { tokenCount } from 'ambry-openai/shared';
import type { ServedModel } from './models.ts';
import { inPieces } from './pieces.ts';
import type { Service } from './service.ts';

export interface EmbedSettings {
  readonly dim?: number | null | undefined;
  readonly promptName?: string | null | undefined;
  readonly truncate?: EmbedOptions['truncate'];
  readonly normalize?: boolean;
}

export interface Embedded {
  readonly rows: readonly Float32Array[];
  /** The number of tokens that were read, without special tokens and prompts. For word vectors, of words. */
  readonly tokens: number;
}

/** Fewer texts are not worth a further worker. */
const textsOfAWorker = 12;

/** Embeds when it is the request's turn, and counts. */
export async function embed(
  { metrics, settings }: Service,
  served: ServedModel,
  model: Encoder | WordVectors,
  texts: readonly string[],
  signal: AbortSignal,
  { dim, promptName, truncate, normalize }: EmbedSettings,
): Promise<Embedded> {
  const { workers } = settings;
  const options = {
    signal,
    workers,
    ...(typeof dim === 'number' && { dim }),
    ...(typeof promptName === 'string' && { promptName }),
    ...(truncate && { truncate }),
    ...(normalize !== undefined && { normalize }),
  };
  const least = workers === 1 ? 1 : textsOfAWorker * workers;
  const pieces = await inPieces(served, signal, texts, least, async (some) => {
    const rows = await model.embed(some, options);
    return { rows, tokens: await tokenCount(model, some, signal) };
  });
  const tokens = pieces.reduce((sum, piece) => sum + piece.tokens, 0);
  metrics.tokens(served.name, tokens);
  return { rows: pieces.flatMap(({ rows }) => rows), tokens };
}
