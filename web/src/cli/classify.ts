import { AmbryError } from '../errors.ts';
import { open } from '../node.ts';
import type { Classification, ClassifierInput, ClassifyOptions, TraceEntry } from '../types.ts';
import { defineCommand, oneOf, wholeNumber } from './command.ts';
import { UsageError } from './failure.ts';
import { modelSource, readBytes, readText } from './input.ts';
import { floatsIn } from './npy.ts';
import type { Terminal } from './terminal.ts';

export const command = defineCommand({
  usage: 'classify MODEL INPUT [--plan PLAN.json] [--variant V] [-k N] [--fast] [--trace] [--json]',
  summary: 'name the likeliest classes of a picture or a tensor (tinyRuntime)',
  details: [
    'INPUT is a PNG or JPEG file, or normalised float32 numbers, channel by channel, bare or as .npy; - is',
    'standard input.',
    '--plan     how layers follow one another, where it is no residual network, and how pictures are read',
    '--variant  vanilla, dq8 or sq8: refuse a model that is not of it',
    '-k         classes to print; 5 when absent',
    '--labels   a file with the name of a class a line',
    '--fast     floats may be rounded otherwise than the reference does',
    '--trace    checksums of everything that is worked out',
  ],
  options: {
    plan: { type: 'string' },
    variant: { type: 'string' },
    k: { type: 'string', short: 'k' },
    labels: { type: 'string' },
    fast: { type: 'boolean' },
    trace: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  takes: [2, 2],
  run: async ([file = '', input = ''], values, terminal) => {
    const variant = oneOf(values.variant, '--variant', ['vanilla', 'dq8', 'sq8']);
    const topK = wholeNumber(values.k, '-k');
    const { signal, onProgress } = terminal;
    const plan = values.plan === undefined ? undefined : await readText(values.plan);
    const labels = values.labels === undefined ? [] : linesOf(await readText(values.labels));
    const given = await inputOf(input);
    const options: ClassifyOptions = {
      signal,
      ...(topK !== undefined && { topK }),
      ...(plan !== undefined && { plan }),
      ...(values.fast === true && { mode: 'fast' }),
      ...(values.trace === true && { trace: true }),
    };
    const model = await open(await modelSource(file), { signal, onProgress });
    try {
      const { format, classifier } = model.info;
      if (!classifier) throw new AmbryError('Unsupported', `${file} is ${format}, no network.`);
      if (variant !== undefined && classifier.variant !== variant) {
        throw new UsageError(`${file} is ${classifier.variant}, not ${variant}`, '--variant');
      }
      print(named(await model.classify(given, options), labels), values.json === true, terminal);
      return 0;
    } finally {
      await model.dispose();
    }
  },
});

function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function named(result: Classification, labels: readonly string[]): Classification {
  const top = result.top.map((score) => {
    const label = labels[score.index];
    return label === undefined ? score : { ...score, label };
  });
  return { ...result, top };
}

async function inputOf(argument: string): Promise<ClassifierInput> {
  const bytes = await readBytes(argument);
  const isPicture = ['89504e47', 'ffd8ff', '52494646', '47494638'].some((magic) =>
    bytes.toString('hex', 0, 4).startsWith(magic),
  );
  return isPicture ? bytes : floatsIn(argument, bytes);
}

function print(result: Classification, json: boolean, terminal: Terminal): void {
  if (json) {
    terminal.json(result);
    return;
  }
  for (const entry of result.trace ?? []) terminal.print(traceLine(entry));
  for (const { index, probability, label } of result.top) {
    terminal.print([index, probability.toFixed(6), ...(label ? [label] : [])].join('\t'));
  }
}

function traceLine(entry: TraceEntry): string {
  const name = entry.index === undefined ? entry.op : `${entry.op} ${entry.index}`;
  const form = entry.shape?.join('×') ?? `${entry.count} in groups of ${entry.group}`;
  const more = [entry.scaleCrc32, entry.zeroPointCrc32].filter((crc) => crc !== undefined);
  return [name, form, entry.dtype, entry.crc32, ...more].join('\t');
}
