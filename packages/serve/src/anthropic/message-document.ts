// The document of an answer of /v1/messages.

import type { ToolCall } from 'ambry';
import { type AnswerEnd, idOf } from 'ambry-openai/shared';
import type { MessageRequest } from './message-request.ts';

export interface MessageHead {
  readonly id: string;
  readonly model: string;
}

export function messageDocument(
  { id, model }: MessageHead,
  content: readonly object[],
  ending: object,
  usage: object,
): object {
  return { id, type: 'message', role: 'assistant', model, content, ...ending, usage };
}

export function toolUse({ name, arguments: input, id }: ToolCall) {
  return { type: 'tool_use', id: id ?? idOf('toolu'), name, input };
}

/** Why an answer ended. Which of several stop texts it was is not known. */
export function endingOf(
  { reason, generation }: AnswerEnd,
  { stop_sequences: stops }: MessageRequest,
): object {
  if (reason === 'tool_calls') {
    return { stop_reason: 'tool_use', stop_sequence: null };
  }
  if (reason === 'length') {
    return { stop_reason: 'max_tokens', stop_sequence: null };
  }
  if (generation.stoppedBy !== 'stop') {
    return { stop_reason: 'end_turn', stop_sequence: null };
  }
  return { stop_reason: 'stop_sequence', stop_sequence: stops?.length === 1 ? stops[0] : null };
}

export function usageOf(prompt: number, generated: number): object {
  return {
    input_tokens: prompt,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: generated,
  };
}
