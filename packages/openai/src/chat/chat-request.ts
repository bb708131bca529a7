// The form of a request to /v1/chat/completions.
import { z } from 'zod';
import { callerFields, samplingFields, thinkingFields } from '../base/sampling.ts';

export const textPart = z.object({
  type: z.literal('text', { error: 'Must be "text": images, audio and files are not understood' }),
  text: z.string(),
});
const refusalPart = z.object({ type: z.literal('refusal'), refusal: z.string() });
const content = z.union([z.string(), z.array(textPart)]);
const ownContent = z.union([
  z.string(),
  z.array(z.discriminatedUnion('type', [textPart, refusalPart])),
]);

const toolCall = z.object({
  // Whoever joins the parts of a stream keeps their index.
  index: z.int().nullish(),
  id: z.string().nullish(),
  type: z.literal('function').nullish(),
  function: z.object({
    name: z.string(),
    arguments: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
  }),
});

const roles = ['system', 'developer', 'user', 'assistant', 'tool'];
const name = z.string().nullish();
const message = z.discriminatedUnion(
  'role',
  [
    z.object({ role: z.enum(['system', 'developer', 'user']), content, name }),
    z.object({
      role: z.literal('assistant'),
      content: ownContent.nullish(),
      name,
      tool_calls: z.array(toolCall).nullish(),
      // The thinking of an earlier answer, as servers and clients name it.
      reasoning_content: z.string().nullish(),
      reasoning: z.string().nullish(),
      // What answers have, and clients send back.
      refusal: z.string().nullish(),
      audio: z.null().optional(),
      function_call: z.null().optional(),
      annotations: z.array(z.unknown()).nullish(),
    }),
    z.object({
      role: z.literal('tool'),
      content: content.nullish(),
      tool_call_id: z.string().nullish(),
      name,
    }),
  ],
  { error: `Must be one of ${roles.join(', ')}` },
);

const tool = z.object({
  type: z.literal('function', { error: 'Must be "function": other tools are not there' }),
  function: z.object({
    name: z.string(),
    description: z.string().nullish(),
    parameters: z.record(z.string(), z.unknown()).nullish(),
    strict: z.boolean().nullish(),
  }),
});

const toolChoice = z.union([
  z.enum(['none', 'auto', 'required', 'any']),
  z.object({ type: z.literal('function'), function: z.object({ name: z.string() }) }),
]);

const schema = z.record(z.string(), z.unknown());
const responseFormat = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text') }),
  z.object({ type: z.literal('json_object'), schema: schema.nullish() }),
  z.object({
    type: z.literal('json_schema'),
    json_schema: z.object({
      name: z.string().nullish(),
      description: z.string().nullish(),
      schema,
      strict: z.boolean().nullish(),
    }),
  }),
]);

export const chatRequest = z.object({
  ...samplingFields,
  ...callerFields,
  ...thinkingFields,
  messages: z.array(message).min(1),
  max_completion_tokens: samplingFields.max_tokens,
  logprobs: z.boolean().nullish(),
  top_logprobs: z.int().min(0).max(20).nullish(),
  tools: z.array(tool).max(128).nullish(),
  tool_choice: toolChoice.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  response_format: responseFormat.nullish(),
  modalities: z.array(z.literal('text', { error: 'Must be "text": answers are text' })).nullish(),
  // What would change the answer, and is not there.
  functions: z.array(z.unknown()).max(0, { error: 'Give tools in place of functions' }).nullish(),
  audio: z.null({ error: 'Answers are text' }).optional(),
});

export type ChatRequest = z.infer<typeof chatRequest>;
export type RequestMessage = ChatRequest['messages'][number];
