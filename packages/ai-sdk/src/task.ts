// A call of the AI SDK as a task for a language model.
import {
  type LanguageModelV4CallOptions,
  type SharedV4Warning,
  UnsupportedFunctionalityError,
} from '@ai-sdk/provider';
import type { GenerateOptions, Generator, Prompt, Tool, ToolChoice } from 'ambry';
import { generateDefaults } from 'ambry/tables';
import { messagesOf } from './messages.ts';
import { namesWithout, ownOptions } from './provider-options.ts';

/** Options of `generate` that the AI SDK says in its own way, or not at all. */
const namedBySdk = {
  maxTokens: true,
  temperature: true,
  topK: true,
  topP: true,
  frequencyPenalty: true,
  presencePenalty: true,
  n: true,
  batchSize: true,
};

/** Options of `generate` of Ambry that may be given as `providerOptions.ambry`. */
const optionNames = [
  'logitBias',
  'ignoreEos',
  'stopIds',
  'format',
  ...namesWithout(generateDefaults, namedBySdk),
] as const satisfies readonly (keyof GenerateOptions)[];

export interface Call {
  readonly prompt: Prompt;
  readonly settings: GenerateOptions;
  readonly warnings: SharedV4Warning[];
}

/** Throws an `UnsupportedFunctionalityError` or an `InvalidArgumentError`. */
export function callOf(model: Generator, options: LanguageModelV4CallOptions): Call {
  const own = ownOptions(options.providerOptions, optionNames);
  const messages = messagesOf(options.prompt);
  const tools = toolsOf(options);
  const toolChoice = choiceOf(options);
  const usesTools = toolChoice !== 'none' && tools.length > 0;
  const format = formatOf(options);
  if (toolChoice === 'auto' && usesTools && (format || own.format)) {
    throw formatWithTools();
  }
  const settings = {
    ...settingsOf(model, options),
    ...own,
    ...(format && { format }),
    ...(options.abortSignal && { signal: options.abortSignal }),
  };
  const prompt = { messages, ...(tools.length > 0 && { tools }), toolChoice };
  return { prompt, settings, warnings: warningsOf(options) };
}

function settingsOf(model: Generator, options: LanguageModelV4CallOptions): GenerateOptions {
  const settings = {
    maxTokens: options.maxOutputTokens ?? model.info.generator.context,
    temperature: options.temperature,
    topP: options.topP,
    topK: options.topK,
    presencePenalty: options.presencePenalty,
    frequencyPenalty: options.frequencyPenalty,
    seed: options.seed,
    stop: options.stopSequences,
  };
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as GenerateOptions;
}

function toolsOf({ tools = [] }: LanguageModelV4CallOptions): readonly Tool[] {
  return tools.flatMap((tool) => {
    if (tool.type === 'provider') {
      return [];
    }
    const { name, description, inputSchema: parameters } = tool;
    const described = description === undefined ? {} : { description };
    return [{ type: 'function', function: { name, ...described, parameters } }];
  });
}

function choiceOf({ toolChoice }: LanguageModelV4CallOptions): ToolChoice {
  if (!toolChoice) {
    return 'auto';
  }
  return toolChoice.type === 'tool' ? { name: toolChoice.toolName } : toolChoice.type;
}

function formatOf({ responseFormat }: LanguageModelV4CallOptions): GenerateOptions['format'] {
  if (responseFormat?.type !== 'json') {
    return undefined;
  }
  return { schema: responseFormat.schema ?? { type: 'object' } };
}

function warningsOf({ tools = [], reasoning }: LanguageModelV4CallOptions): SharedV4Warning[] {
  const warnings: SharedV4Warning[] = tools
    .filter((tool) => tool.type === 'provider')
    .map(({ id }) => ({ type: 'unsupported', feature: `provider tool ${id}` }));
  if (reasoning !== undefined && !['provider-default', 'none'].includes(reasoning)) {
    warnings.push({ type: 'unsupported', feature: 'reasoning' });
  }
  return warnings;
}

function formatWithTools(): UnsupportedFunctionalityError {
  return new UnsupportedFunctionalityError({
    functionality: 'responseFormat with tools',
    message: 'An answer keeps to a format or calls tools. Set toolChoice to none for a format.',
  });
}
