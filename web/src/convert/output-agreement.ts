// What quantization does to a model's output: the same inputs are run before and after it.

import { AmbryError } from '../base/errors.ts';
import type { Agreement, ClassifyImageOptions, ImageInput } from '../image-classifier/types.ts';
import { inspect } from '../inspect/client.ts';
import { cosineOf } from '../model/cosine.ts';
import type { Embedder } from '../model/embedding.ts';
import type { OpenOptions } from '../model/types.ts';
import type { Platform } from '../platform/platform.ts';
import { fetchOptionNames, runtimeOptionNames } from '../runtime/option-names.ts';
import type { ModelDirectory, ModelSource } from '../sources/base/types.ts';
import { isDirectory } from '../sources/wire-source.ts';
import type { formats } from '../wasm/tables.ts';
import { convert } from './convert.ts';
import { type LanguageModel, type Predictions, predictNextTokens } from './next-tokens.ts';
import type {
  EmbeddingAgreement,
  OutputAgreement,
  QuantizeOptions,
  TokenAgreement,
} from './quantize-types.ts';

type Source = ModelSource | ModelDirectory;

interface Disposable {
  dispose(): Promise<void>;
}

interface Network {
  agreement(
    other: this,
    inputs: readonly ImageInput[],
    options?: Pick<ClassifyImageOptions, 'plan' | 'signal'>,
  ): Promise<Agreement>;
}

/** The methods that the compared models need. */
interface ComparedKinds {
  encoder: Embedder & Disposable;
  generator: LanguageModel & Disposable;
  imageClassifier: Network & Disposable;
}

type ComparedKind = keyof ComparedKinds;

/** The package's `open`, for the compared models. */
export type OpenToCompare = <K extends ComparedKind>(
  source: ModelSource,
  options: OpenOptions & { readonly kind: K },
) => Promise<ComparedKinds[K]>;

/** Texts of different lengths and subjects. */
const sampleTexts = [
  'The harbour was quiet before the storm came in.',
  'How do I reset my password?',
  'Mitochondria turn nutrients into energy for the cell.',
  'Cheap flights to Lisbon in October',
  'She tuned the violin, waited for silence, and began to play.',
  'The central bank left interest rates unchanged on Thursday.',
  'Add two eggs, a cup of flour and a pinch of salt.',
  'An array that is sorted can be searched in logarithmic time.',
  'My grandfather kept bees behind the old barn.',
  'rain',
  'The contract ends without notice when the building is sold.',
  'Glaciers carve valleys as they move, grinding rock to flour over thousands of years.',
];

type LanguageFormat = Extract<(typeof formats)[number], { runs: 'generator' }>['id'];
/** Formats of language models that run. The compiler finds one that is missing. */
const languageFormats: Readonly<Record<LanguageFormat, true>> = {
  amb: true,
  alt: true,
  gguf: true,
};
const writers = Object.keys(languageFormats);

/** The largest source that is converted in memory to a format that runs. */
const mostInMemory = 1e9;

/** Null when the model cannot run, when there are no inputs, or when the source can be read only once. */
export async function outputAgreement(
  platform: Platform,
  open: OpenToCompare,
  source: Source,
  target: ModelSource,
  given: QuantizeOptions,
  bytesBefore: number,
): Promise<OutputAgreement | null> {
  if (source instanceof ReadableStream) {
    return null;
  }
  const { texts = sampleTexts, images } = given;
  const options = only(given, openNames);
  const { format, run } = await inspect(platform, target, options);
  const before = isDirectory(source) ? '' : await formatOf(platform, source, options);
  const isNetwork = before === 'tinyruntime' || before === 'onnx';
  if (format === 'tinyruntime' && isNetwork && images?.length) {
    return answerAgreement(open, source as ModelSource, target, given);
  }
  const runs = format === 'embd' ? [format] : writers.includes(format) ? writers : [];
  const asItIs = runs.includes(before);
  if (runs.length === 0 || texts.length === 0 || !(asItIs || bytesBefore <= mostInMemory)) {
    return null;
  }
  // If the source cannot run itself, it is converted to the target's format without loss.
  const runnable = asItIs
    ? (source as ModelSource)
    : ((await convert(platform, source, { ...only(given, convertNames), to: format })) as Blob);
  // Every model of EMBD is an encoder, whatever its head is.
  const isEncoder = format === 'embd' || run?.kind === 'encoder';
  const compare = isEncoder ? embeddingAgreement : tokenAgreement;
  return compare(open, runnable, target, texts, options);
}

