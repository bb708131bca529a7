// A request to /v1/messages as a task for a language model.

import type { ChatMessage, Generator, Tool, ToolChoice } from 'ambry';
import {
  ApiError,
  type ConversationRequest,
  conversationTask,
  present,
  samplingOptions,
} from 'ambry-openai/shared';
import type { Settings } from '../service/options.ts';
import type { CountRequest, MessageRequest, RequestBlock } from './message-request.ts';

export function messageTask(request: MessageRequest, model: Generator, settings: Settings) {
  const { max_tokens, stop_sequences: stop, tool_choice: choice } = request;
  const { temperature, top_p, top_k } = request;
  const sampling = { max_tokens, temperature, top_p, top_k, stop };
  const { format } = request.output_config ?? {};
  const schema = (format ?? request.output_format)?.schema;
  return conversationTask(model, {
    ...conversationOf(request),
    choice: choiceOf(request),
    options: {
      ...samplingOptions(sampling, model.info.generator.context, settings),
      ...(schema && { format: { schema } }),
    },
    ...(choice?.disable_parallel_tool_use && { maxCalls: 1 }),
  });
}

/** What the prompt is made of. */
export function conversationOf(
  request: CountRequest,
): Pick<ConversationRequest, 'messages' | 'tools' | 'variables'> {
  const { system, thinking } = request;
  const first = system ? [{ role: 'system', content: textOf(system) }] : [];
  return {
    messages: [...first, ...request.messages.flatMap(messagesOf)],
    tools: (request.tools ?? []).map(toolOf),
    variables: thinking ? { enable_thinking: thinking.type !== 'disabled' } : {},
  };
}

function messagesOf(
  { role, content }: CountRequest['messages'][number],
  i: number,
): readonly ChatMessage[] {
  const blocks: readonly RequestBlock[] =
    typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  return role === 'assistant' ? [answerOf(blocks, i)] : userMessages(role, blocks, i);
}

/** The results of tools are messages of their own, before what the user writes. */
function userMessages(
  role: string,
  blocks: readonly RequestBlock[],
  i: number,
): readonly ChatMessage[] {
  const results: ChatMessage[] = [];
  const texts: string[] = [];
  blocks.forEach((block, j) => {
    if (block.type === 'tool_result') {
      const content = textOf(block.content ?? '');
      results.push({ role: 'tool', content, tool_call_id: block.tool_use_id });
    } else if (block.type === 'text' || block.type === 'document') {
      texts.push(blockText(block));
    } else {
      throw misplaced(block, i, j, role);
    }
  });
  return texts.length > 0 ? [...results, { role, content: texts.join('\n') }] : results;
}

function answerOf(blocks: readonly RequestBlock[], i: number): ChatMessage {
  const calls: object[] = [];
  const texts: string[] = [];
  const thoughts: string[] = [];
  blocks.forEach((block, j) => {
    if (block.type === 'tool_use') {
      const { id, name, input } = block;
      calls.push({ id, type: 'function', function: { name, arguments: input } });
    } else if (block.type === 'thinking') {
      thoughts.push(block.thinking);
    } else if (block.type === 'text') {
      texts.push(block.text);
    } else if (block.type !== 'redacted_thinking') {
      throw misplaced(block, i, j, 'assistant');
    }
  });
  return {
    role: 'assistant',
    content: texts.join(''),
    ...(thoughts.length > 0 && { reasoning_content: thoughts.join('\n') }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

function misplaced({ type }: RequestBlock, i: number, j: number, role: string): ApiError {
  const message = `A message of the role ${role} has no ${type}.`;
  const param = `messages[${i}].content[${j}].type`;
  return new ApiError(400, message, { param, code: 'invalid_value' });
}

type TextBlock = Extract<RequestBlock, { readonly type: 'text' | 'document' }>;

function textOf(content: string | readonly TextBlock[]): string {
  return typeof content === 'string' ? content : content.map(blockText).join('\n');
}

function blockText(block: TextBlock): string {
  return block.type === 'text' ? block.text : block.source.data;
}

function toolOf({
  name,
  description,
  input_schema: parameters,
}: NonNullable<CountRequest['tools']>[number]): Tool {
  return {
    type: 'function',
    function: present({ name, description, parameters }) as unknown as Tool['function'],
  };
}

function choiceOf({ tool_choice: choice }: MessageRequest): ToolChoice {
  if (choice?.type === 'tool') {
    return { name: choice.name };
  }
  return choice?.type === 'any' ? 'required' : (choice?.type ?? 'auto');
}
