// POST /v1/messages and POST /v1/messages/count_tokens, in the form of Anthropic.

import { type CollectedAnswer, collect, idOf } from 'ambry-openai/shared';
import { namedEventStream } from '../openai/event-stream.ts';
import { anthropicError } from '../service/error-bodies.ts';
import { generationEvents } from '../service/generation-job.ts';
import { type ApiContext, readBody } from '../service/requests.ts';
import type { Service } from '../service/service.ts';
import { endingOf, messageDocument, toolUse, usageOf } from './message-document.ts';
import { messageEvents } from './message-events.ts';
import { countRequest, messageRequest } from './message-request.ts';
import { conversationOf, messageTask } from './message-task.ts';

export async function messages(c: ApiContext, service: Service): Promise<Response> {
  const { models, metrics, settings } = service;
  const request = await readBody(c, messageRequest);
  const { served, model } = models.ready(request.model, ['generator']);
  const task = await messageTask(request, model, settings);
  const head = { id: idOf('msg'), model: served.name };
  const events = generationEvents({ served, model, task, metrics }, c.var.signal);
  if (request.stream) {
    return namedEventStream(c, messageEvents(events, head, request), (error) =>
      anthropicError(service.failure(error)),
    );
  }
  const [answer] = await collect(events);
  const whole = answer as CollectedAnswer;
  const { promptIds, ids } = whole.generation;
  const usage = usageOf(promptIds.length, ids.length);
  return c.json(messageDocument(head, contentOf(whole), endingOf(whole, request), usage));
}

function contentOf({ generation, calls }: CollectedAnswer): readonly object[] {
  const { text, reasoning } = generation;
  return [
    ...(reasoning === '' ? [] : [{ type: 'thinking', thinking: reasoning, signature: '' }]),
    ...(text === '' ? [] : [{ type: 'text', text }]),
    ...calls.map(toolUse),
  ];
}

export async function countTokens(c: ApiContext, { models }: Service): Promise<Response> {
  const request = await readBody(c, countRequest);
  const { model } = models.ready(request.model, ['generator']);
  const { messages, tools, variables } = conversationOf(request);
  const { signal } = c.var;
  const prompt = await model.applyChatTemplate(messages, {
    variables: { ...variables, ...(tools && tools.length > 0 && { tools }) },
    signal,
  });
  // More than the context is too much, however much it is.
  const most = model.info.generator.context * 2;
  const [count = 0] = await model.tokenCounts([prompt], { most, signal });
  return c.json({ input_tokens: count });
}
