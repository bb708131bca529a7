// The public names of the package.
export type { NamedModels } from './client/models.ts';
export { OpenAIError } from './client/openai-error.ts';
export type { RequestOptions } from './client/requests.ts';
export type { OpenAIStream } from './client/stream.ts';
export type {
  Completions,
  Embeddings,
  FurtherFields,
  OpenAIInterface,
  Responses,
} from './client/types.ts';
export { openai } from './openai.ts';
