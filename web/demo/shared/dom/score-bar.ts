import { element } from './dom.ts';

/** A bar that is as long as a score: 0 is empty, and 1 is full. The score is also near it as text. */
export function scoreBar(score: number): HTMLSpanElement {
  const bar = element('span', 'bar');
  bar.style.setProperty('--score', String(Math.min(1, Math.max(0, score))));
  bar.setAttribute('aria-hidden', 'true');
  return bar;
}
