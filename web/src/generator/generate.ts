// What a model that generates text can do, on the caller's side. The worker makes tokens when it is asked for
// them; one answer at a time is under way, and further ones wait.
import { AmbryError } from '../errors.ts';
import type { FileInfo } from '../files/inspect-types.ts';
import type { Channel } from '../rpc/channel.ts';
import type { Calls, WirePrompt } from '../rpc/protocol.ts';
import { Answer } from './answer.ts';
import type {
  ChatMessage,
  ChatTemplateOptions,
  GenerateOptions,
  GenerationRun,
  LogitsOptions,
  Perplexity,
  PerplexityOptions,
  Prompt,
} from './types.ts';

/** The calls that a model which generates text has besides a model's. */
export interface GeneratorCalls {
  readonly chatTemplate: string | null;
  generate(prompt: Prompt, options?: GenerateOptions): GenerationRun;
  logits(prompt: Prompt, options?: LogitsOptions): Promise<Float32Array>;
  perplexity(text: string, options?: PerplexityOptions): Promise<Perplexity>;
  applyChatTemplate(
    messages: readonly ChatMessage[],
    options?: ChatTemplateOptions,
  ): Promise<string>;
}

export function generatorCalls(channel: Channel<Calls>, { generator }: FileInfo): GeneratorCalls {
  const { chatTemplate = null, specialTokens = {} } = generator ?? {};
  /** What is under way, successfully or not. */
  let last: Promise<unknown> = Promise.resolve();

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = last.then(work, work);
    last = turn.catch(() => {});
    return turn;
  }

  async function applyChatTemplate(
    messages: readonly ChatMessage[],
    { template = chatTemplate ?? undefined, ...options }: ChatTemplateOptions = {},
  ): Promise<string> {
    const { render } = await import('./chat-template.ts');
    return render(template, messages, options, specialTokens);
  }

  async function wirePrompt(prompt: Prompt): Promise<WirePrompt> {
    if (typeof prompt === 'string') return { text: prompt, special: true };
    if (isIds(prompt)) return { ids: [...prompt] };
    if (!Array.isArray(prompt?.messages)) throw notPrompt(prompt);
    const { messages, template } = prompt;
    const text = await applyChatTemplate(messages, template === undefined ? {} : { template });
    // Templates write the token that begins a text themselves; a tokenizer that adds it would double it.
    const { bos } = specialTokens;
    const begins = bos !== undefined && bos !== '' && text.startsWith(bos);
    return { text: begins ? text.slice(bos.length) : text, special: begins };
  }

  return {
    chatTemplate,
    applyChatTemplate,

    generate: (prompt, options = {}) => {
      const answer = new Answer(channel, options);
      void inTurn(() => answer.run(() => wirePrompt(prompt)));
      return answer;
    },

    logits: (prompt, { all = false, signal, onProgress } = {}) =>
      inTurn(async () => {
        const input = { prompt: await wirePrompt(prompt), all };
        return channel.call('logits', input, { signal, onProgress });
      }),

    perplexity: (text, { signal, onProgress, ...settings } = {}) =>
      inTurn(async () => {
        if (typeof text !== 'string') throw notPrompt(text);
        return channel.call('perplexity', { text, settings }, { signal, onProgress });
      }),
  };
}

function isIds(prompt: unknown): prompt is readonly number[] {
  return Array.isArray(prompt) || ArrayBuffer.isView(prompt);
}

function notPrompt(given: unknown): AmbryError {
  const message = `A prompt is a text, tokens or messages, not ${given === null ? 'null' : typeof given}.`;
  return new AmbryError('BadValue', message, { path: 'prompt' });
}
