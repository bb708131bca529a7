// responses.create
import { answers } from '../answers/answers.ts';
import { type CollectedAnswer, collect } from '../answers/collect.ts';
import { allItems } from '../responses/input-messages.ts';
import type { OutputItem } from '../responses/response-document.ts';
import { responseEvents } from '../responses/response-events.ts';
import {
  keepResponse,
  outputOf,
  responseHead,
  wholeResponse,
} from '../responses/response-output.ts';
import { responseRequest } from '../responses/response-request.ts';
import { responseTask } from '../responses/response-task.ts';
import type { StoredResponses } from '../responses/stored-responses.ts';
import { noLimits } from './limits.ts';
import type { Models } from './models.ts';
import { answered, parsedRequest, type RequestOptions, signalOf } from './requests.ts';
import { streamOf } from './stream.ts';

export function createResponse(
  models: Models,
  stored: StoredResponses,
  body: unknown,
  options?: RequestOptions,
): Promise<unknown> {
  return answered(async () => {
    const request = parsedRequest(responseRequest, body);
    const signal = signalOf(options);
    const model = models.find(request.model, ['generator']);
    const items = allItems(request, stored);
    const task = await responseTask(request, items, model, noLimits);
    const head = responseHead(request.model);
    const keep = (output: readonly OutputItem[]) => {
      if (request.store !== false) {
        keepResponse(stored, head, items, output);
      }
    };
    if (request.stream) {
      return streamOf(signal, async (end) =>
        responseEvents(answers(model, task, end), head, request, keep),
      );
    }
    const [answer] = await collect(answers(model, task, signal));
    const whole = answer as CollectedAnswer;
    const output = outputOf(whole);
    keep(output);
    // OpenAI's client adds the text to the document that the server sends.
    const document = wholeResponse(whole, output, head, request);
    return { ...document, output_text: whole.generation.text };
  });
}
