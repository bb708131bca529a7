// The form of a request to /v1/messages.
import { z } from 'zod';

const unused = z.unknown().optional();
/** What a client says about the cache of a server changes no answer. */
const cached = { cache_control: unused, citations: unused };

const text = z.object({ ...cached, type: z.literal('text'), text: z.string() });
/** A document whose text is in the request. */
const document = z.object({
  ...cached,
  type: z.literal('document'),
  source: z.object({
    type: z.literal('text', { error: 'Must be "text": images and files are not understood' }),
    media_type: z.string().nullish(),
    data: z.string(),
  }),
  title: z.string().nullish(),
  context: z.string().nullish(),
});
const toolUse = z.object({
  ...cached,
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  input: z.record(z.string(), z.unknown()),
  caller: unused,
});
const toolResult = z.object({
  ...cached,
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z.union([z.string(), z.array(z.discriminatedUnion('type', [text, document]))]).nullish(),
  is_error: z.boolean().nullish(),
});
const thinking = z.object({
  type: z.literal('thinking'),
  thinking: z.string(),
  signature: z.string().nullish(),
});
const redacted = z.object({ type: z.literal('redacted_thinking'), data: z.string() });

const block = z.discriminatedUnion(
  'type',
  [text, document, toolUse, toolResult, thinking, redacted],
  { error: 'Must be text, tool_use, tool_result, thinking or a document of text' },
);
const message = z.object({
  role: z.enum(['user', 'assistant', 'system']),
  content: z.union([z.string(), z.array(block)]),
});

const tool = z.object({
  ...cached,
  // Tools that Anthropic's own servers run are not there.
  type: z.literal('custom', { error: 'Must be "custom": other tools are not there' }).nullish(),
  name: z.string(),
  description: z.string().nullish(),
  input_schema: z.record(z.string(), z.unknown()),
  strict: z.boolean().nullish(),
  eager_input_streaming: unused,
  input_examples: unused,
});

const parallel = { disable_parallel_tool_use: z.boolean().nullish() };
const toolChoice = z.discriminatedUnion('type', [
  z.object({ ...parallel, type: z.enum(['auto', 'any', 'none']) }),
  z.object({ ...parallel, type: z.literal('tool'), name: z.string() }),
]);

const format = z.object({
  type: z.literal('json_schema'),
  schema: z.record(z.string(), z.unknown()),
});

/** Also of /v1/messages/count_tokens. */
export const countRequest = z.object({
  model: z.string(),
  messages: z.array(message).min(1),
  system: z.union([z.string(), z.array(text)]).nullish(),
  tools: z.array(tool).max(128).nullish(),
  tool_choice: toolChoice.nullish(),
  thinking: z.object({ type: z.string(), budget_tokens: unused, display: unused }).nullish(),
  cache_control: unused,
  output_format: format.nullish(),
  output_config: z.object({ format: format.nullish(), effort: z.string().nullish() }).nullish(),
});

export const messageRequest = countRequest.extend({
  max_tokens: z.int().min(1).nullish(),
  stream: z.boolean().nullish(),
  temperature: z.number().min(0).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  top_k: z.int().min(-1).nullish(),
  stop_sequences: z.array(z.string()).max(64).nullish(),
  metadata: unused,
  service_tier: unused,
  inference_geo: unused,
  container: z.null({ error: 'Containers are not there' }).optional(),
  mcp_servers: z.array(z.unknown()).max(0, { error: 'Servers of tools are not there' }).nullish(),
  context_management: unused,
});

export type CountRequest = z.infer<typeof countRequest>;
export type MessageRequest = z.infer<typeof messageRequest>;
export type RequestBlock = z.infer<typeof block>;
