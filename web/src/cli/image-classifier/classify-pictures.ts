// `ambry classify` with an image classifier.
import { networkVariants } from '../../entries/tables.ts';
import type {
  Agreement,
  ImageInput,
  ImageRun,
  LabelScore,
  RunImageOptions,
  TraceEntry,
} from '../../entries/types.ts';
import type { ImageClassifier } from '../../index.ts';
import { type FetchValues, parseFetchOptions } from '../shared/common-options.ts';
import { UsageError } from '../shared/failure.ts';
import { pathFor } from '../shared/file-urls.ts';
import { directorySource, readBytes, readLines, readText } from '../shared/input.ts';
import { labelLine, shortLabels } from '../shared/label-line.ts';
import { type FloatArray, parseFloats } from '../shared/npy.ts';
import { openAs, openCall } from '../shared/open-model.ts';
import { oneOf } from '../shared/option-values.ts';
import type { Terminal } from '../shared/terminal.ts';
import { inputShape, valuesFor } from './tensor-input.ts';

/** What was given for images. */
export interface PictureValues extends FetchValues {
  readonly against?: string | undefined;
  readonly plan?: string | undefined;
  readonly variant?: string | undefined;
  readonly labels?: string | undefined;
  readonly fast?: boolean | undefined;
  readonly trace?: boolean | undefined;
  readonly json?: boolean | undefined;
}

interface PictureWork {
  /** The argument MODEL. */
  readonly file: string;
  readonly names: readonly string[];
  /** The bytes of pictures, or values. */
  readonly inputs: readonly (Buffer | FloatArray)[];
  readonly plan: string | undefined;
  /** By the numbers of classes. */
  readonly classes: readonly string[];
}

/** Reads the images, and the files that options name. */
export async function pictureWork(
  file: string,
  given: readonly string[],
  values: PictureValues,
): Promise<PictureWork> {
  oneOf(values.variant, '--variant', networkVariants);
  if (given.length === 0) {
    throw new UsageError('No image was given. Write its file after the model.');
  }
  if (given.filter((name) => name === '-').length + (file === '-' ? 1 : 0) > 1) {
    throw new UsageError('Standard input can be only one of MODEL and the images.');
  }
  const names = given.map((name) => pathFor(name));
  return {
    file,
    names,
    plan: values.plan === undefined ? undefined : await readText(values.plan),
    classes: values.labels === undefined ? [] : await readLines(values.labels),
    inputs: await Promise.all(names.map(readInput)),
  };
}

export async function classifyPictures(
  model: ImageClassifier,
  work: PictureWork,
  given: RunImageOptions,
  values: PictureValues,
  terminal: Terminal,
): Promise<number> {
  const { file, names, plan, classes } = work;
  const { variant, input } = model.info.imageClassifier;
  const wanted = oneOf(values.variant, '--variant', networkVariants);
  if (wanted !== undefined && wanted !== variant) {
    throw new UsageError(`${file} is ${variant}, not ${wanted}.`, '--variant');
  }
  const options: RunImageOptions = {
    ...given,
    signal: terminal.signal,
    ...(plan !== undefined && { plan }),
    ...(values.fast === true && { mode: 'fast' }),
    ...(values.trace === true && { trace: true }),
  };
  const shape = inputShape(plan, input);
  const inputs = work.inputs.map((each) => (Buffer.isBuffer(each) ? each : valuesFor(each, shape)));
  if (values.against !== undefined) {
    return compare(values.against, model, inputs, options, work, values, terminal);
  }
  for (const [i, picture] of inputs.entries()) {
    const run = withLabels(await model.run(picture, options), classes);
    printRun(run, names[i] as string, values.json === true, terminal);
  }
  return 0;
}

async function compare(
  against: string,
  model: ImageClassifier,
  inputs: readonly ImageInput[],
  { plan, mode, signal, k, threshold, trace }: RunImageOptions,
  { file, names }: PictureWork,
  values: PictureValues,
  terminal: Terminal,
): Promise<number> {
  const ofLabels = Object.entries({ '-k': k, '--threshold': threshold, '--trace': trace });
  const [option] = ofLabels.find(([, value]) => value !== undefined) ?? [];
  if (option) {
    throw new UsageError(`${option} cannot be used with --against.`, option);
  }
  const opening = { ...parseFetchOptions(values), ...openCall(terminal) };
  const source = await directorySource(against);
  await using other = await openAs(['imageClassifier'], against, source, opening);
  const options = {
    ...(plan !== undefined && { plan }),
    ...(mode !== undefined && { mode }),
    ...(signal && { signal }),
  };
  const agreement = await model.agreement(other, inputs, options);
  if (values.json) {
    terminal.printJson({ model: file, against, ...agreement });
  } else {
    printAgreement(agreement, names, terminal);
  }
  return 0;
}

function withLabels(run: ImageRun, classes: readonly string[]): ImageRun {
  const named = ({ label, index, score }: LabelScore): LabelScore => ({
    label: classes[index] ?? label,
    index,
    score,
  });
  return { ...run, labels: run.labels.map(named) };
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

function printRun(run: ImageRun, input: string, json: boolean, terminal: Terminal): void {
  const { labels, ...rest } = run;
  if (json) {
    terminal.printJson({ input, labels: shortLabels(labels), ...rest });
    return;
  }
  for (const entry of run.trace ?? []) {
    terminal.print(traceLine(entry));
  }
  terminal.print(labelLine(labels));
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
