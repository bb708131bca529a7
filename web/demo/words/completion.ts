// What somebody may be about to type, from the words of the file.

import { element } from '../shared/dom.ts';
import type { Store } from '../shared/store.ts';
import type { WordsState } from './state.ts';

const kMostOffered = 12;

/** The first words that begin so, in the order of the file: the most frequent ones, as files are written. */
export function completionsOf(begun: string, vocabulary: readonly string[]): string[] {
  const found: string[] = [];
  if (begun === '') {
    return found;
  }
  for (const word of vocabulary) {
    if (word.startsWith(begun)) {
      found.push(word);
      if (found.length === kMostOffered) {
        break;
      }
    }
  }
  return found;
}

/** Offers words below the field while it is typed to; `chosen` is told when one of them is taken. */
export function mountCompletion(
  field: HTMLInputElement,
  store: Store<WordsState>,
  chosen: (word: string) => void = () => undefined,
): void {
  const offers = element('datalist');
  offers.id = `${field.id}-offers`;
  field.after(offers);
  field.setAttribute('list', offers.id);
  field.addEventListener('input', (event) => {
    const typed = event instanceof InputEvent && event.inputType !== 'insertReplacementText';
    if (!typed) {
      chosen(field.value);
    }
    const vocabulary = store.state.loaded?.vocabulary ?? [];
    const words = completionsOf(field.value.trim(), vocabulary);
    offers.replaceChildren(
      ...words.map((word) => {
        const option = element('option');
        option.value = word;
        return option;
      }),
    );
  });
}
