// What `ambry tag` and `ambry redact` have in common: options, and the model.
import { AmbryError } from '../../base/errors.ts';
import { aggregations, tagDefaults } from '../../entries/tables.ts';
import type { TagOptions } from '../../entries/types.ts';
import type { TokenClassifier } from '../../index.ts';
import { callOptions, count, number, word } from '../shared/call-options.ts';
import { type CommandOptions, inOwnWords, type OptionValues } from '../shared/command.ts';
import {
  fetchOptions,
  parseFetchOptions,
  parseRunOptions,
  runOptions,
} from '../shared/common-options.ts';
import { UsageError } from '../shared/failure.ts';
import { directorySource } from '../shared/input.ts';
import { openAs, openCall } from '../shared/open-model.ts';
import type { Terminal } from '../shared/terminal.ts';

export const tagOptions = {
  aggregation: {
    type: 'string',
    choices: aggregations,
    help: `How labels of tokens become entities: join neighbours with the same label (simple), label each word by its first token (first), its mean (average) or its most certain token (max) before, or give each token by itself (none). Default: ${tagDefaults.aggregation}.`,
    read: word(aggregations),
  },
  labels: {
    type: 'string',
    multiple: true,
    value: 'A,B',
    help: 'Only entities with these labels. A comma separates them. May be repeated. Default: all but O.',
    read: (lists: readonly string[]) =>
      lists.flatMap((list) => list.split(',')).map((label) => label.trim()),
  },
  threshold: {
    type: 'string',
    value: 'X',
    help: `Leave out entities with a smaller score, from 0 to 1. Default: ${tagDefaults.threshold}.`,
    read: number(0, 1),
  },
  stride: {
    type: 'string',
    value: 'N',
    help: 'A long text is read in windows. Two neighbours share N tokens. Default: a fourth of a window.',
    read: count(0),
  },
} as const satisfies CommandOptions;

/** How the model is opened. */
export const tagModelOptions = { ...runOptions, ...fetchOptions } as const;

type Values = OptionValues<typeof tagOptions & typeof tagModelOptions>;

/** The options of the call. */
export function parseTagOptions(values: Values, { signal }: Terminal): TagOptions {
  return { ...callOptions<TagOptions>(tagOptions, values), signal };
}

/** Opens the model for `use`. What the model has not, such as a label, is wrong usage. */
export async function withTagger<T>(
  file: string,
  values: Values,
  terminal: Terminal,
  use: (model: TokenClassifier) => Promise<T>,
): Promise<T> {
  const opening = { ...parseRunOptions(values), ...parseFetchOptions(values) };
  const source = await directorySource(file);
  const options = { kind: 'tokenClassifier', ...opening, ...openCall(terminal) } as const;
  await using model = await openAs(['tokenClassifier'], file, source, options);
  try {
    return await use(model);
  } catch (error) {
    const isUsage = error instanceof AmbryError && error.path?.startsWith('options.');
    throw isUsage ? new UsageError(error.message, inOwnWords(error.path, tagOptions)) : error;
  }
}
