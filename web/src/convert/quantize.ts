// Quantization on the caller's side, and the comparison of outputs before and after it.

import { refuseWrong } from '../base/call.ts';
import { callback, list, texts as listOfTexts, object } from '../base/kinds.ts';
import { refuseUnknown } from '../base/options.ts';
import { wireInput } from '../image-classifier/input.ts';
import type { Platform } from '../platform/platform.ts';
import { fetchOptionNames, jobOptionNames } from '../runtime/option-names.ts';
import type { ModelDirectory, ModelSource } from '../sources/base/types.ts';
import { fromHub } from '../sources/wire-source.ts';
import { conversionParts, runConversion, withOutput } from './convert.ts';
import { type OpenToCompare, outputAgreement } from './output-agreement.ts';
import type { Quantized, QuantizeOptions, QuantizeSettings } from './quantize-types.ts';

/** The options that the core does not get. */
const quantizeOptions = {
  ...fetchOptionNames,
  ...jobOptionNames,
  onWarning: callback,
  images: list,
  texts: listOfTexts,
};

export async function quantize(
  platform: Platform,
  open: OpenToCompare,
  given: ModelSource | ModelDirectory,
  options: QuantizeOptions & { readonly output?: string },
): Promise<Quantized> {
  await refuseWrong([options], { options: object });
  // The core refuses other names (`settingsOf`).
  const { cache, hub, followBase, stallTimeout, images, texts } = options;
  const { signal, onProgress, onWarning } = options;
  const checkedHere = {
    ...{ cache, hub, followBase, stallTimeout, images, texts },
    ...{ signal, onProgress, onWarning },
  };
  await refuseUnknown(checkedHere, quantizeOptions);
  // The source is read several times, and must be the same each time.
  const source = await fromHub(given, options, 'model');
  const parts = await conversionParts(platform, source, options);
  const { output, ...job } = options;
  const { to = '', from, arch, lowercase, lossy, metadata } = options;
  const { images: _images, ...own } = settingsOf(job);
  const decoded = images && (await Promise.all(images.map((image) => wireInput(platform, image))));
  const quantization = { ...own, ...(decoded && { images: decoded }) };
  const settings = { to, from, arch, lowercase, lossy, metadata, quantize: quantization };
  // The target may be the source, so the two are compared before one replaces the other.
  return withOutput(platform, output, async (file) => {
    const { blob, report } = await runConversion(platform, parts, settings, file, job);
    const target = blob ?? (file && { path: file.path });
    const bytes = report?.bytesBefore ?? 0;
    const plan = job.plan ?? report?.plan;
    const compared = { ...job, ...(plan && { plan }) };
    const agreement = target
      ? await outputAgreement(platform, open, source, target, compared, bytes)
      : null;
    return { blob, report, agreement };
  });
}

/** The options of the quantization alone. The core rejects names that it does not know. */
function settingsOf(options: QuantizeOptions): QuantizeSettings {
  const { to: _to, from: _from, arch: _arch, lossy: _lossy, metadata: _metadata, ...own } = options;
  const {
    lowercase: _case,
    signal: _signal,
    onProgress: _progress,
    onWarning: _warning,
    ...less
  } = own;
  const { cache: _cache, sha256: _hash, stallTimeout: _stall, ...without } = less;
  const { hub: _hub, followBase: _base, ...fewer } = without;
  const { createWorker: _worker, ...least } = fewer;
  const { wasmUrl: _url, wasmBinary: _binary, wasmModule: _module, ...rest } = least;
  const { deterministic: _same, texts: _texts, ...settings } = rest;
  return settings;
}
