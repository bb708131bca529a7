// Keeps the field above the keyboard of a phone. The keyboard covers the lower part of the window, and the page is not told of it but by
// the visual viewport.

import { byId } from '../../shared/dom/dom.ts';

/** A page that two fingers have enlarged is larger than what is seen of it, without a keyboard. */
const isEnlarged = ({ scale }: VisualViewport): boolean => Math.abs(scale - 1) > 0.01;

export function mountKeyboardRoom(): void {
  const view = window.visualViewport;
  const dock = byId('dock', HTMLElement);
  const follow = (): void => {
    const covered =
      view === null || isEnlarged(view) ? 0 : innerHeight - view.height - view.offsetTop;
    dock.style.setProperty('--keyboard', `${Math.max(0, Math.round(covered))}px`);
  };
  view?.addEventListener('resize', follow);
  view?.addEventListener('scroll', follow);
}
