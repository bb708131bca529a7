// What the address of the classify page holds: the drawing and the network. Pictures from files and from the camera are never in
// it.

import { besideUrl, modelUrl } from '../shared/page-address/linked-model.ts';
import { urlInLink } from '../shared/page-address/open-linked.ts';
import { type Parameters, text } from '../shared/page-address/parameters.ts';
import { firstDigit } from './picture/built-in.ts';
import { codeOf, greysIn, maxCodeLength } from './picture/drawing-code.ts';
import { exampleOf } from './picture/names.ts';
import type { ClassifyState, NetworkFiles } from './state/state.ts';

export interface ClassifyLink {
  /** The code of the drawing. Empty for the page's first digit. */
  readonly drawing: string;
  readonly url: string;
  /** The plan of a network that does not say how its layers follow one another. */
  readonly plan: string;
}

export const classifyParameters: Parameters<ClassifyLink> = {
  drawing: text('drawing', maxCodeLength + 1),
  url: modelUrl,
  plan: besideUrl('plan'),
};

/** Empty for local files, and for those of the built-in network. */
export const addressesOf = ({ weights, planSource }: NetworkFiles) => ({
  url: urlInLink(weights[0]?.source),
  plan: urlInLink(planSource),
});

export function linkOf(
  { picture, network }: ClassifyState,
  linked: Pick<ClassifyLink, 'url' | 'plan'>,
): ClassifyLink {
  return {
    drawing:
      picture?.from === 'drawing' && picture.name !== exampleOf(firstDigit)
        ? codeOf(greysIn(picture.pixels))
        : '',
    ...(network === null ? { url: linked.url, plan: linked.plan } : addressesOf(network.files)),
  };
}
