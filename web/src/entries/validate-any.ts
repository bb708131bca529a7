// `validate` for a file or a directory.
import { refuseUnknown } from '../base/options.ts';
import { validate, validateOptionNames } from '../inspect/client.ts';
import type { ValidateOptions, ValidationReport } from '../inspect/validate-types.ts';
import type { Platform } from '../platform/platform.ts';
import type { ModelParts, ModelSource } from '../sources/base/types.ts';
import { fromHub, isDirectory, isSplit } from '../sources/wire-source.ts';

export async function validateAny(
  platform: Platform,
  source: ModelSource | ModelParts,
  options: ValidateOptions,
): Promise<ValidationReport> {
  await refuseUnknown(options, validateOptionNames);
  const given = await fromHub(source, options, 'model');
  const directory = directoryOf(platform, given);
  if (directory === undefined) {
    return validate(platform, given, options);
  }
  const { validateDirectory } = await import('../convert/validate-directory.ts');
  return validateDirectory(platform, directory, options);
}

type Directory = Parameters<typeof import('../convert/validate-directory.ts').validateDirectory>[1];

/** Undefined for a file. */
function directoryOf(platform: Platform, given: ModelSource | ModelParts): Directory | undefined {
  if (Array.isArray(given)) {
    return undefined;
  }
  if (isDirectory(given as ModelSource)) {
    return isSplit(given as never) ? undefined : (given as never);
  }
  if (typeof given === 'string' || given instanceof URL) {
    const wire = platform.locate(given);
    return platform.isDirectory(wire) ? wire : undefined;
  }
  const { path } = given as { readonly path?: unknown };
  const wire = typeof path === 'string' ? ({ kind: 'path', path } as const) : undefined;
  return wire && platform.isDirectory(wire) ? wire : undefined;
}
