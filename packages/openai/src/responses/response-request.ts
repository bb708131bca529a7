// The form of a request to /v1/responses.
import { z } from 'zod';
import { callerFields, samplingFields, thinkingFields } from '../base/sampling.ts';

const notText = 'Images, audio and files are not understood';
const contentPart = z.discriminatedUnion(
  'type',
  [
    z.object({ type: z.enum(['input_text', 'output_text', 'text']), text: z.string() }),
    z.object({ type: z.literal('refusal'), refusal: z.string() }),
  ],
  { error: `Must be input_text, output_text or refusal. ${notText}` },
);
const content = z.union([z.string(), z.array(contentPart)]);
const unused = z.unknown().optional();
/** What a client keeps of an item, and sends back. */
const itemFields = { id: z.string().nullish(), status: z.string().nullish() };

const message = z.object({
  ...itemFields,
  type: z.literal('message').nullish(),
  role: z.enum(['user', 'assistant', 'system', 'developer']),
  content,
  phase: unused,
});
const functionCall = z.object({
  ...itemFields,
  type: z.literal('function_call'),
  call_id: z.string(),
  name: z.string(),
  arguments: z.string(),
  namespace: unused,
  caller: unused,
});
const functionCallOutput = z.object({
  ...itemFields,
  type: z.literal('function_call_output'),
  call_id: z.string(),
  output: content,
  caller: unused,
});
const reasoning = z.object({
  ...itemFields,
  type: z.literal('reasoning'),
  summary: z.array(z.object({ type: z.string(), text: z.string() })).nullish(),
  content: z.array(z.object({ type: z.string(), text: z.string() })).nullish(),
  encrypted_content: z.string().nullish(),
});
const itemReference = z.object({ type: z.literal('item_reference').nullish(), id: z.string() });

export const inputItem = z.union([
  functionCall,
  functionCallOutput,
  reasoning,
  message,
  itemReference,
]);
export type InputItem = z.infer<typeof inputItem>;

const tool = z.object({
  type: z.literal('function', { error: 'Must be "function": other tools are not there' }),
  name: z.string(),
  description: z.string().nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
  strict: z.boolean().nullish(),
  defer_loading: z.literal(false).nullish(),
});

const toolChoice = z.union([
  z.enum(['none', 'auto', 'required']),
  z.object({ type: z.literal('function'), name: z.string() }),
]);

const format = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text') }),
  z.object({ type: z.literal('json_object') }),
  z.object({
    type: z.literal('json_schema'),
    name: z.string().nullish(),
    description: z.string().nullish(),
    schema: z.record(z.string(), z.unknown()),
    strict: z.boolean().nullish(),
  }),
]);

const { model, stream, temperature, top_p, max_tokens, seed, top_k, min_p } = samplingFields;
const { chat_template_kwargs, enable_thinking } = thinkingFields;

export const responseRequest = z.object({
  ...callerFields,
  ...{ model, stream, temperature, top_p, seed, top_k, min_p },
  ...{ chat_template_kwargs, enable_thinking },
  input: z.union([z.string(), z.array(inputItem)]),
  instructions: z.string().nullish(),
  max_output_tokens: max_tokens,
  previous_response_id: z.string().nullish(),
  tools: z.array(tool).max(128).nullish(),
  tool_choice: toolChoice.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  max_tool_calls: z.int().nullish(),
  text: z.object({ format: format.nullish(), verbosity: z.string().nullish() }).nullish(),
  reasoning: z
    .object({
      effort: z.string().nullish(),
      summary: z.string().nullish(),
      generate_summary: z.string().nullish(),
    })
    .nullish(),
  stream_options: samplingFields.stream_options,
  // What answers do not have is not in them, whoever asks for it.
  include: z.array(z.string()).nullish(),
  truncation: z.literal('disabled', { error: 'Only disabled is supported' }).nullish(),
  top_logprobs: z.literal(0, { error: 'Use /v1/chat/completions for probabilities' }).nullish(),
  background: z.literal(false, { error: 'Answers come at once only' }).nullish(),
  conversation: z.null({ error: 'Conversations are not kept; send all items' }).optional(),
  prompt: z.null({ error: 'Prompts are not kept; send them' }).optional(),
});

export type ResponseRequest = z.infer<typeof responseRequest>;
