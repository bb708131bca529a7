// What a model wrote, as callers get it.
import type { WireGeneration } from './base/protocol.ts';
import type { FinishReason, Generation } from './base/types.ts';
import type { ReadReply } from './reply/reply-reader.ts';

/** Without `read` the text is the answer as it is. */
export function generationOf(wire: WireGeneration, read?: ReadReply): Generation {
  const { reusedTokens, parsed: _, ...written } = wire;
  const { text = wire.text, reasoning = '', toolCalls = [] } = read ?? {};
  const [promptTokens, completionTokens] = [wire.promptIds.length, wire.ids.length];
  const totalTokens = promptTokens + completionTokens;
  // The value of a call is in its arguments.
  const isValue = 'parsed' in wire && toolCalls.length === 0;
  return {
    ...written,
    text,
    reasoning,
    toolCalls,
    finishReason: finishReason(wire.stoppedBy, toolCalls.length > 0),
    ...(isValue && { parsed: wire.parsed }),
    usage: { promptTokens, completionTokens, totalTokens, reusedTokens },
  };
}

function finishReason(stoppedBy: Generation['stoppedBy'], hasCalls: boolean): FinishReason {
  if (stoppedBy === 'left') {
    return 'left';
  }
  if (hasCalls) {
    return 'tool_calls';
  }
  return stoppedBy === 'length' || stoppedBy === 'context' ? 'length' : 'stop';
}
