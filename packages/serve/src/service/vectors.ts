// Vectors of texts, for all interfaces.
import type { EmbedOptions, Encoder, WordVectors } from 'ambry';
import type { ServedModel } from './models.ts';
import type { Service } from './service.ts';

export interface EmbedSettings {
  readonly dim?: number | null | undefined;
  readonly promptName?: string | null | undefined;
  readonly truncate?: EmbedOptions['truncate'];
}

export interface Embedded {
  readonly rows: readonly Float32Array[];
  /** The number of tokens of the texts, without special tokens and prompts. For word vectors, of words. */
  readonly tokens: number;
}

/** Embeds when it is the request's turn, and counts. */
export async function embed(
  { metrics, settings }: Service,
  served: ServedModel,
  model: Encoder | WordVectors,
  texts: readonly string[],
  signal: AbortSignal,
  { dim, promptName, truncate }: EmbedSettings,
): Promise<Embedded> {
  const options = {
    signal,
    workers: settings.workers,
    ...(typeof dim === 'number' && { dim }),
    ...(typeof promptName === 'string' && { promptName }),
    ...(truncate && { truncate }),
  };
  const [vectors, tokens] = await served.use(signal, async () => [
    await model.embed(texts, options),
    await tokenCount(model, texts),
  ]);
  metrics.tokens(served.name, tokens);
  const width = vectors.length / texts.length;
  const rows = texts.map((_, i) => vectors.subarray(i * width, (i + 1) * width));
  return { rows, tokens };
}

export async function tokenCount(
  model: Pick<Encoder, 'tokenCounts'> | WordVectors,
  texts: readonly string[],
): Promise<number> {
  if ('tokenCounts' in model) {
    return (await model.tokenCounts(texts)).reduce((sum, count) => sum + count, 0);
  }
  return texts.reduce((sum, text) => sum + text.split(/\s+/).filter(Boolean).length, 0);
}
