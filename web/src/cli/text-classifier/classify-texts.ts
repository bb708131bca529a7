// `ambry classify` with a text classifier.
import type { ClassifyTextOptions, LabelScore, TextPair } from '../../entries/types.ts';
import type { TextClassifier } from '../../index.ts';
import { answerLines, type LineInput } from '../shared/answer-lines.ts';
import { UsageError } from '../shared/failure.ts';
import { labelLine, shortLabels } from '../shared/label-line.ts';
import { parseTextLine, textField } from '../shared/read-lines.ts';
import type { Terminal } from '../shared/terminal.ts';
import { checkTextInput, lineInput, textInput, withTexts } from '../shared/text-input.ts';

/** What was given for texts. */
export interface TextValues {
  readonly text?: readonly string[] | undefined;
  readonly file?: string | undefined;
  readonly jsonl?: boolean | undefined;
  readonly 'skip-bad'?: boolean | undefined;
  readonly candidates?: readonly string[] | undefined;
  readonly hypothesis?: string | undefined;
  readonly 'multi-label'?: boolean | undefined;
  readonly encoder?: string | undefined;
  readonly json?: boolean | undefined;
}

interface TextWork {
  readonly texts: readonly string[];
  /** With `--jsonl`. */
  readonly lines: LineInput | undefined;
}

/** Reads the texts. Lines of JSON are read later. */
export async function textWork(
  file: string,
  after: readonly string[],
  given: TextValues,
): Promise<TextWork> {
  const values = withTexts(given, after);
  checkTextInput(file, values);
  return { texts: await textInput(values), lines: lineInput(values) };
}

export async function classifyTexts(
  model: TextClassifier,
  { texts, lines }: TextWork,
  given: ClassifyTextOptions,
  values: TextValues,
  terminal: Terminal,
): Promise<number> {
  const options = { ...given, ...optionsFor(model, values), signal: terminal.signal };
  if (lines) {
    return classifyLines(model, lines, options, terminal);
  }
  const all = await model.classify(texts, { ...options, onProgress: terminal.onProgress });
  texts.forEach((text, i) => {
    const labels = all[i] as LabelScore[];
    if (values.json) {
      terminal.printJson({ input: text, labels: shortLabels(labels) });
    } else {
      terminal.print(labelLine(labels));
    }
  });
  return 0;
}

function optionsFor(
  { info }: TextClassifier,
  { candidates, hypothesis, 'multi-label': multiLabel }: TextValues,
): ClassifyTextOptions {
  const given =
    (candidates && '--candidates') ??
    (hypothesis !== undefined ? '--hypothesis' : undefined) ??
    (multiLabel ? '--multi-label' : undefined);
  if (given && info.textClassifier) {
    throw new UsageError(`${given} is for encoders, and not for fastText.`, given);
  }
  return {
    ...(candidates && { candidates: candidates.flatMap((list) => list.split(',')).map(trimmed) }),
    ...(hypothesis !== undefined && { hypothesis }),
    ...(multiLabel && { multiLabel }),
  };
}

const trimmed = (candidate: string): string => candidate.trim();

function classifyLines(
  model: TextClassifier,
  input: LineInput,
  options: ClassifyTextOptions,
  terminal: Terminal,
): Promise<number> {
  return answerLines<{ readonly id: string | number; readonly text: string | TextPair }>(
    input,
    terminal,
    {
      parse: (line, number) => {
        const { id, text, object } = parseTextLine(line, number);
        const pair = object['pair'] === undefined ? undefined : textField(object, 'pair', number);
        return { id, text: pair === undefined ? text : [text, pair] };
      },
      answer: async (requests) => {
        const all = await model.classify(
          requests.map(({ text }) => text),
          options,
        );
        return requests.map(({ id }, i) => ({ id, labels: shortLabels(all[i] ?? []) }));
      },
    },
  );
}
