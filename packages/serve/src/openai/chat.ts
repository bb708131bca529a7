// POST /v1/chat/completions
import {
  chatChunks,
  chatDocument,
  chatHead,
  chatRequest,
  chatTask,
  collect,
} from 'ambry-openai/shared';
import { generationEvents } from '../service/generation-job.ts';
import { type ApiContext, readBody } from '../service/requests.ts';
import type { Service } from '../service/service.ts';
import { eventStream } from './event-stream.ts';

export async function chat(c: ApiContext, service: Service): Promise<Response> {
  const { models, metrics, settings } = service;
  const request = await readBody(c, chatRequest);
  const { served, model } = models.ready(request.model, ['generator']);
  const task = await chatTask(request, model, settings);
  const events = generationEvents({ served, model, task, metrics }, c.var.signal);
  const head = chatHead(served.name);
  if (request.stream) {
    return eventStream(c, chatChunks(events, request, head, task.n), service);
  }
  return c.json(chatDocument(await collect(events), request, head, task.n));
}
