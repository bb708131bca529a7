// `validate` for a file or a directory.
import { refuseUnknown } from '../base/options.ts';
import { validateOptionNames, validateWire } from '../inspect/client.ts';
import type { ValidateOptions, ValidationReport } from '../inspect/validate-types.ts';
import type { Platform } from '../platform/platform.ts';
import type { ModelDirectory, ModelParts, ModelSource } from '../sources/base/types.ts';
import type { WireSource } from '../sources/base/wire.ts';
import { fromHub, isDirectory, isSplit, wireSource } from '../sources/wire-source.ts';

export async function validateAny(
  platform: Platform,
  source: ModelSource | ModelParts,
  options: ValidateOptions,
): Promise<ValidationReport> {
  await refuseUnknown(options, validateOptionNames);
  const directory = async (found: WireSource | ModelDirectory) =>
    (await import('../convert/validate-directory.ts')).validateDirectory(platform, found, options);
  const given = await fromHub(source, options, 'model');
  if (isDirectory(given) && !isSplit(given)) {
    return directory(given);
  }
  const wire = await wireSource(platform.locate, given, options);
  if (platform.isDirectory(wire)) {
    return directory(wire);
  }
  const report = await validateWire(platform, wire, options);
  // A stream is read once.
  const isUnknown =
    report.format === null && report.errors.every(({ code }) => code === 'BadMagic');
  if (!isUnknown || wire.kind === 'stream') {
    return report;
  }
  const { validateVectors } = await import('../convert/validate-vectors.ts');
  return validateVectors(platform, wire, options, report);
}
