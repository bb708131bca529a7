// A prompt of the AI SDK as messages for a chat template.
import {
  type LanguageModelV4Message,
  type LanguageModelV4Prompt,
  type LanguageModelV4ToolCallPart,
  type LanguageModelV4ToolResultPart,
  UnsupportedFunctionalityError,
} from '@ai-sdk/provider';
import type { ChatMessage } from 'ambry';

/** Throws `UnsupportedFunctionalityError` for files and other parts that a language model does not read. */
export function messagesOf(prompt: LanguageModelV4Prompt): readonly ChatMessage[] {
  return prompt.flatMap(messageOf);
}

function messageOf(message: LanguageModelV4Message): readonly ChatMessage[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.content }];
    case 'user':
      return [{ role: 'user', content: message.content.map(textOf).join('') }];
    case 'assistant':
      return [assistantMessage(message.content)];
    case 'tool':
      return message.content.flatMap((part) =>
        part.type === 'tool-result' ? [resultMessage(part)] : [],
      );
  }
}

type AssistantPart = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'][number];

function assistantMessage(parts: readonly AssistantPart[]): ChatMessage {
  const calls = parts.filter((part) => part.type === 'tool-call').map(callOf);
  // Thoughts of earlier answers are not read again.
  const texts = parts.filter((part) => part.type !== 'tool-call' && part.type !== 'reasoning');
  return {
    role: 'assistant',
    content: texts.map(textOf).join(''),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

function textOf(part: { readonly type: string; readonly text?: string }): string {
  if (part.type === 'text') {
    return part.text ?? '';
  }
  throw new UnsupportedFunctionalityError({
    functionality: `${part.type} parts in messages`,
    message: `The model reads text only, and a message has a part of type ${part.type}.`,
  });
}

function callOf({ toolCallId, toolName, input }: LanguageModelV4ToolCallPart) {
  const args = typeof input === 'string' ? (JSON.parse(input) as unknown) : input;
  return { id: toolCallId, type: 'function', function: { name: toolName, arguments: args } };
}

function resultMessage({
  toolCallId,
  toolName,
  output,
}: LanguageModelV4ToolResultPart): ChatMessage {
  return { role: 'tool', tool_call_id: toolCallId, name: toolName, content: resultText(output) };
}

function resultText(output: LanguageModelV4ToolResultPart['output']): string {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return output.value;
    case 'json':
    case 'error-json':
      return JSON.stringify(output.value);
    case 'execution-denied':
      return output.reason ?? 'The call was not allowed.';
    case 'content':
      return output.value.map(textOf).join('');
  }
}
