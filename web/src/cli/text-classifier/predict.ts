import { classifyTextDefaults, predictDefaults } from '../../entries/tables.ts';
import type { OpenOptions, Prediction, PredictOptions, TextPair } from '../../entries/types.ts';
import type { Reranker, TextClassifier } from '../../index.ts';
import { answerLines, type LineInput } from '../shared/answer-lines.ts';
import { defineCommand } from '../shared/command.ts';
import { fetchOptions, jsonOption, parseFetchOptions } from '../shared/common-options.ts';
import { UsageError } from '../shared/failure.ts';
import { shortFloat } from '../shared/format.ts';
import { directorySource } from '../shared/input.ts';
import { openAs, openCall } from '../shared/open-model.ts';
import { integer, numberInRange } from '../shared/option-values.ts';
import { parseTextLine, textField } from '../shared/read-lines.ts';
import type { Terminal } from '../shared/terminal.ts';
import {
  checkTextInput,
  lineInput,
  textInput,
  textInputOptions,
  withTexts,
} from '../shared/text-input.ts';

export const command = defineCommand({
  usage: 'MODEL [TEXT...]',
  summary: 'Predict the labels of texts',
  details: [
    'MODEL is a classifier of fastText (supervised, .bin or .ftz), or an encoder with a classification head. Each text gives a line with its labels, the most probable first: label, tab, probability, and a tab before the next label. The line is empty if there is no label.',
  ],
  options: {
    ...textInputOptions(
      'Read lines {"id", "text", "pair"} from standard input or --file, and print lines {"id", "predictions"}. "pair" is a second text, for encoders that read two.',
    ),
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
    candidate: {
      type: 'string',
      multiple: true,
      value: 'LABEL',
      help: 'Classify into this label instead of those of the model, which must be one of natural language inference. May be repeated. Default: none.',
    },
    hypothesis: {
      type: 'string',
      value: 'TEXT',
      help: `With --candidate: the sentence that is compared with the text, with {} for the label. Default: ${classifyTextDefaults.hypothesis}`,
    },
    'multi-label': {
      type: 'boolean',
      help: 'Encoders only: several labels may be right. Each has a probability of its own.',
    },
    ...fetchOptions,
    ...jsonOption,
  },
  json: 'A line for each text: {text, predictions}. A prediction is {label, probability}.',
  examples: [
    "predict lid.176.ftz --text 'Wie spät ist es?' -k 3",
    'predict lid.176.ftz --file texts.txt --threshold 0.5',
    "predict nli.weights --text 'We won.' --candidate sport --candidate food",
    'predict lid.176.ftz --jsonl < texts.jsonl > labels.jsonl',
  ],
  argumentCount: [1, Number.POSITIVE_INFINITY],
  run: async ([file = '', ...after], given, terminal) => {
    const values = withTexts(given, after);
    checkTextInput(file, values);
    const k = integer(values.k, '-k') ?? predictDefaults.k;
    const threshold = numberInRange(values.threshold, '--threshold', 0, 1);
    const options: PredictOptions = {
      k,
      ...(threshold !== undefined && { threshold }),
      signal: terminal.signal,
    };
    const lines = lineInput(values);
    const texts = await textInput(values);
    await using model = await openClassifier(file, parseFetchOptions(values), terminal);
    const predict = predictorOf(model, values);
    if (lines) {
      return await predictLines(predict, lines, options, terminal);
    }
    const all = await predict(texts, { ...options, onProgress: terminal.onProgress });
    texts.forEach((text, i) => {
      const predictions = all[i] ?? [];
      if (values.json) {
        terminal.printJson({ text, predictions: predictions.map(shortened) });
      } else {
        terminal.print(predictions.map(columns).join('\t'));
      }
    });
    return 0;
  },
});

type Input = string | TextPair;
type Predict = (inputs: readonly Input[], options: PredictOptions) => Promise<Prediction[][]>;

async function openClassifier(
  file: string,
  options: OpenOptions,
  terminal: Terminal,
): Promise<TextClassifier | Reranker> {
  const source = await directorySource(file);
  const opening = { ...options, ...openCall(terminal) };
  return openAs(['textClassifier', 'reranker'], file, source, opening);
}

interface EncoderValues {
  readonly candidate?: readonly string[] | undefined;
  readonly hypothesis?: string | undefined;
  readonly 'multi-label'?: boolean | undefined;
}

function predictorOf(
  model: TextClassifier | Reranker,
  { candidate, hypothesis, 'multi-label': multiLabel }: EncoderValues,
): Predict {
  if (model.kind === 'textClassifier') {
    const given = candidate ? '--candidate' : hypothesis !== undefined ? '--hypothesis' : undefined;
    const option = given ?? (multiLabel ? '--multi-label' : undefined);
    if (option) {
      throw new UsageError(`${option} is for encoders, and not for fastText.`, option);
    }
    return (inputs, options) => {
      if (inputs.every((input) => typeof input === 'string')) {
        return model.predict(inputs, options);
      }
      throw new UsageError('A fastText classifier reads one text, and no pair.');
    };
  }
  return async (inputs, { threshold = predictDefaults.threshold, ...options }) => {
    const each = await model.classifyText(inputs, {
      ...options,
      ...(candidate && { candidates: candidate }),
      ...(hypothesis !== undefined && { hypothesis }),
      ...(multiLabel && { multiLabel }),
    });
    return each.map((labels) => labels.filter(({ probability }) => probability >= threshold));
  };
}

function predictLines(
  predict: Predict,
  input: LineInput,
  options: PredictOptions,
  terminal: Terminal,
): Promise<number> {
  return answerLines(input, terminal, {
    parse: (line, number) => {
      const { id, text, object } = parseTextLine(line, number);
      const pair = object['pair'] === undefined ? undefined : textField(object, 'pair', number);
      return { id, input: pair === undefined ? text : ([text, pair] as const) };
    },
    answer: async (requests) => {
      const all = await predict(
        requests.map((request) => request.input),
        options,
      );
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
