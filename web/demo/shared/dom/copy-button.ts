// A button that copies a text.

import { button } from './dom.ts';

const shownMs = 2000;

/** The button says for a moment whether the text was copied. */
export function copyButton(label: string, textOf: () => string): HTMLButtonElement {
  const made = button(label, 'quiet', () => void copy());
  const show = (text: string): void => {
    made.textContent = text;
    setTimeout(() => {
      made.textContent = label;
    }, shownMs);
  };
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(textOf());
      show('Copied');
    } catch {
      show('The browser refused to copy');
    }
  };
  // Screen readers say what the button says now.
  made.setAttribute('aria-live', 'polite');
  return made;
}
