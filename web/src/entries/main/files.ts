// What is asked of files in a browser, and their conversion. A part of index.ts.

import { called } from '../../base/call.ts';
import type {
  ConversionTargets,
  ConvertOptions,
  ConvertToFileOptions,
} from '../../convert/convert-types.ts';
import * as files from '../../inspect/client.ts';
import type { Inspection, InspectOptions } from '../../inspect/inspect-types.ts';
import type { RunReport } from '../../inspect/run-types.ts';
import type { ValidateOptions, ValidationReport } from '../../inspect/validate-types.ts';
import type { RuntimeOptions } from '../../platform/types.ts';
import type { JobOptions } from '../../rpc/types.ts';
import type {
  FetchOptions,
  ModelDirectory,
  ModelParts,
  ModelSource,
} from '../../sources/base/types.ts';
import { browser } from '../browser.ts';

/**
 * What a file says of itself: format, metadata, config, tokenizer, the table of tensors and the map of
 * the file (offsets and sizes in bytes), and what it runs as: in how much memory, or what stands in the way. Reads
 * headers only; over HTTP with ranges it fetches no more than those.
 */
export function inspect(
  source: ModelSource | ModelParts,
  options: InspectOptions = {},
): Promise<Inspection> {
  return called(inspect, () => files.inspect(browser, source, options));
}

/**
 * What `open` would make of a source, which is anything that `open` takes: the kind of model, the memory that it takes,
 * whether it is converted first, and the error with which it would fail. No weights are read.
 *
 * @example
 * const { kind, memory, obstacle } = await runReport('hf:owner/name');
 * if (obstacle) console.log(obstacle.message);
 * else console.log(kind, memory?.asStored);
 */
export function runReport(
  source: ModelSource | ModelParts,
  options: JobOptions & RuntimeOptions & FetchOptions = {},
): Promise<RunReport> {
  return called(runReport, async () => {
    const report = await import('../../convert/run-report.ts');
    return report.runReport(browser, source, options);
  });
}

/**
 * Checks a whole file and lists every problem with its byte and field. A bad file is a report with
 * `valid: false`; only a file that cannot be read rejects. Of a directory each weight file is checked, and whether all its
 * files agree; paths begin with the file's name then.
 *
 * @example
 * const { valid, rewritable, format } = await validate(file, { values: true });
 * if (!valid && rewritable && format !== null) await convert(file, { to: format });
 */
export function validate(
  source: ModelSource | ModelParts,
  options: ValidateOptions = {},
): Promise<ValidationReport> {
  return called(validate, async () => {
    const { validateAny } = await import('../validate-any.ts');
    return validateAny(browser, source, options);
  });
}

/**
 * Converts a model file, or the files of a Hugging Face directory, to another format or storage type.
 *
 * @example
 * const blob = await convert({ 'config.json': a, 'model.safetensors': b, 'vocab.txt': c });
 * const smaller = await convert(blob, { dtype: 'int8' });
 */
export function convert(
  source: ModelSource | ModelDirectory,
  options: ConvertToFileOptions,
): Promise<null>;
export function convert(
  source: ModelSource | ModelDirectory,
  options?: ConvertOptions,
): Promise<Blob>;
export function convert(
  source: ModelSource | ModelDirectory,
  options: ConvertOptions | ConvertToFileOptions = {},
): Promise<Blob | null> {
  return called(convert, async () => {
    const conversion = await import('../../convert/convert.ts');
    return conversion.convert(browser, source, options);
  });
}

/**
 * What a file, or the files of a Hugging Face directory, can be converted to. Reads headers only.
 *
 * @example
 * const { targets } = await conversionTargets(file);
 * const possible = targets.filter(({ problem }) => problem === null).map(({ to }) => to);
 */
export function conversionTargets(
  source: ModelSource | ModelDirectory,
  options: Omit<ConvertOptions, 'to'> = {},
): Promise<ConversionTargets> {
  return called(conversionTargets, async () => {
    const conversion = await import('../../convert/convert.ts');
    return conversion.conversionTargets(browser, source, options);
  });
}
