// A size as a bar, to compare it with others.

import { formatBytes } from '../base/format.ts';
import { element } from './dom.ts';

/** `max` is the largest size shown together with this one. */
export function sizeBar(label: string, bytes: number, max: number): HTMLElement {
  const bar = element('meter');
  bar.max = max;
  bar.value = bytes;
  bar.setAttribute('aria-label', label);
  return element(
    'p',
    'size-line',
    element('span', '', label),
    bar,
    element('span', 'amount', formatBytes(bytes)),
  );
}
