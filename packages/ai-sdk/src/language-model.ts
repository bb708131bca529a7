import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamResult,
} from '@ai-sdk/provider';
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
    const { prompt, settings, warnings } = callOf(model, options);
    const generation = await model.generate(prompt, settings).result;
    const { text, reasoning, toolCalls } = generation;
    const content: LanguageModelV4Content[] = [
      ...(reasoning === '' ? [] : [{ type: 'reasoning' as const, text: reasoning }]),
      ...(text === '' ? [] : [{ type: 'text' as const, text }]),
      ...toolCalls.map(toolCallOf),
    ];
    return { content, ...endingOf(generation), warnings, response: this.#response() };
  }

  async doStream(options: LanguageModelV4CallOptions): Promise<LanguageModelV4StreamResult> {
    const model = await this.#open();
    const { prompt, settings, warnings } = callOf(model, options);
    const run = model.generate(prompt, settings);
    return { stream: await streamOf(run, warnings, this.#response()) };
  }

  #response() {
    return { id: crypto.randomUUID(), timestamp: new Date(), modelId: this.modelId };
  }
}
