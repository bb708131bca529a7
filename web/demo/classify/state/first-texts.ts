// The texts that the page shows at first, and how long a text in a link may be. Works without a page.

import type { TextTask } from './task.ts';

/** Longer texts are left out of links. */
export const longestLinkText = 1000;

export const firstTexts: Readonly<Record<TextTask, string>> = {
  text: 'Guten Morgen! Wo ist der Bahnhof?',
  names:
    'Ada Lovelace moved from London to Turin on 3 May 2021. Write to Marta Rossi at Bellweather Ltd, or call +44 20 7946 0958.',
};

/** For models that are not built in. */
export const otherFirstTexts: Readonly<Record<TextTask, string>> = {
  text: 'The room was clean and quiet, but breakfast came an hour late.',
  names: firstTexts.names,
};
