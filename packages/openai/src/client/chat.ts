// chat.completions.create
import { answers } from '../answers/answers.ts';
import { collect } from '../answers/collect.ts';
import { chatChunks, chatDocument, chatHead } from '../chat/chat-document.ts';
import { chatRequest } from '../chat/chat-request.ts';
import { chatTask } from '../chat/chat-task.ts';
import { noLimits } from './limits.ts';
import type { Models } from './models.ts';
import { answered, parsedRequest, type RequestOptions, signalOf } from './requests.ts';
import { streamOf } from './stream.ts';

export function createChat(
  models: Models,
  body: unknown,
  options?: RequestOptions,
): Promise<unknown> {
  return answered(async () => {
    const request = parsedRequest(chatRequest, body);
    const signal = signalOf(options);
    const model = models.find(request.model, ['generator']);
    const task = await chatTask(request, model, noLimits);
    const head = chatHead(request.model);
    if (!request.stream) {
      return chatDocument(await collect(answers(model, task, signal)), request, head, task.n);
    }
    return streamOf(signal, async (end) =>
      chatChunks(answers(model, task, end), request, head, task.n),
    );
  });
}
