import type * as api from '../index.ts';
import * as files from '../inspect/client.ts';
import type { Platform } from '../runtime/platform.ts';
import { openTokenizer } from '../tokenizer/client.ts';

export interface FilesEntry {
  readonly inspect: typeof api.inspect;
  readonly validate: typeof api.validate;
  readonly convert: typeof api.convert;
  readonly conversionTargets: typeof api.conversionTargets;
  readonly openTokenizer: typeof api.openTokenizer;
}

export function filesEntry(platform: Platform): FilesEntry {
  const conversion = () => import('../convert/convert.ts');
  return {
    inspect: (source, options = {}) => files.inspect(platform, source, options),
    validate: (source, options = {}) => files.validate(platform, source, options),
    convert: (async (source, options = {}) =>
      (await conversion()).convert(platform, source, options)) as typeof api.convert,
    conversionTargets: async (source, options = {}) =>
      (await conversion()).conversionTargets(platform, source, options),
    openTokenizer: (source, options = {}) => openTokenizer(platform, source, options),
  };
}
