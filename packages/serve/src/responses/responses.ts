// POST /v1/responses
import {
  allItems,
  type CollectedAnswer,
  collect,
  keepResponse,
  type OutputItem,
  outputOf,
  responseEvents,
  responseHead,
  responseRequest,
  responseTask,
  wholeResponse,
} from 'ambry-openai/shared';
import { namedEventStream } from '../openai/event-stream.ts';
import { generationEvents } from '../service/generation-job.ts';
import { type ApiContext, readBody } from '../service/requests.ts';
import type { Service } from '../service/service.ts';

export async function responses(c: ApiContext, service: Service): Promise<Response> {
  const { models, metrics, settings, stored } = service;
  const request = await readBody(c, responseRequest);
  const { served, model } = models.ready(request.model, ['generator']);
  const items = allItems(request, stored);
  const task = await responseTask(request, items, model, settings);
  const head = responseHead(served.name);
  const keep = (output: readonly OutputItem[]) => {
    if (request.store !== false) {
      keepResponse(stored, head, items, output);
    }
  };
  const events = generationEvents({ served, model, task, metrics }, c.var.signal);
  if (request.stream) {
    const onError = (error: unknown) => {
      const { message, facts } = service.failure(error);
      const { code = null, param = null } = facts;
      return { type: 'error', code, message, param };
    };
    return namedEventStream(c, responseEvents(events, head, request, keep), onError);
  }
  const [answer] = await collect(events);
  const whole = answer as CollectedAnswer;
  const output = outputOf(whole);
  keep(output);
  return c.json(wholeResponse(whole, output, head, request));
}
