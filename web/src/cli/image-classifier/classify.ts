import { classifyDefaults, networkVariants } from '../../entries/tables.ts';
import type {
  Agreement,
  Classification,
  ClassifierInput,
  ClassifyOptions,
  TraceEntry,
} from '../../entries/types.ts';
import type { Classifier } from '../../index.ts';
import { defineCommand } from '../shared/command.ts';
import {
  type Fetching,
  fetchOptions,
  jsonOption,
  parseFetchOptions,
} from '../shared/common-options.ts';
import { UsageError } from '../shared/failure.ts';
import { directorySource, readBytes, readLines, readText } from '../shared/input.ts';
import { type FloatArray, parseFloats } from '../shared/npy.ts';
import { openAs, openCall } from '../shared/open-model.ts';
import { integer, oneOf } from '../shared/option-values.ts';
import type { Terminal } from '../shared/terminal.ts';
import { inputShape, valuesFor } from './tensor-input.ts';

export const command = defineCommand({
  usage: 'MODEL INPUT...',
  summary: 'Classify images or tensors',
  details: [
    'MODEL is a tinyruntime file. INPUT is a PNG, JPEG or WebP image, or a tensor of normalized float32 values as .npy, with the channels first or last, or raw, channel by channel. INPUT may be - for standard input.',
    'Each class gives a line: index, tab, probability, and the label if there is one.',
  ],
  options: {
    against: {
      type: 'string',
      value: 'OTHER',
      help: 'Compare with another variant of the network over all inputs. Default: none.',
    },
    plan: {
      type: 'string',
      value: 'FILE',
      help: 'A JSON file with the graph of the network and the preparation of images. Not needed for residual networks. Default: none.',
    },
    variant: {
      type: 'string',
      choices: networkVariants,
      help: 'Fail if MODEL is not of this variant. Default: any variant.',
    },
    k: {
      type: 'string',
      short: 'k',
      value: 'N',
      help: `The number of classes. Default: ${classifyDefaults.topK}.`,
    },
    labels: {
      type: 'string',
      value: 'FILE',
      help: 'A file with one class name on each line. Default: none.',
    },
    fast: {
      type: 'boolean',
      help: 'Allow floats to be rounded differently from the reference. This is faster.',
    },
    trace: { type: 'boolean', help: 'Print checksums of the results of every layer.' },
    ...fetchOptions,
    ...jsonOption,
  },
  json: 'A line for each input: {file?, logits, top, layers, trace?}. With --against one document: {model, against, inputs, sameAnswer, largestDifference, meanDifference, each}.',
  examples: [
    'classify digits-dq8.bin digit.png --plan digits-plan.json -k 3',
    'classify net.bin digit.png --plan net.json --against net-dq8.bin',
  ],
  argumentCount: [2, Number.POSITIVE_INFINITY],
  run: async ([file = '', ...names], values, terminal) => {
    const variant = oneOf(values.variant, '--variant', networkVariants);
    const topK = integer(values.k, '-k');
    const { signal } = terminal;
    const plan = values.plan === undefined ? undefined : await readText(values.plan);
    const labels = values.labels === undefined ? [] : await readLines(values.labels);
    const given = await Promise.all(names.map(readInput));
    const options: ClassifyOptions = {
      signal,
      ...(topK !== undefined && { topK }),
      ...(plan !== undefined && { plan }),
      ...(values.fast === true && { mode: 'fast' }),
      ...(values.trace === true && { trace: true }),
    };
    const json = values.json === true;
    const { against } = values;
    const fetching = parseFetchOptions(values);
    await using model = await openClassifier(file, variant, fetching, terminal);
    const shape = inputShape(plan, model.info.classifier.input);
    const inputs = given.map((each) => (Buffer.isBuffer(each) ? each : valuesFor(each, shape)));
    if (against === undefined) {
      for (const [i, input] of inputs.entries()) {
        const result = withLabels(await model.classify(input, options), labels);
        printClasses(result, names.length > 1 ? names[i] : undefined, json, terminal);
      }
      return 0;
    }
    const agreement = await agreementWith(against, model, inputs, options, fetching, terminal);
    if (json) {
      terminal.printJson({ model: file, against, ...agreement });
    } else {
      printAgreement(agreement, names, terminal);
    }
    return 0;
  },
});

