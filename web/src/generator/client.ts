// A language model, on the caller's side. The worker generates tokens when it is asked for them. One answer runs at a
// time; other calls wait.
import { checkMethods } from '../base/call.ts';
import { findWrongOption, list, object, options, text, textOrTexts } from '../base/kinds.ts';
import { refuse, refuseUnknown } from '../base/options.ts';
import type {
  EmbedMatrixOptions,
  EmbedOptions,
  EmbedVectorsOptions,
} from '../model/embed-types.ts';
import { embedTexts } from '../model/embedding.ts';
import type { FileInfo } from '../model/file-info.ts';
import type { ModelFacts } from '../model/model-facts.ts';
import type { OpenedModel } from '../model/protocol.ts';
import type { Connection } from '../runtime/connect.ts';
import { Tokenizer } from '../tokenizer/client.ts';
import { Answer } from './answer.ts';
import {
  generateOptionNames,
  journal,
  logitsOptionNames,
  perplexityOptionNames,
  tools,
} from './base/option-names.ts';
import type { GeneratorCalls } from './base/protocol.ts';
import type {
  ChatMessage,
  ChatTemplateOptions,
  Conversation,
  DecideOptions,
  Decisions,
  GenerateAllOptions,
  GenerateOptions,
  GenerationBatch,
  GenerationRun,
  GeneratorInfo,
  Journal,
  LogitsOptions,
  Perplexity,
  PerplexityOptions,
  Prompt,
  Questions,
  RestoreOptions,
  SessionOptions,
  Tool,
  ToolAnswer,
} from './base/types.ts';
import { bytes, prompt, template } from './check-prompts.ts';
import type { RenderPrompt } from './decide/text-prompts.ts';
import { type PromptModel, preparePrompt, preparePrompts } from './prepared-prompt.ts';
import { planReply } from './reply-plan.ts';
import { ChatSession, type SessionModel } from './session.ts';
import { checkOneAnswer } from './session-options.ts';
import { namedTemplates } from './templates/choose-template.ts';
import { Conversations } from './templates/conversations.ts';

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
  /** On how many threads the model runs. */
  readonly threads: number;
  /** The file's own Jinja template for conversations. Null when it has none. */
  readonly chatTemplate: string | null;
  /** @internal */
  declare readonly connection: Connection<GeneratorCalls>;
  /** Settles when the latest call does. It never rejects. */
  #last: Promise<unknown> = Promise.resolve();
  readonly #conversations: Conversations;

  /** @internal */
  constructor(connection: Connection<GeneratorCalls>, opened: OpenedModel, threads: number) {
    super(connection, opened.info.tokenizer);
    this.info = opened.info as FileInfo & { readonly generator: GeneratorInfo };
    this.chatTemplate = this.info.generator.chatTemplate;
    this.#conversations = new Conversations(connection, {
      ...this.info.generator,
      named: namedTemplates(this.info),
    });
    this.weightBytes = opened.weightBytes;
    this.flavour = opened.flavour;
    this.threads = threads;
  }

  /**
   * Continues a prompt, token by token. Other calls wait until the answer ends. Leaving the loop ends the answer, and an
   * abort rejects with an `AbortError`.
   *
   * The result of an answer to messages has what the model wrote in its parts: `text`, `reasoning` and `toolCalls`.
   *
   * Rejects with `BadValue` at `options…` or `prompt…`, and with `LimitExceeded` for a prompt that leaves no room in
   * the context.
   *
   * @example
   * for await (const { text } of model.generate('Once upon a time', { maxTokens: 50 })) write(text);
   *
   * @example
   * const { text } = await model.generate({ messages: [{ role: 'user', content: 'Hello' }] }).result;
   *
   * @example
   * const { toolCalls } = await model.generate({ messages, tools, toolChoice: 'required' }).result;
   */
  generate(prompt: Prompt, options: GenerateOptions = {}): GenerationRun {
    const wrong = findWrongOption(options, generateOptionNames);
    const answer = new Answer(this.connection.channel, wrong ? {} : options, (result) => result);
    const start = async (aborted: AbortSignal) => {
      await (wrong && refuse(wrong));
      const { reader, format, ...begin } = await preparePrompt(
        this.#prompts(),
        prompt,
        options.format,
        aborted,
      );
      return { ...begin, ...format, readers: [reader] };
    };
    void this.#inTurn(() => answer.run(start));
    return answer;
  }

  /**
   * Continues several prompts together, which is faster than one after another. Each answer is the same as that of
   * `generate` with the same options and seed; without `seed` each prompt gets a seed of its own. The tokens come by
   * turns, and `prompt` says which prompt they continue. What all prompts begin with is computed once.
   *
   * Rejects as `generate` does, with the place `prompts[2]` for a problem of one prompt; and at `prompts` with `BadValue`
   * if there are none, and with `LimitExceeded` for more than 10,000.
   *
   * @example
   * const { results } = model.generateAll(['Once upon a time', 'The end of'], { maxTokens: 50 });
   * for (const { text } of await results) console.log(text);
   */
  generateAll(prompts: readonly Prompt[], options: GenerateAllOptions = {}): GenerationBatch {
    const wrong = findWrongOption(options, generateOptionNames);
    const { channel } = this.connection;
    const answers = new Answer(channel, wrong ? {} : options, (result) => result, 'prompt');
    const start = async (aborted: AbortSignal) => {
      await (wrong && refuse(wrong));
      checkOneAnswer(options, 'Each prompt gets one answer. Repeat the prompt for others.');
      return preparePrompts(this.#prompts(), prompts, options, aborted);
    };
    void this.#inTurn(() => answers.run(start));
    return answers;
  }

  /**
   * A conversation that keeps the keys and values of its tokens, so that a turn computes only what is new. A model serves
   * several sessions; their answers wait for each other. Throws `BadValue` at `options…` or `messages…`.
   *
   * @example
   * const chat = model.session({ system: 'Be brief.', trim: 'oldest' });
   * for await (const { text } of chat.send('What is a tide?')) write(text);
   * const { usage } = await chat.send('And at full moon?').result; // usage.reusedTokens
   */
  session(options: SessionOptions = {}): ChatSession {
    return ChatSession.create(this.#sessionModel(), options);
  }

  /**
   * The session that `save` made the bytes of. Options replace those with which it was saved.
   *
   * Rejects with `Mismatch` at `saved…` for a session of another model, of a model that was opened with another `kv` or
   * `weights`, or of another build; with `Truncated`, `BadMagic`, `UnsupportedVersion` or `BadValue` for bytes that are
   * none or are damaged; and with `LimitExceeded` where the context is too small.
   */
  restoreSession(bytes: Uint8Array, options: RestoreOptions = {}): Promise<ChatSession> {
    return ChatSession.restore(this.#sessionModel(), bytes, options);
  }

  /**
   * The session of a journal: what was said, and with `resume()` the answer that was interrupted. A journal without a session
   * gets a new one with the options. Else they replace those of the session, and `system` and `messages` are not used.
   *
   * Rejects at `journal…` with `BadMagic`, `UnsupportedVersion`, `LimitExceeded` or `BadValue` for a journal that is none or
   * is damaged, and with `BadValue` at `options…`.
   *
   * @example
   * const chat = await model.resumeSession(openJournal('tides'), { system: 'Be brief.' });
   * for await (const { text } of chat.resume() ?? []) write(text);
   * await chat.send('And at full moon?').result;
   */
  resumeSession(journal: Journal, options: SessionOptions = {}): Promise<ChatSession> {
    return ChatSession.resume(this.#sessionModel(), journal, options);
  }

  /** The logits for the next token: one row after the prompt, or with `all` one row after each of its tokens. */
  logits(prompt: Prompt, options: LogitsOptions = {}): Promise<Float32Array> {
    const { all = false, signal, onProgress } = options;
    return this.#inTurn(async () => {
      await refuseUnknown(options, logitsOptionNames);
      const input = {
        prompt: (await preparePrompt(this.#prompts(), prompt, undefined, signal)).prompt,
        all,
      };
      return this.connection.channel.call('logits', input, { signal, onProgress });
    });
  }

  /**
   * The vector of a text, and for a list of texts an array with one for each, as `embed` of an `Encoder`. A model that says nothing of embeddings needs the option `pooling`; its vectors
   * have length 1 unless `normalize` is false.
   *
   * @example
   * const [cat, dog] = await model.embed(['a cat', 'a dog'], { pooling: 'lasttoken' });
   */
  embed(
    texts: string | readonly string[],
    options: EmbedMatrixOptions,
  ): Promise<Float32Array<ArrayBuffer>>;
  embed(text: string, options?: EmbedOptions): Promise<Float32Array<ArrayBuffer>>;
  embed(
    texts: readonly string[],
    options?: EmbedVectorsOptions,
  ): Promise<Float32Array<ArrayBuffer>[]>;
  embed(
    texts: string | readonly string[],
    options?: EmbedOptions,
  ): Promise<Float32Array<ArrayBuffer> | Float32Array<ArrayBuffer>[]>;
  embed(
    texts: string | readonly string[],
    options: EmbedOptions = {},
  ): Promise<Float32Array<ArrayBuffer> | Float32Array<ArrayBuffer>[]> {
    return embedTexts(texts, options, (input, call) =>
      this.#inTurn(() => this.connection.channel.call('embed', input, call)),
    );
  }

  /**
   * Answers questions about a text, with the probability of each answer that there may be. For a list of texts the result is a
   * list. The model writes nothing: an answer's score is the sum of the log probabilities of its tokens and of its end, after a
   * prompt by the model's chat template. What the questions have in common is computed once. The scores have the same bits in
   * every browser and in Node.
   *
   * Rejects with `BadValue` at `questions…`, `options…` or `texts[…]`, such as for an empty text; with `LimitExceeded` at
   * `questions…` for too many answers, and at `texts[…]` for a text that is too long for the context; with `NotFound` at
   * `chatTemplate` where the model has no template; and with an `AbortError`.
   *
   * @example
   * const { topic, urgent } = await model.decide('My invoice is wrong, and I leave tomorrow.', {
   *   topic: { choices: ['billing', 'technical', 'other'], description: 'What is the message about?' },
   *   urgent: 'boolean',
   * });
   * console.log(topic.value, topic.probability, urgent.value);
   *
   * @example
   * const all = await model.decide(['It broke.', 'All is well.'], { severity: { min: 1, max: 5 } }, { normalize: 'prior' });
   */
  decide<const Q extends Questions>(
    text: string,
    questions: Q,
    options?: DecideOptions,
  ): Promise<Decisions<Q>>;
  decide<const Q extends Questions>(
    texts: readonly string[],
    questions: Q,
    options?: DecideOptions,
  ): Promise<Decisions<Q>[]>;
  decide(
    texts: string | readonly string[],
    questions: Questions,
    options: DecideOptions = {},
  ): Promise<Decisions | Decisions[]> {
    return this.#inTurn(async () => {
      const { decide } = await import('./decide/decide.ts');
      const render: RenderPrompt = (conversation, signal) => this.#render(conversation, signal);
      const { endIds } = this.info.generator;
      const model = { channel: this.connection.channel, render, endIds };
      return decide(model, texts, questions, options);
    });
  }

  /** The perplexity of a text. */
  perplexity(text: string, options: PerplexityOptions = {}): Promise<Perplexity> {
    const { signal, onProgress, ...settings } = options;
    return this.#inTurn(async () => {
      await refuseUnknown(options, perplexityOptionNames);
      const input = { text, settings };
      return this.connection.channel.call('perplexity', input, { signal, onProgress });
    });
  }

  /**
   * Renders a conversation as the text of a prompt. The template runs in a worker of its own.
   *
   * A model may have several templates. The one with the name `tool_use` is taken if `variables` has `tools`, `rag` if it has
   * `documents`, and else the default.
   *
   * Rejects with `NotFound` when there is no template, or none of the given name, with `BadValue` when it fails, and with
   * `LimitExceeded` when it takes too much time or memory, each at `chatTemplate`; and with `BadValue` at `messages…` or `variables…`.
   */
  applyChatTemplate(
    messages: readonly ChatMessage[],
    options: ChatTemplateOptions = {},
  ): Promise<string> {
    return this.#conversations.apply(messages, options);
  }

  /**
   * The calls of tools in an answer, and the text beside them, for the templates of Llama 3, Hermes, Qwen and Mistral.
   *
   * Rejects with `BadValue` at `toolCalls[…]` for a call that is not whole or not JSON of a name and arguments,
   * `LimitExceeded` at `toolCalls` for more than 128 calls, and `Unsupported` at `chatTemplate` for other templates.
   *
   * `generate` does this for a conversation with tools. This is for text from elsewhere.
   *
   * @example
   * const { calls } = await model.parseToolCalls('<tool_call>{"name": "time", "arguments": {}}</tool_call>');
   */
  async parseToolCalls(text: string, template?: string | null): Promise<ToolAnswer> {
    const { parseToolCalls } = await import('./reply/tool-calls.ts');
    return parseToolCalls(text, await this.#conversations.ofTools(template));
  }

  /**
   * A JSON Schema for one call of these tools, as the model's template has it. With it as `format` the answer is a call.
   *
   * Rejects with `Unsupported` at `chatTemplate` for a template of another kind, and with `BadValue` at `tools` if there
   * are none.
   *
   * @example
   * const schema = await model.toolCallSchema(tools);
   * const { parsed } = await model.generate('A call: ', { format: { schema } }).result;
   */
  async toolCallSchema(tools: readonly Tool[], template?: string | null): Promise<object> {
    const { toolCallSchema } = await import('./reply/tool-calls.ts');
    return toolCallSchema(tools, await this.#conversations.ofTools(template));
  }

  override dispose(): Promise<void> {
    this.#conversations.end();
    return super.dispose();
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work, work);
    this.#last = turn.catch(() => {});
    return turn;
  }

  #sessionModel(): SessionModel {
    return {
      channel: this.connection.channel,
      context: this.info.generator.context,
      inTurn: (work) => this.#inTurn(work),
      ...this.#prompts(),
    };
  }

  #prompts(): PromptModel {
    return {
      planReply: (request) => planReply(this.#conversations, request),
      render: (conversation, signal) => this.#render(conversation, signal),
    };
  }

  async #render(
    { messages, ...options }: Conversation & Pick<ChatTemplateOptions, 'addGenerationPrompt'>,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly text: string; readonly special: boolean }> {
    const text = await this.applyChatTemplate(messages, { ...options, ...(signal && { signal }) });
    // Templates write the token that starts a text. A tokenizer that also adds it would double it.
    const { bos } = this.info.generator.specialTokens;
    const begins = bos !== undefined && bos !== '' && text.startsWith(bos);
    return { text: begins ? text.slice(bos.length) : text, special: begins };
  }
}

checkMethods(Generator, {
  restoreSession: { bytes, options },
  resumeSession: { journal, options },
  logits: { prompt, options },
  embed: { texts: textOrTexts, options },
  decide: { texts: textOrTexts, questions: object, options },
  perplexity: { text, options },
  applyChatTemplate: { messages: list, options },
  parseToolCalls: { text, template },
  toolCallSchema: { tools, template },
});
