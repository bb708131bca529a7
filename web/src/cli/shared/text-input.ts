// Where the commands that answer texts with lines take their texts from: `embed`, `classify`, `tokenize`.
import type { LineInput } from './answer-lines.ts';
import type { CommandOptions } from './command.ts';
import { skipBadOption } from './common-options.ts';
import { UsageError } from './failure.ts';
import { readTexts } from './input.ts';

/** `jsonl` says what the lines hold. */
export const textInputOptions = (jsonl: string) =>
  ({
    text: {
      type: 'string',
      multiple: true,
      value: 'TEXT',
      help: 'A text, as one after MODEL. May be repeated. Default: the lines of standard input.',
    },
    file: {
      type: 'string',
      value: 'FILE',
      help: 'A file with one text on each line, or - for standard input. Default: none.',
    },
    jsonl: {
      type: 'boolean',
      help: `${jsonl} The number of lines is not limited. The default id is the number of the line.`,
    },
    ...skipBadOption,
  }) as const satisfies CommandOptions;

interface TextInputValues {
  readonly text?: readonly string[] | undefined;
  readonly file?: string | undefined;
  readonly jsonl?: boolean | undefined;
  readonly 'skip-bad'?: boolean | undefined;
}

/** The values of a command with the texts that stand after the model, before those of `--text`. */
export function withTexts<V extends TextInputValues>(values: V, texts: readonly string[]): V {
  return texts.length === 0 ? values : { ...values, text: [...texts, ...(values.text ?? [])] };
}

/** Throws a usage error for options that exclude each other. `--jsonl` excludes `--text`, and the option `other`, if it is
 *  given. `excluded` names both. */
export function checkTextInput(
  model: string,
  { file, jsonl, text, 'skip-bad': skipBad }: TextInputValues,
  excluded = '--text',
  other?: string,
): void {
  if (jsonl && (text || other !== undefined)) {
    throw new UsageError(`--jsonl cannot be used with ${excluded}.`, '--jsonl');
  }
  const reads = file ?? (text ? '' : '-');
  if (model === '-' && reads === '-') {
    throw new UsageError('MODEL and the texts cannot both be standard input.');
  }
  if (skipBad && !jsonl) {
    throw new UsageError('--skip-bad needs --jsonl.', '--skip-bad');
  }
}

/** Undefined without `--jsonl`. */
export function lineInput(values: TextInputValues): LineInput | undefined {
  return values.jsonl
    ? { file: values.file ?? '-', skipBad: values['skip-bad'] === true }
    : undefined;
}

/** None with `--jsonl`, whose lines are read later. */
export async function textInput(values: TextInputValues): Promise<string[]> {
  return values.jsonl ? [] : readTexts(values);
}
