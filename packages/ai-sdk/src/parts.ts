// Parts of an answer in the words of the AI SDK.
import type {
  LanguageModelV4FinishReason,
  LanguageModelV4ToolCall,
  LanguageModelV4Usage,
} from '@ai-sdk/provider';
import type { ToolCall } from 'ambry';
import type { AnswerEnd } from 'ambry-answers';

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

export function endingOf({ reason, generation }: AnswerEnd): Ending {
  const [input, output] = [generation.promptIds.length, generation.ids.length];
  return {
    finishReason: {
      unified: reason === 'tool_calls' ? 'tool-calls' : reason,
      raw: generation.stop,
    },
    usage: {
      inputTokens: { total: input, noCache: input, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: output, text: output, reasoning: undefined },
    },
  };
}
