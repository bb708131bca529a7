import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import type {
  BaseLanguageModelInput,
  StructuredOutputMethodOptions,
} from '@langchain/core/language_models/base';
import {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BaseChatModelParams,
  type BindToolsInput,
} from '@langchain/core/language_models/chat_models';
import {
  assembleStructuredOutputPipeline,
  createContentParser,
} from '@langchain/core/language_models/structured_output';
import type { AIMessageChunk, BaseMessage } from '@langchain/core/messages';
import type { ChatGenerationChunk, ChatResult } from '@langchain/core/outputs';
import type { Runnable } from '@langchain/core/runnables';
import { convertToOpenAITool } from '@langchain/core/utils/function_calling';
import { toJsonSchema } from '@langchain/core/utils/json_schema';
import {
  AmbryError,
  type AnswerFormat,
  type GenerateOptions,
  type Generator,
  type Tool,
  type ToolChoice,
} from 'ambry';
import { checkKind } from './check-kind.ts';
import { endChunk, tokenChunk } from './chunks.ts';
import { messagesOf } from './messages.ts';

/** Options of Ambry's `generate`. A signal is given as `signal` of a call. */
export type GenerationSettings = Omit<
  GenerateOptions,
  'n' | 'signal' | 'onProgress' | 'stop' | 'format'
>;

export interface AmbryChatFields extends BaseChatModelParams {
  /** An open model with a chat template. It stays its caller's. */
  readonly model: Generator;
  /** How answers are generated. `maxTokens` is as many as there is room for when absent. */
  readonly settings?: GenerationSettings;
}

export interface AmbryChatCallOptions extends BaseChatModelCallOptions {
  /** Replace those of the model. */
  settings?: GenerationSettings;
  /** The form that the answer keeps to, as for `generate`. */
  format?: AnswerFormat;
  /** As `bindTools` gives them. */
  tools?: Tool[];
}

/**
 * A language model for conversations.
 *
 * Rejects with an `AmbryError`: as `generate` of Ambry does, with `Unsupported` at `messages[i]` for what is not text, and
 * with `Unsupported` at `chatTemplate` for tools with a model that does not call them in a way that Ambry knows.
 *
 * @example
 * const chat = new AmbryChat({ model, settings: { temperature: 0 } });
 * for await (const { text } of await chat.stream('What is a tide?')) write(text);
 *
 * @example
 * const answer = await chat.withStructuredOutput(z.object({ salty: z.boolean() })).invoke('Is the sea salty?');
 */
export class AmbryChat extends BaseChatModel<AmbryChatCallOptions> {
  readonly #model: Generator;
  readonly #settings: GenerationSettings;

  constructor(fields: AmbryChatFields) {
    const { model, settings = {}, ...params } = fields ?? {};
    super(params);
    checkKind(model, ['generator']);
    this.#model = model;
    this.#settings = settings;
  }

  static override lc_name(): string {
    return 'AmbryChat';
  }

  override _llmType(): string {
    return 'ambry';
  }

  override bindTools(
    tools: BindToolsInput[],
    options: Partial<AmbryChatCallOptions> = {},
  ): Runnable<BaseLanguageModelInput, AIMessageChunk, AmbryChatCallOptions> {
    return this.withConfig({
      ...options,
      tools: tools.map((tool) => convertToOpenAITool(tool) as Tool),
    });
  }

  // LangChain has a signature for each kind of schema and of result; this is the one that holds all of them.
  override withStructuredOutput: BaseChatModel<AmbryChatCallOptions>['withStructuredOutput'] = (
    schema: Parameters<typeof createContentParser>[0],
    { method, includeRaw }: StructuredOutputMethodOptions<boolean> = {},
  ) => {
    if (method !== undefined && method !== 'jsonSchema') {
      const message = `The answer keeps to the schema by its format (jsonSchema), and not by ${method}.`;
      throw new AmbryError('Unsupported', message, { path: 'method' });
    }
    const format = { schema: toJsonSchema(schema) };
    const parser = createContentParser(schema);
    return assembleStructuredOutputPipeline(
      this.withConfig({ format }),
      parser,
      includeRaw,
    ) as never;
  };

  override async _generate(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
  ): Promise<ChatResult> {
    let whole: ChatGenerationChunk | undefined;
    for await (const chunk of this.#chunks(messages, options)) {
      whole = whole?.concat(chunk) ?? chunk;
    }
    return { generations: whole ? [whole] : [] };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    for await (const chunk of this.#chunks(messages, options)) {
      yield chunk;
      await runManager?.handleLLMNewToken(chunk.text, undefined, undefined, undefined, undefined, {
        chunk,
      });
    }
  }

  async *#chunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
  ): AsyncGenerator<ChatGenerationChunk> {
    const { stop, signal, format, tools = [] } = options;
    const toolChoice = choiceOf(options);
    const usesTools = toolChoice !== 'none' && (tools.length > 0 || toolChoice !== 'auto');
    if (usesTools && format) {
      throw formatWithTools();
    }
    const said = { messages: messagesOf(messages), ...(tools.length > 0 && { tools }), toolChoice };
    const run = this.#model.generate(said, {
      maxTokens: this.#model.info.generator.context,
      ...this.#settings,
      ...options.settings,
      ...(stop && { stop }),
      ...(format && { format }),
      ...(signal && { signal }),
    });
    try {
      for await (const token of run) {
        yield tokenChunk(token);
      }
    } finally {
      // The model is free only when the worker has stopped.
      await run.result.catch(() => {});
    }
    yield endChunk(await run.result);
  }
}

/** `any` is LangChain's word for `required`; any other word is the name of a tool. */
function choiceOf({ tool_choice: choice = 'auto' }: AmbryChatCallOptions): ToolChoice {
  if (typeof choice === 'object') {
    return { name: String(choice['function']?.name ?? choice['name']) };
  }
  if (choice === 'any') {
    return 'required';
  }
  return choice === 'auto' || choice === 'none' || choice === 'required'
    ? choice
    : { name: choice };
}

function formatWithTools(): AmbryError {
  const message =
    'An answer keeps to a format or calls tools. Set tool_choice to none for a format.';
  return new AmbryError('BadValue', message, { path: 'format' });
}
