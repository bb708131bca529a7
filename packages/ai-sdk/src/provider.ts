// The provider: a function from the name of a model to a model of the AI SDK.
import type {
  EmbeddingModelV4,
  LanguageModelV4,
  ProviderV4,
  RerankingModelV4,
} from '@ai-sdk/provider';
import { AmbryEmbeddingModel } from './embedding-model.ts';
import { AmbryLanguageModel } from './language-model.ts';
import { checkEntries, type ModelEntries, Models } from './models.ts';
import { AmbryRerankingModel } from './reranking-model.ts';

export interface AmbryProvider extends ProviderV4 {
  /** As `languageModel`. */
  (modelId: string): LanguageModelV4;
  /** A language model. */
  languageModel(modelId: string): LanguageModelV4;
  /** A sentence encoder or word vectors. */
  embeddingModel(modelId: string): EmbeddingModelV4;
  /** A reranker, or an encoder with late interaction. */
  rerankingModel(modelId: string): RerankingModelV4;
}

/**
 * Models of Ambry for the AI SDK, by the names that you give them. A function opens its model with the first call. The
 * provider disposes of no model.
 *
 * Each function throws `NoSuchModelError` for a name that is not there.
 *
 * @example
 * const ambry = createAmbry({ chat: () => open('/models/chat.amb', { kind: 'generator' }) });
 * const { text } = await generateText({ model: ambry('chat'), prompt: 'What is a tide?' });
 */
export function createAmbry(entries: ModelEntries): AmbryProvider {
  checkEntries(entries);
  const models = new Models(entries);
  const languageModel = (modelId: string) =>
    new AmbryLanguageModel(modelId, models.find(modelId, 'languageModel', ['generator']));
  const embeddingModel = (modelId: string) =>
    new AmbryEmbeddingModel(modelId, models.find(modelId, 'embeddingModel', ['encoder', 'words']));
  const rerankingModel = (modelId: string) =>
    new AmbryRerankingModel(
      modelId,
      models.find(modelId, 'rerankingModel', ['reranker', 'encoder']),
    );
  const imageModel = (modelId: string): never => {
    throw models.noModel(modelId, 'imageModel');
  };
  const made = { languageModel, embeddingModel, rerankingModel, imageModel };
  return Object.assign(languageModel, { specificationVersion: 'v4' as const, ...made });
}
