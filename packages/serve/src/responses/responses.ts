// POST /v1/responses
import type { GenerateOptions, Generator, Tool, ToolChoice } from 'ambry';
import { namedEventStream } from '../openai/event-stream.ts';
import { samplingOptions, thinkingVariables } from '../openai/sampling.ts';
import { conversationTask } from '../service/conversation.ts';
import {
  type CollectedAnswer,
  collect,
  generationEvents,
  Usage,
} from '../service/generation-job.ts';
import { idOf } from '../service/ids.ts';
import { present } from '../service/present.ts';
import { type ApiContext, readBody } from '../service/requests.ts';
import type { Service } from '../service/service.ts';
import { allItems, messagesOf } from './input-messages.ts';
import {
  callItem,
  messageItem,
  type OutputItem,
  type ResponseHead,
  reasoningItem,
  responseDocument,
  statusOf,
} from './response-document.ts';
import { responseEvents } from './response-events.ts';
import { type InputItem, type ResponseRequest, responseRequest } from './response-request.ts';

export async function responses(c: ApiContext, service: Service): Promise<Response> {
  const { models, metrics, stored } = service;
  const request = await readBody(c, responseRequest);
  const { served, model } = models.ready(request.model, ['generator']);
  const items = allItems(request, stored);
  const task = await taskOf(request, items, model, service);
  const created_at = Math.floor(Date.now() / 1000);
  const head = { id: idOf('resp'), created_at, model: served.name };
  const keep = (output: readonly OutputItem[]) => {
    if (request.store !== false) {
      keepResponse(service, head, items, output);
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
  const usage = new Usage(1);
  whole.tokens.forEach((token) => {
    usage.count(token);
  });
  usage.add(whole);
  const output = outputOf(whole);
  keep(output);
  return c.json(responseDocument(head, request, statusOf(whole), output, usage));
}

function taskOf(
  request: ResponseRequest,
  items: readonly InputItem[],
  model: Generator,
  { settings }: Service,
) {
  const { max_output_tokens: max_tokens, reasoning } = request;
  const { context } = model.info.generator;
  const variables = thinkingVariables({ ...request, reasoning_effort: reasoning?.effort });
  return conversationTask(model, {
    messages: messagesOf(items, request.instructions),
    tools: toolsOf(request),
    choice: choiceOf(request),
    options: {
      ...samplingOptions({ ...request, max_tokens }, context, settings),
      ...formatOf(request),
    },
    variables,
    ...(request.parallel_tool_calls === false && { maxCalls: 1 }),
  });
}

function outputOf(whole: CollectedAnswer): readonly OutputItem[] {
  const { calls, generation } = whole;
  const { text, reasoning } = generation;
  const hasMessage = text !== '' || calls.length === 0;
  return [
    ...(reasoning === '' ? [] : [reasoningItem(idOf('rs'), reasoning)]),
    ...(hasMessage ? [messageItem(idOf('msg'), text, statusOf(whole))] : []),
    ...calls.map(callItem),
  ];
}

/** Clients may name the answer, or an item of it, in their next request. */
function keepResponse(
  { stored }: Service,
  { id }: ResponseHead,
  items: readonly InputItem[],
  output: readonly OutputItem[],
): void {
  stored.set(id, [...items, ...output]);
  for (const item of output) {
    stored.set(item.id, item);
  }
}

function toolsOf({ tools }: ResponseRequest): readonly Tool[] {
  return (tools ?? []).map(({ name, description, parameters }) => ({
    type: 'function',
    function: present({ name, description, parameters }) as unknown as Tool['function'],
  }));
}

function choiceOf({ tool_choice: choice }: ResponseRequest): ToolChoice {
  return typeof choice === 'object' && choice ? { name: choice.name } : (choice ?? 'auto');
}

function formatOf({ text }: ResponseRequest): Pick<GenerateOptions, 'format'> {
  if (text?.format?.type === 'json_object') {
    return { format: { schema: { type: 'object' } } };
  }
  return text?.format?.type === 'json_schema' ? { format: { schema: text.format.schema } } : {};
}
