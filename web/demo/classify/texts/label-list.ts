// Labels as bars with their probabilities.

import type { LabelScore } from 'ambry';
import { formatPercent } from '../../shared/base/format.ts';
import { element } from '../../shared/dom/dom.ts';
import { scoreBar } from '../../shared/dom/score-bar.ts';

export function labelRow(
  { label, score }: LabelScore,
  nameOf: (label: string) => string = (name) => name,
): HTMLLIElement {
  return element(
    'li',
    '',
    element('span', 'class-name', nameOf(label)),
    scoreBar(score),
    element('span', 'score', formatPercent(Math.min(1, score))),
  );
}
