import { checked } from '../base/call.ts';
import type {
  ConversionTargets,
  ConvertOptions,
  ConvertToFileOptions,
} from '../convert/convert-types.ts';
import * as files from '../inspect/client.ts';
import type { Inspection, InspectOptions } from '../inspect/inspect-types.ts';
import type { ValidateOptions, ValidationReport } from '../inspect/validate-types.ts';
import type { Platform } from '../platform/platform.ts';
import type { RuntimeOptions } from '../platform/types.ts';
import type { JobOptions } from '../rpc/types.ts';
import type {
  FetchOptions,
  ModelDirectory,
  ModelParts,
  ModelSource,
} from '../sources/base/types.ts';
import { type OpenTokenizer, tokenizerEntry } from './tokenizer-entry.ts';

export type SourceOptions = JobOptions & RuntimeOptions & FetchOptions;

/** `convert` of `ambry`. */
export interface Convert {
  (source: ModelSource | ModelDirectory, options: ConvertToFileOptions): Promise<null>;
  (source: ModelSource | ModelDirectory, options?: ConvertOptions): Promise<Blob>;
}

export interface FilesEntry {
  readonly inspect: (
    source: ModelSource | ModelParts,
    options?: InspectOptions,
  ) => Promise<Inspection>;
  readonly validate: (
    source: ModelSource | ModelParts,
    options?: ValidateOptions,
  ) => Promise<ValidationReport>;
  readonly convert: Convert;
  readonly conversionTargets: (
    source: ModelSource | ModelDirectory,
    options?: Omit<ConvertOptions, 'to'>,
  ) => Promise<ConversionTargets>;
  readonly openTokenizer: OpenTokenizer;
}

export function filesEntry(platform: Platform): FilesEntry {
  const conversion = () => import('../convert/convert.ts');
  return {
    inspect: checked((source, options = {}) => files.inspect(platform, source, options)),
    validate: checked(async (source, options = {}) =>
      (await import('./validate-any.ts')).validateAny(platform, source, options),
    ),
    convert: checked(async (source: ModelSource | ModelDirectory, options: ConvertOptions = {}) =>
      (await conversion()).convert(platform, source, options),
    ) as Convert,
    conversionTargets: checked(async (source, options = {}) =>
      (await conversion()).conversionTargets(platform, source, options),
    ),
    ...tokenizerEntry(platform),
  };
}
