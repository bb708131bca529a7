// Opens language models, for `generate`, `chat` and `perplexity`.

import { devices, keyValueTypes, weightStorages } from '../../entries/tables.ts';
import type { GeneratorInfo, OpenOptions } from '../../entries/types.ts';
import type { Generator } from '../../index.ts';
import { type AdapterValues, adapterOptions, parseAdapters } from '../shared/adapter-options.ts';
import type { CommandOptions } from '../shared/command.ts';
import {
  type FetchValues,
  fetchOptions,
  parseFetchOptions,
  parseRunOptions,
  type RunValues,
  runOptions,
} from '../shared/common-options.ts';
import { formatBytes } from '../shared/format.ts';
import { directorySource } from '../shared/input.ts';
import { openAs, openCall } from '../shared/open-model.ts';
import { byteCount, integer, oneOf } from '../shared/option-values.ts';
import type { Terminal } from '../shared/terminal.ts';

/** What a conversation takes of the memory. */
export const memoryOptions = {
  context: {
    type: 'string',
    value: 'N',
    help: 'The maximum number of tokens of the prompt and the answer together. Default: the model’s maximum.',
  },
  kv: {
    type: 'string',
    choices: keyValueTypes,
    help: `The type of the KV cache. Default: ${keyValueTypes[0]}.`,
  },
} as const satisfies CommandOptions;

export const threadOption = {
  threads: {
    type: 'string',
    value: 'N',
    help: 'The number of threads; the answer is the same for each. Default: half of the logical processors, at most 4, and 1 for small models.',
  },
} as const satisfies CommandOptions;

export const generatorOptions = {
  ...memoryOptions,
  resident: {
    type: 'string',
    value: 'SIZE',
    help: 'The maximum size of the weights in memory, such as 500MB. The rest is read again for each token. Default: all weights.',
  },
  device: {
    type: 'string',
    choices: devices,
    help: `What computes. With webgpu the graphics processor, if it computes the same; in Node that takes the package webgpu. With auto, only where it is faster, too. Default: ${devices[0]}.`,
  },
  ...threadOption,
  ...runOptions,
  weights: {
    type: 'string',
    // int8 is for encoders only.
    choices: weightStorages.filter((storage) => storage !== 'int8'),
    help: `With f32, quantized weights are multiplied by activations that are not quantized. This is slower. Default: ${weightStorages[0]}.`,
  },
  ...adapterOptions,
  ...fetchOptions,
} as const satisfies CommandOptions;

interface MemoryValues {
  readonly context?: string | undefined;
  readonly kv?: string | undefined;
}

interface GeneratorValues extends MemoryValues, RunValues, FetchValues, AdapterValues {
  readonly resident?: string | undefined;
  readonly device?: string | undefined;
  readonly threads?: string | undefined;
}

export function parseMemoryOptions(values: MemoryValues): Pick<OpenOptions, 'context' | 'kv'> {
  const context = integer(values.context, '--context');
  const kv = oneOf(values.kv, '--kv', keyValueTypes);
  return { ...(context !== undefined && { context }), ...(kv !== undefined && { kv }) };
}

/** Opens the language model of a file for `use`. */
export async function withGenerator<T>(
  file: string,
  values: GeneratorValues,
  terminal: Terminal,
  use: (model: Generator, info: GeneratorInfo) => Promise<T>,
): Promise<T> {
  const resident = byteCount(values.resident, '--resident');
  const threads = integer(values.threads, '--threads');
  const device = oneOf(values.device, '--device', devices);
  await using model = await openAs(['generator'], file, await directorySource(file), {
    ...(resident !== undefined && { resident }),
    ...(threads !== undefined && { threads }),
    ...(device !== undefined && { device }),
    ...parseMemoryOptions(values),
    ...(await parseAdapters(values)),
    ...parseRunOptions(values),
    ...parseFetchOptions(values),
    ...openCall(terminal),
  });
  const { generator } = model.info;
  if (generator.streaming) {
    const { bytesPerPass, tokensPerSecond } = generator.streaming;
    const speed = formatTokenRate(tokensPerSecond);
    terminal.note(`${formatBytes(bytesPerPass)} are read for each token: about ${speed}`);
  }
  return await use(model, generator);
}

/** `3.2 tokens/s` */
export function formatTokenRate(tokensPerSecond: number): string {
  return `${Number(tokensPerSecond.toPrecision(3))} tokens/s`;
}
