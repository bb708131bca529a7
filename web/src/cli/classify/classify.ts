import { classifyDefaults, classifyTextDefaults, networkVariants } from '../../entries/tables.ts';
import type { LabelOptions } from '../../entries/types.ts';
import {
  classifyPictures,
  type PictureValues,
  pictureWork,
} from '../image-classifier/classify-pictures.ts';
import { defineCommand } from '../shared/command.ts';
import { fetchOptions, jsonOption, parseFetchOptions } from '../shared/common-options.ts';
import { UsageError } from '../shared/failure.ts';
import { directorySource } from '../shared/input.ts';
import { integer, numberInRange } from '../shared/option-values.ts';
import { textInputOptions } from '../shared/text-input.ts';
import { classifyTexts, type TextValues, textWork } from '../text-classifier/classify-texts.ts';
import { openClassifier } from '../text-classifier/open-classifier.ts';

const textOptions = {
  ...textInputOptions(
    'Read lines {"id", "text", "pair"} from standard input or --file, and print lines {"id", "labels"}. "pair" is a second text, for encoders that read two.',
  ),
  candidates: {
    type: 'string',
    multiple: true,
    value: 'A,B',
    help: 'Classify into these labels instead of those of the model, which must be an encoder for natural language inference. A comma separates them. May be repeated. Default: none.',
  },
  hypothesis: {
    type: 'string',
    value: 'TEXT',
    help: `With --candidates: the sentence that is compared with the text, with {} for the label. Default: ${classifyTextDefaults.hypothesis}`,
  },
  'multi-label': {
    type: 'boolean',
    help: 'Encoders only: several labels may be right. Each has a probability of its own.',
  },
  encoder: {
    type: 'string',
    value: 'MODEL',
    help: 'For a classifier of ambry train-classifier: its encoder. Default: the one that the file names.',
  },
} as const;

const pictureOptions = {
  against: {
    type: 'string',
    value: 'OTHER',
    help: 'Compare with another variant of the network over all images. Default: none.',
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
  labels: {
    type: 'string',
    value: 'FILE',
    help: 'A file with the name of one class on each line. Default: none.',
  },
  fast: {
    type: 'boolean',
    help: 'Allow floats to be rounded differently from the reference. This is faster.',
  },
  trace: { type: 'boolean', help: 'Print checksums of the results of every layer.' },
} as const;

export const command = defineCommand({
  usage: 'MODEL [TEXT|IMAGE...]',
  summary: 'Give labels to texts or images',
  details: [
    'MODEL is a text classifier (a supervised model of fastText, an encoder with a classification head, or a file of ambry train-classifier) or an image classifier (tinyRuntime or ONNX). It decides whether the other arguments are texts or files of images.',
    'IMAGE is a PNG, JPEG or WebP image, or a tensor of normalized float32 values as .npy, with the channels first or last, or raw, channel by channel. IMAGE may be - for standard input.',
    'Each text or image gives a line with its labels, the best first: label, tab, score, and a tab before the next label. The line is empty if there is no label. A network without labels has the numbers of its classes instead.',
  ],
  options: {
    k: {
      type: 'string',
      short: 'k',
      value: 'N',
      help: `The number of labels for each text or image. Default: ${classifyDefaults.k}.`,
    },
    threshold: {
      type: 'string',
      value: 'X',
      help: `Leave out labels with a smaller score, from 0 to 1. Default: ${classifyDefaults.threshold}.`,
    },
    ...textOptions,
    ...pictureOptions,
    ...fetchOptions,
    ...jsonOption,
  },
  json: 'A line for each input: {input, labels, logits?, layers?, trace?}, the last three for images. A label is {label, index, score}. With --against one document: {model, against, inputs, sameAnswer, largestDifference, meanDifference, each}.',
  examples: [
    "classify lid.176.ftz 'Wie spät ist es?' -k 3",
    'classify lid.176.ftz --file texts.txt --threshold 0.5',
    "classify nli.weights 'We won.' --candidates sport,food",
    'classify lid.176.ftz --jsonl < texts.jsonl > labels.jsonl',
    'classify digits-dq8.bin digit.png --plan digits-plan.json -k 3',
    'classify net.bin digit.png --plan net.json --against net-dq8.bin',
  ],
  argumentCount: [1, Number.POSITIVE_INFINITY],
  run: async ([file = '', ...inputs], values, terminal) => {
    const forTexts = givenOf(textOptions, values);
    const forPictures = givenOf(pictureOptions, values);
    if (forTexts && forPictures) {
      const message = `${forTexts} is for texts and ${forPictures} for images, so they cannot be used together.`;
      throw new UsageError(message, forTexts);
    }
    const options = labelOptions(values);
    const source = await directorySource(file);
    // What is wrong with the input is said before the model opens, where the options tell what the input is.
    const texts = forTexts ? await textWork(file, inputs, values) : undefined;
    const pictures = forPictures ? await pictureWork(file, inputs, values) : undefined;
    const { encoder } = values;
    await using model = await openClassifier(
      file,
      source,
      encoder,
      parseFetchOptions(values),
      terminal,
    );
    if (model.kind === 'textClassifier') {
      refuse(forPictures, 'an image classifier', `${file} is a text classifier`);
      const work = texts ?? (await textWork(file, inputs, values));
      return await classifyTexts(model, work, options, values, terminal);
    }
    refuse(forTexts, 'a text classifier', `${file} is an image classifier`);
    const work = pictures ?? (await pictureWork(file, inputs, values));
    return await classifyPictures(model, work, options, values, terminal);
  },
});

type Values = TextValues & PictureValues;

/** The first of these options that was given. */
function givenOf(options: object, values: Values): string | undefined {
  const given = Object.keys(options).find((name) => values[name as keyof Values] !== undefined);
  return given && `--${given}`;
}

function refuse(option: string | undefined, needs: string, found: string): void {
  if (option) {
    throw new UsageError(`${option} is for ${needs}, and ${found}.`, option);
  }
}

function labelOptions(values: {
  readonly k?: string | undefined;
  readonly threshold?: string | undefined;
}): LabelOptions {
  const k = integer(values.k, '-k');
  const threshold = numberInRange(values.threshold, '--threshold', 0, 1);
  return { ...(k !== undefined && { k }), ...(threshold !== undefined && { threshold }) };
}