async function agreementWith(
  file: string,
  model: Classifier,
  inputs: readonly ClassifierInput[],
  options: ClassifyOptions,
  fetching: Fetching,
  terminal: Terminal,
): Promise<Agreement> {
  await using other = await openClassifier(file, undefined, fetching, terminal);
  return await model.agreement(other, inputs, options);
}

async function openClassifier(
  file: string,
  variant: string | undefined,
  fetching: Fetching,
  terminal: Terminal,
): Promise<Classifier> {
  const source = await directorySource(file);
  const model = await openAs(['classifier'], file, source, { ...fetching, ...openCall(terminal) });
  const { classifier } = model.info;
  if (variant === undefined || classifier.variant === variant) {
    return model;
  }
  await model.dispose();
  throw new UsageError(`${file} is ${classifier.variant}, not ${variant}.`, '--variant');
}

function withLabels(result: Classification, labels: readonly string[]): Classification {
  const top = result.top.map((score) => {
    const label = labels[score.index];
    return label === undefined ? score : { ...score, label };
  });
  return { ...result, top };
}

/** How the files of pictures begin, in hexadecimal: PNG, JPEG, WebP, and those that the decoder refuses by name, which are GIF,
 *  TIFF, HEIC and AVIF, JPEG XL and JPEG 2000, and Photoshop's. Floats do not begin like that, apart from rare numbers. */
const pictureStarts =
  /^(89504e47|ffd8ff|52494646.{8}57454250|47494638|49492a00|4d4d002a|.{8}66747970|0000000c|ff0a|ff4fff51|38425053)/;
const bitmapStart = /^424d/;
/** Where a bitmap says how long its header is. */
const bitmapHeaderAt = 14;
const bitmapHeaders = [12, 40, 52, 56, 108, 124];

/** The bytes of a picture, or values. */
async function readInput(argument: string): Promise<Buffer | FloatArray> {
  const bytes = await readBytes(argument);
  return isPicture(bytes) ? bytes : parseFloats(argument, bytes);
}

function isPicture(bytes: Buffer): boolean {
  const head = bytes.toString('hex', 0, 12);
  const isBitmap =
    bitmapStart.test(head) &&
    bytes.length >= bitmapHeaderAt + 4 &&
    bitmapHeaders.includes(bytes.readUInt32LE(bitmapHeaderAt));
  return isBitmap || pictureStarts.test(head);
}

/** `file` is set if there are several inputs. */
function printClasses(
  result: Classification,
  file: string | undefined,
  json: boolean,
  terminal: Terminal,
): void {
  if (json) {
    terminal.printJson({ ...(file !== undefined && { file }), ...result });
    return;
  }
  if (file !== undefined) {
    terminal.print(file);
  }
  for (const entry of result.trace ?? []) {
    terminal.print(traceLine(entry));
  }
  for (const { index, probability, label } of result.top) {
    terminal.print([index, probability.toFixed(6), ...(label ? [label] : [])].join('\t'));
  }
}

function printAgreement(agreement: Agreement, names: readonly string[], terminal: Terminal): void {
  for (const [i, { answers, difference }] of agreement.each.entries()) {
    terminal.print([names[i], ...answers, difference.toFixed(6)].join('\t'));
  }
  const { inputs, sameAnswer, largestDifference, meanDifference } = agreement;
  terminal.print(`same class for ${sameAnswer} of ${inputs} inputs`);
  const [max, mean] = [largestDifference, meanDifference].map((value) => value.toFixed(6));
  terminal.print(`logit difference: maximum ${max}, mean over inputs ${mean}`);
}

function traceLine(entry: TraceEntry): string {
  const name = entry.index === undefined ? entry.op : `${entry.op} ${entry.index}`;
  const shape = entry.shape?.join('×') ?? `${entry.count} in groups of ${entry.group}`;
  const checksums = [entry.scaleCrc32, entry.zeroPointCrc32].filter((crc) => crc !== undefined);
  return [name, shape, entry.dtype, entry.crc32, ...checksums].join('\t');
}
