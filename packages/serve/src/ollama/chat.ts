// POST /api/chat
import type { ChatMessage, Tool, ToolCall } from 'ambry';
import { toolPlan } from 'ambry-answers';
import { z } from 'zod';
import { ApiError } from '../service/api-error.ts';
import { type ApiContext, readBody } from '../service/requests.ts';
import type { Service } from '../service/service.ts';
import { answerLines } from './answer-lines.ts';
import { generationFields, ollamaOptions } from './fields.ts';

const toolCall = z.strictObject({
  id: z.string().optional(),
  type: z.literal('function').optional(),
  function: z.strictObject({
    index: z.int().optional(),
    name: z.string(),
    arguments: z.record(z.string(), z.unknown()),
  }),
});

const message = z.strictObject({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.string().default(''),
  images: z.array(z.unknown()).max(0, { error: 'Images are not understood' }).nullish(),
  tool_calls: z.array(toolCall).nullish(),
  tool_name: z.string().optional(),
  tool_call_id: z.string().optional(),
});

const tool = z.strictObject({
  type: z.literal('function'),
  function: z.strictObject({
    name: z.string(),
    description: z.string().optional(),
    parameters: z.record(z.string(), z.unknown()).optional(),
  }),
});

const chatRequest = z.strictObject({
  ...generationFields,
  messages: z.array(message).min(1),
  tools: z.array(tool).max(128).nullish(),
});

export async function chat(c: ApiContext, service: Service): Promise<Response> {
  const request = await readBody(c, chatRequest);
  const { served, model } = service.models.ready(request.model, ['generator']);
  const tools = (request.tools ?? []) as readonly Tool[];
  const options = ollamaOptions(request, model, service.settings);
  const messages = request.messages.map(messageOf);
  const plan = await toolPlan(model, tools);
  if (plan.mode === 'auto' && options.format) {
    const text = 'An answer keeps to a format or calls tools. Leave out one of the two.';
    throw new ApiError(400, text, { param: 'format', code: 'invalid_value' });
  }
  const task = {
    prompts: [tools.length > 0 ? { messages, tools } : { messages }],
    options,
    n: 1,
    tools: plan.mode,
  };
  const job = { served, model, task, metrics: service.metrics };
  return answerLines(
    c,
    job,
    request.stream !== false,
    (content, calls) => ({
      message: {
        role: 'assistant',
        content,
        ...(calls.length > 0 && { tool_calls: calls.map(callOf) }),
      },
    }),
    service,
  );
}

/** As chat templates take it. */
function messageOf({
  images: _,
  tool_calls: calls,
  tool_name: name,
  ...rest
}: z.infer<typeof message>): ChatMessage {
  return {
    ...rest,
    ...(name !== undefined && { name }),
    ...(calls && {
      tool_calls: calls.map(({ function: { index: _, ...call }, ...more }) => ({
        ...more,
        type: 'function',
        function: call,
      })),
    }),
  };
}

function callOf({ name, arguments: args, id }: ToolCall) {
  return { ...(id !== undefined && { id }), function: { name, arguments: args } };
}
