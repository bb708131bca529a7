// An answer that waits for its turn, and is counted.
import type { ChatMessage, Generator } from 'ambry';
import {
  type AnswerEvent,
  type AnswerTask,
  answers,
  type CountedTask,
  reasonOf,
} from 'ambry-openai/shared';
import type { Metrics } from './metrics.ts';
import type { ServedModel } from './models.ts';

export interface GenerationJob {
  readonly served: ServedModel;
  readonly model: Generator;
  readonly task: CountedTask;
  readonly metrics: Metrics;
}

/** The events of the answers. The turn ends with the loop. */
export async function* generationEvents(
  { served, model, task, metrics }: GenerationJob,
  signal: AbortSignal,
): AsyncGenerator<AnswerEvent, void> {
  const end = await served.turns.take(signal, { size: sizeOf(task.prompts) });
  let [prompt, generated] = [0, 0];
  try {
    for await (const event of answers(model, task, signal)) {
      // Tokens of answers that are aborted count, too.
      if (event.kind === 'token') {
        generated++;
      } else if (event.answer % task.n === 0) {
        prompt += event.generation.promptIds.length;
      }
      yield event;
    }
  } catch (error) {
    served.noteError(error);
    throw reasonOf(error, signal);
  } finally {
    end();
    metrics.tokens(served.name, prompt, generated);
  }
}

/** The characters of prompts, or their tokens. */
function sizeOf(prompts: AnswerTask['prompts']): number {
  return prompts.reduce((sum, prompt) => {
    const parts = typeof prompt === 'object' && 'messages' in prompt ? prompt.messages : [prompt];
    return parts.reduce<number>((own, part) => own + lengthOf(part), sum);
  }, 0);
}

function lengthOf(part: string | number | readonly number[] | ChatMessage): number {
  if (typeof part === 'object' && 'content' in part) {
    return part.content.length;
  }
  return typeof part === 'number' ? 1 : part.length;
}
