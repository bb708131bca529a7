// The buttons on a map.

import { button } from '../dom.ts';

/** `text` is a sign, and `label` says what it stands for. */
export function toolButton(text: string, label: string, act: () => void): HTMLButtonElement {
  const made = button(text, 'quiet', act);
  made.setAttribute('aria-label', label);
  return made;
}
