// A model that generates text, on the caller's side. The worker makes tokens when it is asked for them. One answer is
// under way at a time; others wait.
import { AmbryError } from '../errors.ts';
import type { FileInfo } from '../model/file-info.ts';
import type { OpenedModel } from '../model/protocol.ts';
import type { ModelFacts } from '../model/types.ts';
import type { Connection } from '../runtime/connect.ts';
import { Tokenizer } from '../tokenizer/client.ts';
import { Answer } from './answer.ts';
import type { GeneratorCalls, WirePrompt } from './protocol.ts';
import type {
  ChatMessage,
  ChatTemplateOptions,
  GenerateOptions,
  GenerationRun,
  GeneratorInfo,
  LogitsOptions,
  Perplexity,
  PerplexityOptions,
  Prompt,
} from './types.ts';

/**
 * A language model. It generates text in a worker of its own.
 *
 * @example
 * const model = await open('stories.amb', { kind: 'generator' });
 * for await (const { text } of model.generate('Once upon a time')) write(text);
 */
export class Generator extends Tokenizer implements ModelFacts {
  readonly kind = 'generator';
  readonly info: FileInfo & { readonly generator: GeneratorInfo };
  readonly weightBytes: number;
  readonly flavour: string;
  /** The file's own Jinja template for conversations. Null when it has none. */
  readonly chatTemplate: string | null;
  /** @internal */
  declare readonly connection: Connection<GeneratorCalls>;
  /** The last call that was begun, whether it succeeds or fails. */
  #last: Promise<unknown> = Promise.resolve();

  /** @internal */
  constructor(connection: Connection<GeneratorCalls>, opened: OpenedModel) {
    super(connection, opened.info.tokenizer);
    this.info = opened.info as FileInfo & { readonly generator: GeneratorInfo };
    this.chatTemplate = this.info.generator.chatTemplate;
    this.weightBytes = opened.weightBytes;
    this.flavour = opened.flavour;
  }

  /**
   * Continues a prompt, token by token. Other calls wait until the answer ends. Leaving the loop ends the answer, and an
   * abort rejects with an `AbortError`.
   *
   * Rejects with `BadValue` at `options…` or `prompt…`, and with `LimitExceeded` for a prompt that leaves no room in
   * the context.
   *
   * @example
   * for await (const { text } of model.generate('Once upon a time', { maxTokens: 50 })) write(text);
   *
   * @example
   * const { text } = await model.generate({ messages: [{ role: 'user', content: 'Hello' }] }).result;
   */
  generate(prompt: Prompt, options: GenerateOptions = {}): GenerationRun {
    const answer = new Answer(this.connection.channel, options);
    void this.#inTurn(() => answer.run(() => this.#wirePrompt(prompt)));
    return answer;
  }

  /** The logits of every token of the vocabulary as the next token: one row after the prompt, or with `all` one row
   *  after each of its tokens. */
  logits(
    prompt: Prompt,
    { all = false, signal, onProgress }: LogitsOptions = {},
  ): Promise<Float32Array> {
    return this.#inTurn(async () => {
      const input = { prompt: await this.#wirePrompt(prompt), all };
      return this.connection.channel.call('logits', input, { signal, onProgress });
    });
  }

  /** The perplexity of a text. */
  perplexity(
    text: string,
    { signal, onProgress, ...settings }: PerplexityOptions = {},
  ): Promise<Perplexity> {
    return this.#inTurn(async () => {
      if (typeof text !== 'string') throw notPrompt(text);
      const input = { text, settings };
      return this.connection.channel.call('perplexity', input, { signal, onProgress });
    });
  }

  /** Renders a conversation as the text that the model takes. */
  async applyChatTemplate(
    messages: readonly ChatMessage[],
    { template = this.chatTemplate ?? undefined, ...options }: ChatTemplateOptions = {},
  ): Promise<string> {
    const { render } = await import('./chat-template.ts');
    return render(template, messages, options, this.info.generator.specialTokens);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work, work);
    this.#last = turn.catch(() => {});
    return turn;
  }

  async #wirePrompt(prompt: Prompt): Promise<WirePrompt> {
    if (typeof prompt === 'string') return { text: prompt, special: true };
    if (isIds(prompt)) return { ids: [...prompt] };
    if (!Array.isArray(prompt?.messages)) throw notPrompt(prompt);
    const { messages, template } = prompt;
    const text = await this.applyChatTemplate(messages, template === undefined ? {} : { template });
    // Templates write the token that begins a text themselves. A tokenizer that adds it would double it.
    const { bos } = this.info.generator.specialTokens;
    const begins = bos !== undefined && bos !== '' && text.startsWith(bos);
    return { text: begins ? text.slice(bos.length) : text, special: begins };
  }
}

function isIds(prompt: unknown): prompt is readonly number[] {
  return Array.isArray(prompt) || ArrayBuffer.isView(prompt);
}

function notPrompt(given: unknown): AmbryError {
  const message = `A prompt is a text, token ids or messages, not ${given === null ? 'null' : typeof given}.`;
  return new AmbryError('BadValue', message, { path: 'prompt' });
}
