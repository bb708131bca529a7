// Quantisation on the caller's side, and a look at what it does to the model's output.
import type {
  ModelDirectory,
  ModelSource,
  OpenOptions,
  OutputAgreement,
  Quantized,
  QuantizeOptions,
  QuantizeSettings,
} from '../types.ts';
import { wireInput } from './classifier-input.ts';
import * as client from './client.ts';
import { conversionParts, convert, runConversion } from './convert.ts';
import { cosine } from './cosine.ts';
import type { Platform } from './platform.ts';
import { isDirectory } from './wire-source.ts';

/** Of different lengths and subjects. */
const kTexts = [
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

export async function quantize(
  platform: Platform,
  source: ModelSource | ModelDirectory,
  options: QuantizeOptions & { readonly output?: string },
): Promise<Quantized> {
  const parts = await conversionParts(platform, source, options);
  const { output, texts = kTexts, ...job } = options;
  const { to = '', from, arch, lossy, metadata } = options;
  const { images, ...own } = settingsOf(job);
  const decoded = images && (await Promise.all(images.map((image) => wireInput(platform, image))));
  const quantization = { ...own, ...(decoded && { images: decoded }) };
  const settings = { to, from, arch, lossy, metadata, quantize: quantization };
  const { blob, report } = await runConversion(platform, parts, settings, output, job);
  const target = blob ?? (output === undefined ? undefined : { path: output });
  const agreement =
    target && texts.length > 0 ? await outputAgreement(platform, source, target, texts, job) : null;
  return { blob, report, agreement };
}

/** What is left of the options without those of every job. The core refuses names that it does not know. */
function settingsOf(options: QuantizeOptions): QuantizeSettings {
  const { to: _to, from: _from, arch: _arch, lossy: _lossy, metadata: _metadata, ...own } = options;
  const { signal: _signal, onProgress: _progress, onWarning: _warning, ...less } = own;
  const { cache: _cache, sha256: _hash, createWorker: _worker, ...least } = less;
  const { wasmUrl: _url, wasmBinary: _binary, wasmModule: _module, ...settings } = least;
  return settings;
}

/** Null where the model cannot be run, or the source is gone after one reading. */
async function outputAgreement(
  platform: Platform,
  source: ModelSource | ModelDirectory,
  target: ModelSource,
  texts: readonly string[],
  options: QuantizeOptions,
): Promise<OutputAgreement | null> {
  if (source instanceof ReadableStream) return null;
  // The hash is the source's, and of this work nobody hears.
  const { onProgress: _progress, onWarning: _warning, sha256: _hash, ...quiet } = options;
  const { format } = await client.inspect(platform, target, quiet);
  if (format !== 'embd') return null;
  const before = await embed(platform, await openable(platform, source, quiet), texts, quiet);
  const after = await embed(platform, target, texts, quiet);
  const dim = before.length / texts.length;
  const cosines = texts.map((_, i) => {
    const [begin, end] = [i * dim, (i + 1) * dim];
    return cosine(before.subarray(begin, end), after.subarray(begin, end));
  });
  const sum = cosines.reduce((total, each) => total + each, 0);
  return {
    texts: texts.length,
    meanCosine: sum / texts.length,
    leastCosine: Math.min(...cosines),
  };
}

/** The source, or if it cannot be run as it is, what it is as EMBD without loss. */
async function openable(
  platform: Platform,
  source: ModelSource | ModelDirectory,
  options: OpenOptions,
): Promise<ModelSource> {
  if (!isDirectory(source)) {
    const found = await client.inspect(platform, source, options).catch(() => undefined);
    if (found?.format === 'embd') return source;
  }
  return (await convert(platform, source, { ...options, to: 'embd' })) as Blob;
}

async function embed(
  platform: Platform,
  source: ModelSource,
  texts: readonly string[],
  options: OpenOptions,
): Promise<Float32Array> {
  const model = await client.open(platform, source, options);
  try {
    return await model.embed(texts, options.signal ? { signal: options.signal } : {});
  } finally {
    await model.dispose();
  }
}
