// Quantisation on the caller's side, and a look at what it does to the model's output.

import { wireInput } from '../classifier/input.ts';
import type { Platform } from '../runtime/platform.ts';
import type { ModelDirectory, ModelSource } from '../sources/types.ts';
import { conversionParts, runConversion } from './convert.ts';
import { type OpenToCompare, outputAgreement } from './output-agreement.ts';
import type { Quantized, QuantizeOptions, QuantizeSettings } from './quantize-types.ts';

export async function quantize(
  platform: Platform,
  open: OpenToCompare,
  source: ModelSource | ModelDirectory,
  options: QuantizeOptions & { readonly output?: string },
): Promise<Quantized> {
  const parts = await conversionParts(platform, source, options);
  const { output, ...job } = options;
  const { to = '', from, arch, lossy, metadata } = options;
  const { images, ...own } = settingsOf(job);
  const decoded = images && (await Promise.all(images.map((image) => wireInput(platform, image))));
  const quantization = { ...own, ...(decoded && { images: decoded }) };
  const settings = { to, from, arch, lossy, metadata, quantize: quantization };
  const { blob, report } = await runConversion(platform, parts, settings, output, job);
  const target = blob ?? (output === undefined ? undefined : { path: output });
  const bytes = report?.bytesBefore ?? 0;
  const agreement = target
    ? await outputAgreement(platform, open, source, target, job, bytes)
    : null;
  return { blob, report, agreement };
}

/** What is left of the options without those of every job. The core refuses names that it does not know. */
function settingsOf(options: QuantizeOptions): QuantizeSettings {
  const { to: _to, from: _from, arch: _arch, lossy: _lossy, metadata: _metadata, ...own } = options;
  const { signal: _signal, onProgress: _progress, onWarning: _warning, ...less } = own;
  const { cache: _cache, sha256: _hash, createWorker: _worker, ...least } = less;
  const { wasmUrl: _url, wasmBinary: _binary, wasmModule: _module, ...rest } = least;
  const { deterministic: _same, texts: _texts, ...settings } = rest;
  return settings;
}
