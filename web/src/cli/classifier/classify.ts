import { AmbryError } from '../../errors.ts';
import { type Model, open } from '../../node.ts';
import type {
  Agreement,
  Classification,
  ClassifierInput,
  ClassifyOptions,
  TraceEntry,
} from '../../types.ts';
import { defineCommand, oneOf, wholeNumber } from '../shared/command.ts';
import { UsageError } from '../shared/failure.ts';
import { modelSource, readBytes, readText } from '../shared/input.ts';
import { floatsIn } from '../shared/npy.ts';
import type { Terminal } from '../shared/terminal.ts';

export const command = defineCommand({
  usage: 'classify MODEL INPUT... [--plan PLAN.json] [--against OTHER] [-k N] [--json] [OPTION...]',
  summary: 'name the likeliest classes of pictures or tensors (tinyRuntime)',
  details: [
    'INPUT is a PNG, JPEG or WebP file, or normalised float32 numbers, channel by channel, bare or as .npy; - is',
    'standard input.',
    '--against  another variant of the network: say how well the two agree over all inputs',
    '--plan     how layers follow one another, where it is no residual network, and how pictures are read',
    '--variant  vanilla, dq8 or sq8: refuse a model that is not of it',
    '-k         classes to print; 5 when absent',
    '--labels   a file with the name of a class a line',
    '--fast     floats may be rounded otherwise than the reference does',
    '--trace    checksums of everything that is worked out',
  ],
  options: {
    against: { type: 'string' },
    plan: { type: 'string' },
    variant: { type: 'string' },
    k: { type: 'string', short: 'k' },
    labels: { type: 'string' },
    fast: { type: 'boolean' },
    trace: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  takes: [2, Number.POSITIVE_INFINITY],
  run: async ([file = '', ...names], values, terminal) => {
    const variant = oneOf(values.variant, '--variant', ['vanilla', 'dq8', 'sq8']);
    const topK = wholeNumber(values.k, '-k');
    const { signal } = terminal;
    const plan = values.plan === undefined ? undefined : await readText(values.plan);
    const labels = values.labels === undefined ? [] : linesOf(await readText(values.labels));
    const inputs = await Promise.all(names.map(inputOf));
    const options: ClassifyOptions = {
      signal,
      ...(topK !== undefined && { topK }),
      ...(plan !== undefined && { plan }),
      ...(values.fast === true && { mode: 'fast' }),
      ...(values.trace === true && { trace: true }),
    };
    const json = values.json === true;
    const { against } = values;
    const model = await openNetwork(file, variant, terminal);
    try {
      if (against === undefined) {
        for (const [i, input] of inputs.entries()) {
          const result = named(await model.classify(input, options), labels);
          print(result, names.length > 1 ? names[i] : undefined, json, terminal);
        }
        return 0;
      }
      const agreement = await agreementWith(against, model, inputs, options, terminal);
      if (json) terminal.json({ model: file, against, ...agreement });
      else printAgreement(agreement, names, terminal);
      return 0;
    } finally {
      await model.dispose();
    }
  },
});

async function agreementWith(
  file: string,
  model: Model,
  inputs: readonly ClassifierInput[],
  options: ClassifyOptions,
  terminal: Terminal,
): Promise<Agreement> {
  const other = await openNetwork(file, undefined, terminal);
  try {
    return await model.agreement(other, inputs, options);
  } finally {
    await other.dispose();
  }
}

async function openNetwork(
  file: string,
  variant: string | undefined,
  { signal, onProgress }: Terminal,
): Promise<Model> {
  const model = await open(await modelSource(file), { signal, onProgress });
  const { format, classifier } = model.info;
  if (classifier && (variant === undefined || classifier.variant === variant)) return model;
  await model.dispose();
  if (!classifier) throw new AmbryError('Unsupported', `${file} is ${format}, no network.`);
  throw new UsageError(`${file} is ${classifier.variant}, not ${variant}`, '--variant');
}

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

/** `file` where there are several. */
function print(
  result: Classification,
  file: string | undefined,
  json: boolean,
  terminal: Terminal,
): void {
  if (json) {
    terminal.json({ ...(file !== undefined && { file }), ...result });
    return;
  }
  if (file !== undefined) terminal.print(file);
  for (const entry of result.trace ?? []) terminal.print(traceLine(entry));
  for (const { index, probability, label } of result.top) {
    terminal.print([index, probability.toFixed(6), ...(label ? [label] : [])].join('\t'));
  }
}

function printAgreement(agreement: Agreement, names: readonly string[], terminal: Terminal): void {
  for (const [i, { answers, difference }] of agreement.each.entries()) {
    terminal.print([names[i], ...answers, difference.toFixed(6)].join('\t'));
  }
  const { inputs, sameAnswer, largestDifference, meanDifference } = agreement;
  terminal.print(`the same answer for ${sameAnswer} of ${inputs}`);
  const gaps = [largestDifference, meanDifference].map((gap) => gap.toFixed(6));
  terminal.print(`logits differ by up to ${gaps[0]}, ${gaps[1]} in the mean of inputs`);
}

function traceLine(entry: TraceEntry): string {
  const name = entry.index === undefined ? entry.op : `${entry.op} ${entry.index}`;
  const form = entry.shape?.join('×') ?? `${entry.count} in groups of ${entry.group}`;
  const more = [entry.scaleCrc32, entry.zeroPointCrc32].filter((crc) => crc !== undefined);
  return [name, form, entry.dtype, entry.crc32, ...more].join('\t');
}
