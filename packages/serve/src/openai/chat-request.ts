// The form of a request to /v1/chat/completions.
import { z } from 'zod';
import { callerFields, samplingFields } from './sampling.ts';

const textPart = z.strictObject({
  type: z.literal('text', { error: 'Must be "text": images, audio and files are not understood' }),
  text: z.string(),
});
const content = z.union([z.string(), z.array(textPart).min(1)]);

const toolCall = z.strictObject({
  id: z.string(),
  type: z.literal('function'),
  function: z.strictObject({ name: z.string(), arguments: z.string() }),
});

const roles = ['system', 'developer', 'user', 'assistant', 'tool'];
const message = z.discriminatedUnion(
  'role',
  [
    z.strictObject({
      role: z.enum(['system', 'developer', 'user']),
      content,
      name: z.string().optional(),
    }),
    z.strictObject({
      role: z.literal('assistant'),
      content: content.nullish(),
      name: z.string().optional(),
      tool_calls: z.array(toolCall).nullish(),
      // What OpenAI's own answers have, and clients send back.
      refusal: z.null().optional(),
      audio: z.null().optional(),
      function_call: z.null().optional(),
      annotations: z.array(z.unknown()).nullish(),
    }),
    z.strictObject({ role: z.literal('tool'), content, tool_call_id: z.string() }),
  ],
  { error: `Must be one of ${roles.join(', ')}` },
);

const tool = z.strictObject({
  type: z.literal('function'),
  function: z.strictObject({
    name: z.string(),
    description: z.string().optional(),
    parameters: z.record(z.string(), z.unknown()).optional(),
    strict: z.boolean().nullish(),
  }),
});

const toolChoice = z.union([
  z.enum(['none', 'auto', 'required']),
  z.strictObject({ type: z.literal('function'), function: z.strictObject({ name: z.string() }) }),
]);

const responseFormat = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text') }),
  z.strictObject({ type: z.literal('json_object') }),
  z.strictObject({
    type: z.literal('json_schema'),
    json_schema: z.strictObject({
      name: z.string(),
      description: z.string().optional(),
      schema: z.record(z.string(), z.unknown()),
      strict: z.boolean().nullish(),
    }),
  }),
]);

export const chatRequest = z.strictObject({
  ...samplingFields,
  ...callerFields,
  messages: z.array(message).min(1),
  max_completion_tokens: z.int().min(1).nullish(),
  logprobs: z.boolean().nullish(),
  top_logprobs: z.int().min(0).max(20).nullish(),
  tools: z.array(tool).max(128).nullish(),
  tool_choice: toolChoice.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  response_format: responseFormat.nullish(),
  modalities: z.array(z.literal('text')).nullish(),
});

export type ChatRequest = z.infer<typeof chatRequest>;
export type RequestMessage = ChatRequest['messages'][number];
