// An answer as chunks of LangChain.
import { AIMessageChunk, type AIMessageChunkFields } from '@langchain/core/messages';
import { ChatGenerationChunk } from '@langchain/core/outputs';
import type { GeneratedToken, Generation } from 'ambry';

/** What a token adds. LangChain keeps the reasoning of models apart from the content under this name. */
export function tokenChunk({ text, reasoning = '' }: GeneratedToken): ChatGenerationChunk {
  return chunkOf(text, {
    content: text,
    ...(reasoning !== '' && { additional_kwargs: { reasoning_content: reasoning } }),
  });
}

export function endChunk({
  toolCalls,
  finishReason,
  usage,
  seed,
}: Generation): ChatGenerationChunk {
  return chunkOf('', {
    content: '',
    tool_call_chunks: toolCalls.map(
      ({ name, arguments: args, id = crypto.randomUUID() }, index) => ({
        type: 'tool_call_chunk' as const,
        index,
        id,
        name,
        args: JSON.stringify(args),
      }),
    ),
    usage_metadata: {
      input_tokens: usage.promptTokens,
      output_tokens: usage.completionTokens,
      total_tokens: usage.totalTokens,
    },
    response_metadata: { finish_reason: finishReason, seed },
  });
}

function chunkOf(text: string, fields: AIMessageChunkFields): ChatGenerationChunk {
  return new ChatGenerationChunk({ text, message: new AIMessageChunk(fields) });
}
