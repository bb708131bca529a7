// Options that several commands share.
import { fetchDefaults, weightStorages } from '../../tables.ts';
import type { FetchOptions, OpenOptions, VocabularyOptions } from '../../types.ts';
import type { CommandOptions } from './command.ts';
import { UsageError } from './failure.ts';
import { numberInRange, oneOf } from './option-values.ts';

export const jsonOption = {
  json: { type: 'boolean', help: 'Print JSON.' },
} as const satisfies CommandOptions;

export const forceOption = {
  force: { type: 'boolean', help: 'Let DST be a file that is read. It is replaced.' },
} as const satisfies CommandOptions;

/** How a URL is fetched. */
export const fetchOptions = {
  'stall-timeout': {
    type: 'string',
    value: 'SECONDS',
    help: `For a URL: how long to wait for a server that sends nothing. 0 waits for ever. Default: ${fetchDefaults.stallTimeout / 1000}.`,
  },
} as const satisfies CommandOptions;

export interface FetchValues {
  readonly 'stall-timeout'?: string | undefined;
}

export type Fetching = Pick<FetchOptions, 'stallTimeout'>;

export function parseFetchOptions(values: FetchValues): Fetching {
  const seconds = numberInRange(values['stall-timeout'], '--stall-timeout', 0);
  if (seconds === undefined) return {};
  return { stallTimeout: seconds === 0 ? Number.POSITIVE_INFINITY : seconds * 1000 };
}

/** What a vocab.txt does not say. */
export const caseOptions = {
  uncased: {
    type: 'boolean',
    help: 'A vocab.txt is of an uncased model: texts are lower-cased and lose their accents. This is assumed, with a warning, where no file says it. A tokenizer that states it takes no such option.',
  },
  cased: { type: 'boolean', help: 'A vocab.txt is of a cased model.' },
} as const satisfies CommandOptions;

export interface CaseValues {
  readonly cased?: boolean | undefined;
  readonly uncased?: boolean | undefined;
}

export function parseCaseOptions({ cased, uncased }: CaseValues): VocabularyOptions {
  if (cased && uncased) {
    throw new UsageError('A model is either cased or uncased. Give one of the two.', '--cased');
  }
  return cased || uncased ? { lowercase: uncased === true } : {};
}

export const archOption = {
  arch: {
    type: 'string',
    value: 'NAME',
    help: 'The architecture of the model, such as mistral. Needed if the source does not state it. Default: as the source states.',
  },
} as const satisfies CommandOptions;

export const lossyOption = {
  lossy: {
    type: 'boolean',
    help: 'Leave out what the target cannot hold, and convert a file whose checksum is wrong, with a warning. By default both are errors.',
  },
} as const satisfies CommandOptions;

export const skipBadOption = {
  'skip-bad': { type: 'boolean', help: 'With --jsonl: skip invalid lines with a warning.' },
} as const satisfies CommandOptions;

/** How the weights of a model are held and computed with. */
export const runOptions = {
  weights: {
    type: 'string',
    choices: weightStorages,
    help: `How weights are held in memory. Default: ${weightStorages[0]}.`,
  },
  deterministic: {
    type: 'boolean',
    help: 'Give bit-identical results on every machine. This is slower.',
  },
} as const satisfies CommandOptions;

export interface RunValues {
  readonly weights?: string | undefined;
  readonly deterministic?: boolean | undefined;
}

export function parseRunOptions({ weights, deterministic = false }: RunValues): OpenOptions {
  const storage = oneOf(weights, '--weights', weightStorages);
  return { ...(storage && { weights: storage }), deterministic };
}
