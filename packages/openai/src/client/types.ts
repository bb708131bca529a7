// The types of the interface, by those of OpenAI's client.
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionCreateParamsStreaming,
} from 'openai/resources/chat/completions';
import type { CreateEmbeddingResponse, EmbeddingCreateParams } from 'openai/resources/embeddings';
import type {
  ResponseCreateParamsNonStreaming,
  ResponseCreateParamsStreaming,
  ResponseStreamEvent,
  Response as WholeResponse,
} from 'openai/resources/responses/responses';
import type { RequestOptions } from './requests.ts';
import type { OpenAIStream } from './stream.ts';

/** Fields that are not OpenAI's, but those of other local servers. */
export interface FurtherFields {
  readonly top_k?: number;
  readonly min_p?: number;
  readonly repetition_penalty?: number;
  readonly enable_thinking?: boolean;
  readonly chat_template_kwargs?: Readonly<Record<string, unknown>>;
}

export interface Completions {
  create(
    body: ChatCompletionCreateParamsNonStreaming & FurtherFields,
    options?: RequestOptions,
  ): Promise<ChatCompletion>;
  create(
    body: ChatCompletionCreateParamsStreaming & FurtherFields,
    options?: RequestOptions,
  ): Promise<OpenAIStream<ChatCompletionChunk>>;
}

export interface Embeddings {
  create(
    body: EmbeddingCreateParams & { readonly prompt_name?: string },
    options?: RequestOptions,
  ): Promise<CreateEmbeddingResponse>;
}

export interface Responses {
  create(
    body: ResponseCreateParamsNonStreaming & FurtherFields,
    options?: RequestOptions,
  ): Promise<WholeResponse>;
  create(
    body: ResponseCreateParamsStreaming & FurtherFields,
    options?: RequestOptions,
  ): Promise<OpenAIStream<ResponseStreamEvent>>;
}

/** A part of OpenAI's client, over models in this process. */
export interface OpenAIInterface {
  readonly chat: { readonly completions: Completions };
  readonly embeddings: Embeddings;
  readonly responses: Responses;
}
