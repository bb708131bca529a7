// What the commands over models of language share: opening them.
import { AmbryError } from '../../errors.ts';
import type { Model } from '../../index.ts';
import { open } from '../../node.ts';
import type { GeneratorInfo } from '../../types.ts';
import { byteCount, oneOf, wholeNumber } from '../shared/command.ts';
import { formatBytes } from '../shared/format.ts';
import { modelSource } from '../shared/input.ts';
import { kRunOptions, type RunValues, runOptions } from '../shared/run-options.ts';
import type { Terminal } from '../shared/terminal.ts';

export const kModelOptions = {
  context: { type: 'string' },
  kv: { type: 'string' },
  resident: { type: 'string' },
  ...kRunOptions,
} as const;

export const kModelDetails = [
  '--context             tokens of prompt and answer together; what the model can take when absent',
  '--kv                  how it keeps what it saw: f32 or f16; f32 when absent',
  '--resident            weights that may be in memory, such as 500MB; the others are read for every token',
  '--weights             as-stored, or f32: what quantized weights meet is not rounded to 8 bits; slower',
  '--deterministic       the same numbers on every machine, to the last bit; slower',
] as const;

interface ModelValues extends RunValues {
  readonly context?: string | undefined;
  readonly kv?: string | undefined;
  readonly resident?: string | undefined;
}

/** Runs `use` with the model of a file. */
export async function withLanguageModel<T>(
  file: string,
  values: ModelValues,
  terminal: Terminal,
  use: (model: Model, info: GeneratorInfo) => Promise<T>,
): Promise<T> {
  const { signal, onProgress } = terminal;
  const context = wholeNumber(values.context, '--context');
  const kv = oneOf(values.kv, '--kv', ['f32', 'f16']);
  const resident = byteCount(values.resident, '--resident');
  const model = await open(await modelSource(file), {
    ...(context !== undefined && { context }),
    ...(kv !== undefined && { kv }),
    ...(resident !== undefined && { resident }),
    ...runOptions(values),
    signal,
    onProgress,
  });
  try {
    const { generator, format } = model.info;
    if (!generator) {
      throw new AmbryError('Unsupported', `${file} is ${format}, no model that generates text.`);
    }
    if (generator.streaming) {
      const { bytesPerPass, tokensPerSecond } = generator.streaming;
      const each = formatBytes(bytesPerPass);
      terminal.note(`${each} are read for each token: about ${rate(tokensPerSecond)}`);
    }
    return await use(model, generator);
  } finally {
    await model.dispose();
  }
}

/** `3.2 tokens/s` */
export function rate(tokensPerSecond: number): string {
  return `${Number(tokensPerSecond.toPrecision(3))} tokens/s`;
}
