// Parts of an answer in the words of the AI SDK.
import type {
  LanguageModelV4FinishReason,
  LanguageModelV4ToolCall,
  LanguageModelV4Usage,
} from '@ai-sdk/provider';
import type { Generation, ToolCall } from 'ambry';

export function toolCallOf({
  id = crypto.randomUUID(),
  ...call
}: ToolCall): LanguageModelV4ToolCall {
  const input = JSON.stringify(call.arguments);
  return { type: 'tool-call', toolCallId: id, toolName: call.name, input };
}

interface Ending {
  finishReason: LanguageModelV4FinishReason;
  usage: LanguageModelV4Usage;
}

const reasons = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool-calls',
  left: 'other',
} as const satisfies Record<Generation['finishReason'], LanguageModelV4FinishReason['unified']>;

export function endingOf({ finishReason, stoppedBy, usage }: Generation): Ending {
  const { promptTokens: input, completionTokens: output } = usage;
  return {
    finishReason: {
      unified: reasons[finishReason],
      raw: stoppedBy,
    },
    usage: {
      inputTokens: { total: input, noCache: input, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: output, text: output, reasoning: undefined },
    },
  };
}
