// Checks the directory of a model: each of its weight files, and that all files agree, as the beginning of the conversion
// finds. Pages fetch this file with the first directory.
import { isOfFile } from '../base/errors.ts';
import type { Problem } from '../base/problem.ts';
import { validateWire } from '../inspect/client.ts';
import type { CheckDepth, ValidateOptions, ValidationReport } from '../inspect/validate-types.ts';
import type { Platform } from '../platform/platform.ts';
import { isOnnx } from '../sources/base/onnx-name.ts';
import type { ModelDirectory } from '../sources/base/types.ts';
import type { NamedSource, WireSource } from '../sources/base/wire.ts';
import { reportWithParts } from './run-report.ts';

const depths: readonly CheckDepth[] = ['headers', 'structure', 'checksums', 'values'];

/** Only errors that are about no file, such as those of the network, are thrown. */
export async function validateDirectory(
  platform: Platform,
  source: WireSource | ModelDirectory,
  options: ValidateOptions,
): Promise<ValidationReport> {
  const { strict: _strict, values: _values, checksums: _checksums, context: _, ...job } = options;
  try {
    const { parts, report } = await reportWithParts(platform, source, undefined, job);
    const used = report.files?.map(({ name }) => name);
    const weights = parts.weights.filter(({ name }) => used?.includes(name) ?? true);
    const bytes = weights.map(
      ({ name }) => report.files?.find((file) => file.name === name)?.bytes ?? 0,
    );
    const reports: ValidationReport[] = [];
    const beside = weights.map(({ name }, index) => [name, bytes[index] ?? 0] as const);
    for (const [index, file] of weights.entries()) {
      if (!isData(file.name, weights)) {
        reports.push(await checkFile(platform, file, withSum(options, bytes, index), beside));
      }
    }
    const errors = report.obstacle ? [report.obstacle] : [];
    return merged(errors, report.warnings, reports);
  } catch (error) {
    if (isOfFile(error)) {
      return merged([error.toJSON()], [], []);
    }
    throw error;
  }
}

/** The options with which the progress of one file is that of all. */
function withSum(
  options: ValidateOptions,
  bytes: readonly number[],
  index: number,
): ValidateOptions {
  const { onProgress } = options;
  if (!onProgress) {
    return options;
  }
  const sum = (some: readonly number[]) => some.reduce((before, each) => before + each, 0);
  const [before, total] = [sum(bytes.slice(0, index)), sum(bytes)];
  return {
    ...options,
    onProgress: (progress) => onProgress({ ...progress, loaded: before + progress.loaded, total }),
  };
}

/** Whether the file has tensors of an ONNX file beside it, and no form of its own. */
function isData(name: string, weights: readonly NamedSource[]): boolean {
  return !isOnnx(name) && !name.includes('/') && weights.some((file) => isOnnx(file.name));
}

async function checkFile(
  platform: Platform,
  { name, source }: NamedSource,
  options: ValidateOptions,
  beside: readonly (readonly [name: string, bytes: number])[],
): Promise<ValidationReport> {
  const report = await validateWire(platform, source, options, beside);
  const inFile = (problem: Problem): Problem => ({
    ...problem,
    path: problem.path === undefined ? name : `${name}: ${problem.path}`,
  });
  return { ...report, errors: report.errors.map(inFile), warnings: report.warnings.map(inFile) };
}

/** One report of the directory. */
function merged(
  errors: readonly Problem[],
  warnings: readonly Problem[],
  reports: readonly ValidationReport[],
): ValidationReport {
  const [first] = reports;
  const all = together(
    reports.flatMap((report) => report.errors),
    errors,
  );
  const statistics = reports.flatMap((report) => report.statistics ?? []);
  const depth = Math.min(...reports.map((report) => depths.indexOf(report.depth)));
  return {
    format: first?.format ?? null,
    version: first?.version ?? null,
    valid: all.length === 0,
    depth: depths[depth] ?? 'headers',
    errors: all,
    warnings: together(
      reports.flatMap((report) => report.warnings),
      warnings,
    ),
    rewritable: false,
    ...(reports.some((report) => report.statistics) && { statistics }),
  };
}

/** The problems of the files, and those that only the conversion finds. It does not name the file where there is one. */
function together(ofFiles: readonly Problem[], ofConversion: readonly Problem[]): Problem[] {
  const isSame = (one: Problem, other: Problem) =>
    one.message === other.message &&
    (one.path === other.path || one.path?.endsWith(`: ${other.path}`) === true);
  const others = ofConversion.filter((other) => !ofFiles.some((one) => isSame(one, other)));
  return [...ofFiles, ...others];
}
