import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamResult,
} from '@ai-sdk/provider';
import { type AnswerEnd, answers } from 'ambry-answers';
import type { Opened } from './models.ts';
import { endingOf, toolCallOf } from './parts.ts';
import { streamOf } from './stream.ts';
import { callOf } from './task.ts';

export class AmbryLanguageModel implements LanguageModelV4 {
  readonly specificationVersion = 'v4';
  readonly provider = 'ambry';
  readonly modelId: string;
  /** Nothing is downloaded. */
  readonly supportedUrls = {};
  readonly #open: Opened<'generator'>;

  constructor(modelId: string, open: Opened<'generator'>) {
    this.modelId = modelId;
    this.#open = open;
  }

  async doGenerate(options: LanguageModelV4CallOptions): Promise<LanguageModelV4GenerateResult> {
    const model = await this.#open();
    const { task, warnings } = await callOf(model, options);
    const content: LanguageModelV4Content[] = [];
    let text = '';
    let end: AnswerEnd | undefined;
    for await (const event of answers(model, task, options.abortSignal)) {
      text += event.text;
      if (event.kind === 'end') {
        end = event;
      }
    }
    const { calls } = end as AnswerEnd;
    if (text !== '') {
      content.push({ type: 'text', text });
    }
    content.push(...calls.map(toolCallOf));
    return { content, ...endingOf(end as AnswerEnd), warnings, response: this.#response() };
  }

  async doStream(options: LanguageModelV4CallOptions): Promise<LanguageModelV4StreamResult> {
    const model = await this.#open();
    const { task, warnings } = await callOf(model, options);
    const events = answers(model, task, options.abortSignal);
    return { stream: await streamOf(events, warnings, this.#response()) };
  }

  #response() {
    return { id: crypto.randomUUID(), timestamp: new Date(), modelId: this.modelId };
  }
}
