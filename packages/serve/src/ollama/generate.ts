// POST /api/generate

import type { Generator } from 'ambry';
import { conversationTask } from 'ambry-openai/shared';
import { z } from 'zod';
import type { GenerationJob } from '../service/generation-job.ts';
import type { Settings } from '../service/options.ts';
import { type ApiContext, readBody } from '../service/requests.ts';
import type { Service } from '../service/service.ts';
import { type AnswerPart, answerLines, loadedAnswer } from './answer-lines.ts';
import { noImages } from './chat.ts';
import { generationFields, ollamaOptions, thinkVariables } from './fields.ts';

const generateRequest = z.object({
  ...generationFields,
  prompt: z.string().nullish(),
  system: z.string().nullish(),
  suffix: z.literal('', { error: 'Text after the answer is not understood' }).nullish(),
  raw: z.boolean().nullish(),
  images: noImages,
});

export async function generate(c: ApiContext, service: Service): Promise<Response> {
  const request = await readBody(c, generateRequest);
  const { served, model } = service.models.ready(request.model, ['generator']);
  if (!request.prompt) {
    return loadedAnswer(c, served.name, request.keep_alive, bodyOf);
  }
  const task = await taskOf(request, request.prompt, model, service.settings);
  const job = { served, model, task, metrics: service.metrics };
  return answerLines(c, job, request.stream !== false, bodyOf, service);
}

function bodyOf({ text, reasoning }: AnswerPart): object {
  return { response: text, ...(reasoning !== '' && { thinking: reasoning }) };
}

/** A question to a model for conversations; else, and with `raw`, a text to continue. */
async function taskOf(
  request: z.infer<typeof generateRequest>,
  prompt: string,
  model: Generator,
  settings: Settings,
): Promise<GenerationJob['task']> {
  const { system, raw } = request;
  const options = ollamaOptions(request, model, settings);
  if (raw || model.chatTemplate === null) {
    return { prompts: [system ? `${system}\n${prompt}` : prompt], options, n: 1 };
  }
  const first = system ? [{ role: 'system', content: system }] : [];
  const messages = [...first, { role: 'user', content: prompt }];
  return conversationTask(model, { messages, options, variables: thinkVariables(request) });
}
