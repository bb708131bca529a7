// What the address of the classify page holds: the drawing and the network. Pictures from files and from the camera are never in
// it.

import { modelUrl } from '../shared/page-address/linked-model.ts';
import { urlInLink } from '../shared/page-address/open-linked.ts';
import { type Parameters, text } from '../shared/page-address/parameters.ts';
import { firstDigit } from './built-in.ts';
import { codeOf, greysIn, maxCodeLength } from './drawing-code.ts';
import { exampleOf } from './names.ts';
import type { ClassifyState } from './state.ts';

export interface ClassifyLink {
  /** The code of the drawing. Empty for the page's first digit. */
  readonly drawing: string;
  readonly url: string;
}

export const classifyParameters: Parameters<ClassifyLink> = {
  drawing: text('drawing', maxCodeLength + 1),
  url: modelUrl,
};

export function linkOf({ picture, network }: ClassifyState, linkedUrl: string): ClassifyLink {
  return {
    drawing:
      picture?.from === 'drawing' && picture.name !== exampleOf(firstDigit)
        ? codeOf(greysIn(picture.pixels))
        : '',
    url: network === null ? linkedUrl : urlInLink(network.files.weights[0]?.source),
  };
}
