// `LanguageModel` of the Prompt API, for a model that is open.
import { AmbryError, type Generator } from 'ambry';
import { badValue, checkOptions, messagesOf, notSupported } from './checks.ts';
import { asDomError } from './errors.ts';
import { countTokens, PromptSession, type Settings } from './session.ts';
import type { CreateOptions } from './types.ts';

export interface LanguageModelFactory {
  /** Rejects with a `NotSupportedError` for pictures, sounds and tools, and with a `TypeError` for wrong options. */
  create(options?: CreateOptions): Promise<PromptSession>;
  /** `available`, or `unavailable` for what `create` would not support. */
  availability(options?: CreateOptions): Promise<'available' | 'unavailable'>;
}

const names = [
  'initialPrompts',
  'monitor',
  'expectedInputs',
  'expectedOutputs',
  'tools',
  'topK',
  'temperature',
  'signal',
];

/**
 * What pages know as `LanguageModel`, over an open language model with a chat template. The model stays its caller's.
 * Throws `BadValue` at `model` for what is no language model.
 *
 * @example
 * const LanguageModel = promptApi(await open('chat.gguf', { kind: 'generator' }));
 * const session = await LanguageModel.create();
 * console.log(await session.prompt('What is a tide?'));
 */
export function promptApi(model: Generator): LanguageModelFactory {
  const { kind } = (model ?? {}) as Partial<Generator>;
  if (kind !== 'generator') {
    const message = "Must be an open language model: await open(…, { kind: 'generator' }).";
    throw new AmbryError('BadValue', message, { path: 'model' });
  }
  return {
    create: (options = {}) => create(model, options),
    availability: async (options = {}) => {
      try {
        checkCreate(options);
        return 'available';
      } catch (error) {
        if (error instanceof DOMException) {
          return 'unavailable';
        }
        throw error;
      }
    },
  };
}

async function create(model: Generator, options: CreateOptions): Promise<PromptSession> {
  const settings = checkCreate(options);
  const { initialPrompts = [], monitor, signal = new AbortController().signal } = options;
  signal.throwIfAborted();
  const messages = messagesOf(initialPrompts, 'options.initialPrompts', true);
  if (monitor) {
    const target = new EventTarget();
    monitor(target);
    const event = new Event('downloadprogress');
    target.dispatchEvent(Object.assign(event, { loaded: 1, total: 1, lengthComputable: true }));
  }
  try {
    const used = await countTokens(model, messages, signal);
    return new PromptSession(model, settings, { appended: messages, used });
  } catch (error) {
    throw asDomError(error, model.info.generator.context);
  }
}

function checkCreate(options: CreateOptions): Settings {
  checkOptions(options, names);
  const { tools = [], monitor, temperature, topK, initialPrompts } = options;
  if (initialPrompts !== undefined && !Array.isArray(initialPrompts)) {
    throw badValue('Must be a list of messages.', 'options.initialPrompts');
  }
  if (monitor !== undefined && typeof monitor !== 'function') {
    throw badValue('Must be a function.', 'options.monitor');
  }
  if (!Array.isArray(tools)) {
    throw badValue('Must be a list.', 'options.tools');
  }
  if (tools.length > 0) {
    const message =
      'Tools that the model runs itself are not supported. Use session({ tools }) of ambry.';
    throw notSupported(message, 'options.tools');
  }
  for (const name of ['expectedInputs', 'expectedOutputs'] as const) {
    checkExpected(options[name] ?? [], `options.${name}`);
  }
  return {
    ...(temperature !== undefined && { temperature: checkNumber(temperature, 'temperature') }),
    ...(topK !== undefined && { topK: checkNumber(topK, 'topK') }),
  };
}

function checkExpected(expected: CreateOptions['expectedInputs'], path: string): void {
  if (!Array.isArray(expected)) {
    throw badValue('Must be a list.', path);
  }
  for (const [i, each] of expected.entries()) {
    const { type } = each ?? {};
    if (type !== 'text') {
      throw notSupported(
        `The model reads and writes text, and no ${String(type)}.`,
        `${path}[${i}].type`,
      );
    }
  }
}

function checkNumber(value: unknown, name: string): number {
  if (typeof value === 'number' && value >= 0) {
    return value;
  }
  throw badValue('Must be a number of 0 or more.', `options.${name}`);
}
