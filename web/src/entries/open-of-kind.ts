// What the entries for one kind of models have in common (`ambry/encoder`, …). A page that imports such an entry is built with the
// WebAssembly for these models alone.
import { called } from '../base/call.ts';
import { AmbryError } from '../base/errors.ts';
import { isObject } from '../base/kinds.ts';
import type { ModelKind } from '../model/kind.ts';
import { openModel } from '../model/open.ts';
import type { OpenOptions } from '../model/types.ts';
import type { Platform } from '../platform/platform.ts';
import type { ModelParts, ModelSource } from '../sources/base/types.ts';
import type { ModelOfKind } from './built/kinds/models.ts';
import { openers } from './built/kinds/openers.ts';

/**
 * Opens a model of one kind, as `open` of `ambry` does with the option `kind`. Sources that would have to be converted are
 * refused with `Unsupported` in a page, because a page that imports this entry alone has no code for conversions.
 */
export type OpenOfKind<K extends ModelKind> = (
  source: ModelSource | ModelParts,
  options?: Omit<OpenOptions, 'kind' | 'quantize'>,
) => Promise<ModelOfKind[K]>;

export function openOfKind<K extends ModelKind>(platform: Platform, kind: K): OpenOfKind<K> {
  const own = platform.oneWorker ? openers : { ...openers, conversion };
  const open: OpenOfKind<K> = (source, options = {}) =>
    called(open, () => openModel(own, platform, source, optionsWith(options, { kind }))) as Promise<
      ModelOfKind[K]
    >;
  return open;
}

export function conversion(): Promise<never> {
  const message =
    "The source has to be converted before it opens. Import from 'ambry', which converts it, or convert it before.";
  return Promise.reject(new AmbryError('Unsupported', message, { path: 'source' }));
}

/** The caller's options with those of the entry. What is no object stays as it is, so that the call refuses it. */
export function optionsWith(given: OpenOptions, own: OpenOptions): OpenOptions {
  return isObject(given) ? { ...given, ...own } : given;
}
