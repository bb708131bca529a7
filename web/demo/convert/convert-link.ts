// What the address of the convert page holds: the address of the model and the target.

import { targetExtensions } from 'ambry/tables';
import { modelUrl } from '../shared/page-address/linked-model.ts';
import { urlInLink } from '../shared/page-address/open-linked.ts';
import { choice, type Parameters } from '../shared/page-address/parameters.ts';
import type { ConvertState } from './state.ts';

export interface ConvertLink {
  readonly url: string;
  /** Empty: the page chooses. */
  readonly to: string;
}

export const convertParameters: Parameters<ConvertLink> = {
  url: modelUrl,
  to: choice<string>('to', Object.keys(targetExtensions), ''),
};

/** Without an address, the target says nothing. */
export function linkOf({ source, settings }: ConvertState): ConvertLink {
  const url = urlInLink(source?.files);
  return { url, to: url === '' ? '' : settings.to };
}
