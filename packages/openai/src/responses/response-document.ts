// The document of an answer of /v1/responses, and the items in it.
import type { ToolCall } from 'ambry';
import type { AnswerEnd } from '../answers/answers.ts';
import type { Usage } from '../answers/collect.ts';
import { idOf } from '../base/ids.ts';
import type { ResponseRequest } from './response-request.ts';

export interface ResponseHead {
  readonly id: string;
  readonly created_at: number;
  readonly model: string;
}

export type OutputItem = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly type: string;
};

/** An answer that reached its limit is incomplete, and so is its last item. */
export const statusOf = (end: Pick<AnswerEnd, 'reason'> | undefined): 'incomplete' | 'completed' =>
  end?.reason === 'length' ? 'incomplete' : 'completed';

export function reasoningItem(id: string, text: string, status = 'completed'): OutputItem {
  const content = text === '' ? [] : [{ type: 'reasoning_text', text }];
  return { id, type: 'reasoning', summary: [], content, status };
}

export function messageItem(id: string, text: string, status = 'completed'): OutputItem {
  const content = status === 'in_progress' ? [] : [textPart(text)];
  return { id, type: 'message', role: 'assistant', status, content };
}

export function textPart(text: string): object {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}

export function callItem({ name, arguments: args, id: given }: ToolCall): OutputItem {
  return {
    id: idOf('fc'),
    type: 'function_call',
    status: 'completed',
    call_id: given ?? idOf('call'),
    name,
    arguments: JSON.stringify(args),
  };
}

export function responseDocument(
  head: ResponseHead,
  request: ResponseRequest,
  status: 'in_progress' | 'completed' | 'incomplete' | 'failed',
  output: readonly OutputItem[],
  usage?: Usage,
): object {
  return {
    ...head,
    object: 'response',
    status,
    background: false,
    error: null,
    incomplete_details: status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
    instructions: request.instructions ?? null,
    max_output_tokens: request.max_output_tokens ?? null,
    max_tool_calls: request.max_tool_calls ?? null,
    output,
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    previous_response_id: request.previous_response_id ?? null,
    reasoning: { effort: request.reasoning?.effort ?? null, summary: null },
    service_tier: 'default',
    store: request.store ?? true,
    temperature: request.temperature ?? null,
    text: { format: request.text?.format ?? { type: 'text' } },
    tool_choice: request.tool_choice ?? 'auto',
    tools: request.tools ?? [],
    top_logprobs: 0,
    top_p: request.top_p ?? null,
    truncation: 'disabled',
    usage: usage ? usageOf(usage) : null,
    user: request.user ?? null,
    metadata: request.metadata ?? {},
  };
}

function usageOf({ prompt, generated, thinking }: Usage): object {
  return {
    input_tokens: prompt,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: generated,
    output_tokens_details: { reasoning_tokens: thinking },
    total_tokens: prompt + generated,
  };
}
