import type { RerankingModelV4, SharedV4Warning } from '@ai-sdk/provider';
import type { Opened } from './models.ts';
import { ownOptions } from './provider-options.ts';

type CallOptions = Parameters<RerankingModelV4['doRerank']>[0];
type Result = Awaited<ReturnType<RerankingModelV4['doRerank']>>;

export class AmbryRerankingModel implements RerankingModelV4 {
  readonly specificationVersion = 'v4';
  readonly provider = 'ambry';
  readonly modelId: string;
  readonly #open: Opened<'reranker' | 'encoder'>;

  constructor(modelId: string, open: Opened<'reranker' | 'encoder'>) {
    this.modelId = modelId;
    this.#open = open;
  }

  /** Scores are those of the model; they need not be between 0 and 1. */
  async doRerank({
    query,
    documents,
    topN,
    abortSignal,
    providerOptions,
  }: CallOptions): Promise<Result> {
    const own = ownOptions(providerOptions, ['truncate']);
    const warnings: SharedV4Warning[] = [];
    const texts = documents.values.map((value) =>
      typeof value === 'string' ? value : JSON.stringify(value),
    );
    if (documents.type === 'object') {
      const details = 'The model reads objects as JSON.';
      warnings.push({ type: 'compatibility', feature: 'object documents', details });
    }
    const model = await this.#open();
    const ranked = await model.rank(query, texts, {
      ...own,
      ...(topN !== undefined && { k: topN }),
      ...(abortSignal && { signal: abortSignal }),
    });
    const ranking = ranked.map(({ index, score }) => ({ index, relevanceScore: score }));
    return { ranking, warnings };
  }
}
