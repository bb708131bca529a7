// What the entries for one kind of models have in common (`ambry/encoder`, …). A page that imports such an entry is built with the
// WebAssembly for these models alone.
import { called } from '../base/call.ts';
import { AmbryError } from '../base/errors.ts';
import { isObject } from '../base/kinds.ts';
import type { ModelKind } from '../model/kind.ts';
import { type Load, type Openers, openModel } from '../model/open.ts';
import type { OpenOptions } from '../model/types.ts';
import type { Platform } from '../platform/platform.ts';
import type { ModelParts, ModelSource } from '../sources/base/types.ts';
import type { Model, ModelOfKind } from './built/kinds/models.ts';
import { kindNames } from './built/kinds/names.ts';
import { openersWith } from './built/kinds/openers-with.ts';

/**
 * Opens a model of one kind, as `open` of `ambry` does with the option `kind`. Sources that would have to be converted are
 * refused with `Unsupported` in a page, because a page that imports this entry alone has no code for conversions.
 */
export type OpenOfKind<K extends ModelKind> = (
  source: ModelSource | ModelParts,
  options?: Omit<OpenOptions, 'kind' | 'quantize' | 'adapter'>,
) => Promise<ModelOfKind[K]>;

/** Loads the code of the kinds that an entry opens. */
type Loads = { readonly [K in ModelKind]?: Load<ModelOfKind[K]> };

/** How a page opens the kinds of an entry. It has no code for others, and bundlers take none along. `trained` loads the code for
 *  classifiers that were trained on examples. */
export function openersOf(
  loads: Loads,
  trained: Openers<Model>['trained'] = () =>
    refuse('a text classifier that was trained on examples'),
): Openers<Model> {
  const kindsOf = (kind: ModelKind): Load<Model> => loads[kind] ?? (() => refuse(kindNames[kind]));
  const kinds = Object.keys(kindNames) as ModelKind[];
  const all = Object.fromEntries(kinds.map((kind) => [kind, kindsOf(kind)]));
  return { kinds: openersWith(all as Record<ModelKind, Load<Model>>), conversion, trained };
}

function refuse(content: string): Promise<never> {
  const message = `The file holds ${content}, which this entry of the package does not open. Import from 'ambry'.`;
  return Promise.reject(new AmbryError('Unsupported', message));
}

export function openOfKind<K extends ModelKind>(
  platform: Platform,
  kind: K,
  openers: Openers<Model>,
): OpenOfKind<K> {
  const open: OpenOfKind<K> = (source, options = {}) =>
    called(open, () =>
      openModel(openers, platform, source, optionsWith(options, { kind })),
    ) as Promise<ModelOfKind[K]>;
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
