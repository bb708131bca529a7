// POST /api/chat

import type { ChatMessage, Tool, ToolCall } from 'ambry';
import { conversationTask, parsedArguments, present } from 'ambry-openai/shared';
import { z } from 'zod';
import { type ApiContext, readBody } from '../service/requests.ts';
import type { Service } from '../service/service.ts';
import { type AnswerPart, answerLines, loadedAnswer } from './answer-lines.ts';
import { generationFields, ollamaOptions, thinkVariables } from './fields.ts';

const toolCall = z.object({
  id: z.string().nullish(),
  type: z.literal('function').nullish(),
  function: z.object({
    index: z.int().nullish(),
    name: z.string(),
    // Some clients write them as JSON in a string, as OpenAI does.
    arguments: z.union([z.record(z.string(), z.unknown()), z.string()]).nullish(),
  }),
});

export const noImages = z
  .array(z.unknown())
  .max(0, { error: 'Images are not understood' })
  .nullish();

const message = z.object({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.string().nullish(),
  thinking: z.string().nullish(),
  images: noImages,
  tool_calls: z.array(toolCall).nullish(),
  tool_name: z.string().nullish(),
  tool_call_id: z.string().nullish(),
  name: z.string().nullish(),
});

const tool = z.object({
  type: z.literal('function'),
  function: z.object({
    name: z.string(),
    description: z.string().nullish(),
    parameters: z.record(z.string(), z.unknown()).nullish(),
    strict: z.boolean().nullish(),
  }),
});

const chatRequest = z.object({
  ...generationFields,
  messages: z.array(message).nullish(),
  tools: z.array(tool).max(128).nullish(),
});

export async function chat(c: ApiContext, service: Service): Promise<Response> {
  const request = await readBody(c, chatRequest);
  const { served, model } = service.models.ready(request.model, ['generator']);
  const messages = (request.messages ?? []).map(messageOf);
  if (messages.length === 0) {
    return loadedAnswer(c, served.name, request.keep_alive, bodyOf);
  }
  const task = await conversationTask(model, {
    messages,
    tools: (request.tools ?? []).map(toolOf),
    options: ollamaOptions(request, model, service.settings),
    variables: thinkVariables(request),
  });
  const job = { served, model, task, metrics: service.metrics };
  return answerLines(c, job, request.stream !== false, bodyOf, service);
}

function bodyOf({ text, reasoning, calls }: AnswerPart): object {
  return {
    message: {
      role: 'assistant',
      content: text,
      ...(reasoning !== '' && { thinking: reasoning }),
      ...(calls.length > 0 && { tool_calls: calls.map(callOf) }),
    },
  };
}

/** As chat templates take it. */
function messageOf(given: z.infer<typeof message>, i: number): ChatMessage {
  const { role, content, thinking, tool_calls: calls, tool_name: tool, tool_call_id } = given;
  const fields = present({ name: given.name ?? tool, tool_call_id, reasoning_content: thinking });
  return {
    role,
    content: content ?? '',
    ...fields,
    ...(calls &&
      calls.length > 0 && {
        tool_calls: calls.map(({ id, function: { name, arguments: text } }, j) => {
          const path = `messages[${i}].tool_calls[${j}].function.arguments`;
          const args = parsedArguments(text || {}, path);
          return { ...present({ id }), type: 'function', function: { name, arguments: args } };
        }),
      }),
  };
}

function toolOf({ function: { strict: _, ...rest } }: z.infer<typeof tool>): Tool {
  return { type: 'function', function: present(rest) as unknown as Tool['function'] };
}

function callOf({ name, arguments: args, id }: ToolCall) {
  return { ...(id !== undefined && { id }), function: { name, arguments: args } };
}
