import type { TextClassifier } from '../../index.ts';
import { predictDefaults } from '../../tables.ts';
import type { OpenOptions, Prediction, PredictOptions } from '../../types.ts';
import { answerLines, type LineInput } from '../shared/answer-lines.ts';
import { defineCommand } from '../shared/command.ts';
import {
  fetchOptions,
  jsonOption,
  parseFetchOptions,
  skipBadOption,
} from '../shared/common-options.ts';
import { UsageError } from '../shared/failure.ts';
import { shortFloat } from '../shared/format.ts';
import { modelSource, readTexts } from '../shared/input.ts';
import { openAs } from '../shared/open-model.ts';
import { integer, numberInRange } from '../shared/option-values.ts';
import { idField, parseObject, textField } from '../shared/read-lines.ts';
import type { Terminal } from '../shared/terminal.ts';

export const command = defineCommand({
  usage: 'MODEL',
  summary: 'Predict the labels of texts',
  details: [
    'MODEL is a classifier of fastText (supervised, .bin or .ftz). Each text gives a line with its labels, the most probable first: label, tab, probability, and a tab before the next label. The line is empty if there is no label.',
  ],
  options: {
    text: {
      type: 'string',
      multiple: true,
      value: 'TEXT',
      help: 'A text. May be repeated. Default: none.',
    },
    file: {
      type: 'string',
      value: 'FILE',
      help: 'A file with one text on each line, or - for standard input. Default: none.',
    },
    jsonl: {
      type: 'boolean',
      help: 'Read lines {"id", "text"} from standard input or --file, and print lines {"id", "predictions"}. The number of lines is not limited. The default id is the number of the line.',
    },
    ...skipBadOption,
    k: {
      type: 'string',
      short: 'k',
      value: 'N',
      help: `The number of labels for each text. Default: ${predictDefaults.k}.`,
    },
    threshold: {
      type: 'string',
      value: 'X',
      help: `Leave out labels that are less probable, from 0 to 1. Default: ${predictDefaults.threshold}.`,
    },
    ...fetchOptions,
    ...jsonOption,
  },
  json: 'A line for each text: {text, predictions}. A prediction is {label, probability}.',
  examples: [
    "predict lid.176.ftz --text 'Wie spät ist es?' -k 3",
    'predict lid.176.ftz --file texts.txt --threshold 0.5',
    'predict lid.176.ftz --jsonl < texts.jsonl > labels.jsonl',
  ],
  argumentCount: [1, 1],
  run: async ([file = ''], values, terminal) => {
    checkForms(file, values);
    const k = integer(values.k, '-k');
    const threshold = numberInRange(values.threshold, '--threshold', 0, 1);
    const options: PredictOptions = {
      ...(k !== undefined && { k }),
      ...(threshold !== undefined && { threshold }),
      signal: terminal.signal,
    };
    const texts = values.jsonl ? [] : await readTexts(values);
    const model = await openClassifier(file, parseFetchOptions(values), terminal);
    try {
      if (values.jsonl) {
        const input = { file: values.file ?? '-', skipBad: values['skip-bad'] === true };
        return await predictLines(model, input, options, terminal);
      }
      const all = await model.predict(texts, { ...options, onProgress: terminal.onProgress });
      texts.forEach((text, i) => {
        const predictions = all[i] ?? [];
        if (values.json) terminal.printJson({ text, predictions: predictions.map(shortened) });
        else terminal.print(predictions.map(columns).join('\t'));
      });
      return 0;
    } finally {
      await model.dispose();
    }
  },
});

interface FormValues {
  readonly file?: string | undefined;
  readonly jsonl?: boolean | undefined;
  readonly text?: readonly string[] | undefined;
  readonly 'skip-bad'?: boolean | undefined;
}

function checkForms(model: string, { file, jsonl, text, 'skip-bad': skipBad }: FormValues): void {
  if (jsonl && text) throw new UsageError('--jsonl cannot be used with --text.', '--jsonl');
  if (model === '-' && (file ?? (jsonl ? '-' : '')) === '-') {
    throw new UsageError('MODEL and the texts cannot both be standard input.');
  }
  if (skipBad && !jsonl) throw new UsageError('--skip-bad needs --jsonl.', '--skip-bad');
}

async function openClassifier(
  file: string,
  options: OpenOptions,
  { signal, onProgress }: Terminal,
): Promise<TextClassifier> {
  const source = await modelSource(file);
  return openAs(['textClassifier'], file, source, { ...options, signal, onProgress });
}

function predictLines(
  model: TextClassifier,
  input: LineInput,
  options: PredictOptions,
  terminal: Terminal,
): Promise<number> {
  return answerLines(input, terminal, {
    parse: (line, number) => {
      const object = parseObject(number, line);
      const id = idField(object, number) ?? number;
      return { id, text: textField(object, 'text', number) };
    },
    answer: async (requests) => {
      const texts = requests.map(({ text }) => text);
      const all = await model.predict(texts, options);
      return requests.map(({ id }, i) => ({ id, predictions: (all[i] ?? []).map(shortened) }));
    },
  });
}

const columns = ({ label, probability }: Prediction): string =>
  `${label}\t${probability.toFixed(6)}`;

const shortened = ({ label, probability }: Prediction): Prediction => ({
  label,
  probability: shortFloat(probability),
});
