// The buttons on a map.

import { button } from '../dom/dom.ts';

/** `text` is a sign or a word, and `label` says what it stands for. A word is part of its label: who speaks to the page says what is
 *  seen. */
export function toolButton(text: string, label: string, act: () => void): HTMLButtonElement {
  const made = button(text, 'quiet', act);
  made.setAttribute('aria-label', label);
  return made;
}
