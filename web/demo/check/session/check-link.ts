// What the address of the check page holds: the address of the checked file.

import { modelUrl } from '../../shared/page-address/linked-model.ts';
import { urlInLink } from '../../shared/page-address/open-linked.ts';
import type { Parameters } from '../../shared/page-address/parameters.ts';
import { type CheckState, selectedFile } from './state.ts';

export interface CheckLink {
  readonly url: string;
}

export const checkParameters: Parameters<CheckLink> = { url: modelUrl };

export const linkOf = (state: CheckState): CheckLink => ({
  url: urlInLink(selectedFile(state)?.source),
});
