// A size as a bar beside others of its kind.

import { element } from './dom.ts';
import { formatBytes } from './format.ts';

/** `most` is the largest of those shown together. */
export function sizeBar(label: string, bytes: number, most: number): HTMLElement {
  const bar = element('meter');
  bar.max = most;
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
