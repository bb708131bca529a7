// The public names of the package.
export {
  AmbryChat,
  type AmbryChatCallOptions,
  type AmbryChatFields,
  type GenerationSettings,
} from './chat.ts';
export {
  AmbryEmbeddings,
  type AmbryEmbeddingsFields,
  type TextEmbedOptions,
} from './embeddings.ts';
export { AmbryRerank, type AmbryRerankFields } from './rerank.ts';
