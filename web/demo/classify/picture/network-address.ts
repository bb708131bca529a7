// The addresses of a network and its plan, as links have them.

import { urlInLink } from '../../shared/page-address/open-linked.ts';
import type { NetworkFiles } from '../state/state.ts';

/** Empty for local files, and for those of the built-in network. */
export const addressesOf = ({ weights, planSource }: NetworkFiles) => ({
  url: urlInLink(weights[0]?.source),
  plan: urlInLink(planSource),
});
