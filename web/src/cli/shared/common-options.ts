// Options that several commands share.
import { fetchDefaults, weightStorages } from '../../entries/tables.ts';
import type {
  FetchOptions,
  OpenOptions,
  TokenizerFileOptions,
  VocabularyOptions,
} from '../../entries/types.ts';
import type { CommandOptions } from './command.ts';
import { UsageError } from './failure.ts';
import { numberInRange, oneOf } from './option-values.ts';

export const jsonOption = {
  json: { type: 'boolean', help: 'Print JSON.' },
} as const satisfies CommandOptions;

export const forceOption = {
  force: { type: 'boolean', help: 'Let DST be a file that is read. It is replaced.' },
} as const satisfies CommandOptions;

/** How long a server may be silent. */
export const stallOption = {
  'stall-timeout': {
    type: 'string',
    value: 'SECONDS',
    help: `For a URL: how long to wait for a server that sends nothing. 0 waits for ever. Default: ${fetchDefaults.stallTimeout / 1000}.`,
  },
} as const satisfies CommandOptions;

/** Where names that begin with `hf:` are looked up. */
export const hubOptions = {
  endpoint: {
    type: 'string',
    value: 'URL',
    help: 'For hf: names: the address of the hub or of a mirror. Default: HF_ENDPOINT, else Hugging Face’s.',
  },
  token: {
    type: 'string',
    value: 'TOKEN',
    help: 'For hf: names: a token for gated and private repositories. Other users of this machine can see it in the list of processes; HF_TOKEN hides it. Default: HF_TOKEN, else none.',
  },
} as const satisfies CommandOptions;

/** How a URL and an `hf:` name are fetched. */
export const fetchOptions = {
  ...stallOption,
  ...hubOptions,
  'follow-base': {
    type: 'boolean',
    help: 'For hf: names: where the repository has no weights that Ambry opens, or only ONNX’s, read the one that its model card names as base. Default: the ONNX file of a known model, else an error that names the base.',
  },
  cache: {
    type: 'string',
    value: 'DIR',
    help: 'The directory in which ambry pull keeps files. Files that are there are not downloaded again. Default: the user’s cache directory.',
  },
} as const satisfies CommandOptions;

interface StallValues {
  readonly 'stall-timeout'?: string | undefined;
}

interface HubValues {
  readonly endpoint?: string | undefined;
  readonly token?: string | undefined;
}

export interface FetchValues extends StallValues, HubValues {
  readonly cache?: string | undefined;
  readonly 'follow-base'?: boolean | undefined;
}

export type Fetching = Pick<FetchOptions, 'stallTimeout' | 'hub' | 'cache' | 'followBase'>;

/** Commands use what is in the cache, and add nothing. */
export function parseFetchOptions(values: FetchValues): Fetching {
  const directory = parseCache(values.cache);
  return {
    ...parseStallTimeout(values),
    ...parseHubOptions(values),
    ...(values['follow-base'] && { followBase: true }),
    cache: { ...(directory !== undefined && { directory }), keep: false },
  };
}

export function parseCache(directory: string | undefined): string | undefined {
  if (directory === '') {
    throw new UsageError('--cache must name a directory.', '--cache');
  }
  return directory;
}

/** An empty variable of the environment counts as none. */
export function parseHubOptions(values: HubValues): Pick<FetchOptions, 'hub'> {
  const { HF_ENDPOINT, HF_TOKEN } = process.env;
  const endpoint = values.endpoint ?? (HF_ENDPOINT || undefined);
  const token = values.token ?? (HF_TOKEN || undefined);
  const hub = {
    ...(endpoint !== undefined && { endpoint }),
    ...(token !== undefined && { token }),
  };
  return Object.keys(hub).length > 0 ? { hub } : {};
}

export function parseStallTimeout(values: StallValues): Pick<FetchOptions, 'stallTimeout'> {
  const seconds = numberInRange(values['stall-timeout'], '--stall-timeout', 0);
  if (seconds === undefined) {
    return {};
  }
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

/** The option that gave it. */
export function optionOfCase({ lowercase }: VocabularyOptions): string {
  return lowercase ? '--uncased' : '--cased';
}

/** What a file of tiktoken does not say. */
export const encodingOption = {
  encoding: {
    type: 'string',
    value: 'NAME',
    help: 'The encoding of a tiktoken file: cl100k_base, o200k_base, llama3 and others; the error for an unknown name lists all. Default: the one whose last rank is that of the file, with a warning where there are several.',
  },
} as const satisfies CommandOptions;

interface EncodingValues {
  readonly encoding?: string | undefined;
}

export function parseEncoding({
  encoding,
}: EncodingValues): Pick<TokenizerFileOptions, 'encoding'> {
  return encoding === undefined ? {} : { encoding };
}

interface CaseValues {
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
