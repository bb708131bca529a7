// An answer as chunks of LangChain.
import { AIMessageChunk, type AIMessageChunkFields } from '@langchain/core/messages';
import { ChatGenerationChunk } from '@langchain/core/outputs';
import type { AnswerEnd, AnswerEvent } from 'ambry-answers';

export function chunkOf(event: AnswerEvent): ChatGenerationChunk {
  const fields = event.kind === 'end' ? endFields(event) : { content: event.text };
  return new ChatGenerationChunk({ text: event.text, message: new AIMessageChunk(fields) });
}

function endFields({ text, calls, reason, generation }: AnswerEnd): AIMessageChunkFields {
  const [input, output] = [generation.promptIds.length, generation.ids.length];
  return {
    content: text,
    tool_call_chunks: calls.map(({ name, arguments: args, id = crypto.randomUUID() }, index) => ({
      type: 'tool_call_chunk' as const,
      index,
      id,
      name,
      args: JSON.stringify(args),
    })),
    usage_metadata: { input_tokens: input, output_tokens: output, total_tokens: input + output },
    response_metadata: { finish_reason: reason, seed: generation.seed },
  };
}
