import type {
  EmbeddingModelV4,
  EmbeddingModelV4CallOptions,
  EmbeddingModelV4Result,
} from '@ai-sdk/provider';
import { embedOptionNames } from 'ambry/tables';
import type { Opened } from './models.ts';
import { namesWithout, ownOptions } from './provider-options.ts';

/** Options of `embed` that the AI SDK says in its own way. */
const namedBySdk = { dim: true, signal: true, onProgress: true, as: true };

/** Options of `embed` of Ambry that may be given as `providerOptions.ambry`. */
const optionNames = namesWithout(embedOptionNames, namedBySdk);

export class AmbryEmbeddingModel implements EmbeddingModelV4 {
  readonly specificationVersion = 'v4';
  readonly provider = 'ambry';
  readonly modelId: string;
  readonly maxEmbeddingsPerCall = undefined;
  /** Calls wait for each other, so that parallel ones are no faster. */
  readonly supportsParallelCalls = false;
  readonly #open: Opened<'encoder' | 'words'>;

  constructor(modelId: string, open: Opened<'encoder' | 'words'>) {
    this.modelId = modelId;
    this.#open = open;
  }

  async doEmbed({
    values,
    dimensions,
    abortSignal,
    providerOptions,
  }: EmbeddingModelV4CallOptions): Promise<EmbeddingModelV4Result> {
    const own = ownOptions(providerOptions, optionNames);
    const model = await this.#open();
    const vectors = await model.embed(values, {
      ...own,
      ...(dimensions !== undefined && { dim: dimensions }),
      ...(abortSignal && { signal: abortSignal }),
    });
    const embeddings = vectors.map((vector) => [...vector]);
    if (model.kind === 'words') {
      return { embeddings, warnings: [] };
    }
    const counts = await model.tokenCounts(values);
    return { embeddings, usage: { tokens: counts.reduce((a, b) => a + b, 0) }, warnings: [] };
  }
}