// The hash is that of the source, and this work reports no progress.
const { sha256: _hash, ...fetchNames } = fetchOptionNames;
const openNames = { ...runtimeOptionNames, ...fetchNames, signal: true } as const;
const convertNames = {
  ...openNames,
  from: true,
  arch: true,
  lowercase: true,
  lossy: true,
  metadata: true,
} as const;

/** The options that have these names. */
function only<Name extends keyof QuantizeOptions>(
  options: QuantizeOptions,
  names: Readonly<Record<Name, unknown>>,
): Pick<QuantizeOptions, Name> {
  const wanted = Object.entries(options).filter(([name]) => Object.hasOwn(names, name));
  return Object.fromEntries(wanted) as Pick<QuantizeOptions, Name>;
}

async function formatOf(platform: Platform, source: ModelSource, options: OpenOptions) {
  return (await inspect(platform, source, options).catch(() => undefined))?.format ?? '';
}

async function embeddingAgreement(
  open: OpenToCompare,
  source: ModelSource,
  target: ModelSource,
  texts: readonly string[],
  options: OpenOptions,
): Promise<EmbeddingAgreement> {
  const { signal } = options;
  const embed = (model: Embedder) =>
    model.embed(texts, { as: 'matrix', ...(signal && { signal }) });
  const before = await withModel(open, source, { ...options, kind: 'encoder' }, embed);
  const after = await withModel(open, target, { ...options, kind: 'encoder' }, embed);
  const dim = before.length / texts.length;
  const cosines = texts.map((_, i) => {
    const [begin, end] = [i * dim, (i + 1) * dim];
    return cosineOf(before.subarray(begin, end), after.subarray(begin, end));
  });
  const sum = cosines.reduce((total, each) => total + each, 0);
  return {
    kind: 'embeddings',
    texts: texts.length,
    meanCosine: sum / texts.length,
    leastCosine: Math.min(...cosines),
  };
}

async function tokenAgreement(
  open: OpenToCompare,
  source: ModelSource,
  target: ModelSource,
  texts: readonly string[],
  options: OpenOptions,
): Promise<TokenAgreement | null> {
  const run = (model: LanguageModel) => predictNextTokens(model, texts, options.signal);
  const how = { ...options, kind: 'generator' } as const;
  try {
    const before = await withModel(open, source, how, run);
    const after = await withModel(open, target, how, run);
    return {
      kind: 'tokens',
      texts: texts.length,
      tokens: before.likeliest.length,
      sameToken: before.likeliest.filter((id, i) => id === after.likeliest[i]).length,
      perplexity: [perplexityOf(before), perplexityOf(after)],
    };
  } catch (error) {
    if (cannotRun(error)) {
      return null;
    }
    throw error;
  }
}

/** The tokenizer is unknown, or the model is too large for memory. The quantized file is not at fault. */
function cannotRun(error: unknown): boolean {
  const codes: readonly string[] = ['Unsupported', 'NotFound', 'LimitExceeded'];
  return error instanceof AmbryError && codes.includes(error.code);
}

const perplexityOf = ({ loss, predicted }: Predictions) => Math.exp(loss / Math.max(predicted, 1));

async function answerAgreement(
  open: OpenToCompare,
  source: ModelSource,
  target: ModelSource,
  given: QuantizeOptions,
): Promise<OutputAgreement> {
  const how = { ...only(given, openNames), kind: 'imageClassifier' } as const;
  const { images = [], plan, signal } = given;
  return withModel(open, source, how, (before) =>
    withModel(open, target, how, async (after) => {
      const settings = { ...(plan !== undefined && { plan }), ...(signal && { signal }) };
      return { kind: 'answers', ...(await before.agreement(after, images, settings)) } as const;
    }),
  );
}

async function withModel<K extends ComparedKind, T>(
  open: OpenToCompare,
  source: ModelSource,
  options: OpenOptions & { readonly kind: K },
  use: (model: ComparedKinds[K]) => Promise<T>,
): Promise<T> {
  const model = await open(source, options);
  try {
    return await use(model);
  } finally {
    await model.dispose();
  }
}
