// POST /api/generate
import type { Generator, Prompt } from 'ambry';
import { z } from 'zod';
import { type ApiContext, readBody } from '../service/requests.ts';
import type { Service } from '../service/service.ts';
import { answerLines } from './answer-lines.ts';
import { generationFields, ollamaOptions } from './fields.ts';

const generateRequest = z.strictObject({
  ...generationFields,
  prompt: z.string(),
  system: z.string().nullish(),
  raw: z.boolean().nullish(),
  images: z.array(z.unknown()).max(0, { error: 'Images are not understood' }).nullish(),
});

export async function generate(c: ApiContext, service: Service): Promise<Response> {
  const request = await readBody(c, generateRequest);
  const { served, model } = service.models.ready(request.model, ['generator']);
  const task = {
    prompts: [promptOf(request, model)],
    options: ollamaOptions(request, model, service.settings),
    n: 1,
    tools: 'text',
  } as const;
  const job = { served, model, task, metrics: service.metrics };
  return answerLines(c, job, request.stream !== false, (response) => ({ response }), service);
}

/** A question to a model for conversations; else, and with `raw`, a text to continue. */
function promptOf(
  { prompt, system, raw }: z.infer<typeof generateRequest>,
  model: Generator,
): Prompt {
  const first = system ? [{ role: 'system', content: system }] : [];
  if (!raw && model.chatTemplate !== null) {
    return { messages: [...first, { role: 'user', content: prompt }] };
  }
  return system ? `${system}\n${prompt}` : prompt;
}
