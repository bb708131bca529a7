// Suggests words of the file while the user types.

import type { Store } from '../shared/base/store.ts';
import { element } from '../shared/dom/dom.ts';
import type { WordsState } from './session/state.ts';

const maxSuggestions = 12;

/** The first words with this prefix. Most files start with the most frequent words. */
export function completionsOf(prefix: string, vocabulary: readonly string[]): string[] {
  const found: string[] = [];
  if (prefix === '') {
    return found;
  }
  for (const word of vocabulary) {
    if (word.startsWith(prefix)) {
      found.push(word);
      if (found.length === maxSuggestions) {
        break;
      }
    }
  }
  return found;
}

/** Suggests words below the field. Calls `onChosen` when the user picks one. */
export function mountCompletion(
  field: HTMLInputElement,
  store: Store<WordsState>,
  onChosen: (word: string) => void = () => undefined,
): void {
  const suggestions = element('datalist');
  suggestions.id = `${field.id}-suggestions`;
  field.after(suggestions);
  field.setAttribute('list', suggestions.id);
  field.addEventListener('input', (event) => {
    const typed = event instanceof InputEvent && event.inputType !== 'insertReplacementText';
    if (!typed) {
      onChosen(field.value);
    }
    const vocabulary = store.state.loaded?.vocabulary ?? [];
    const words = completionsOf(field.value.trim(), vocabulary);
    suggestions.replaceChildren(
      ...words.map((word) => {
        const option = element('option');
        option.value = word;
        return option;
      }),
    );
  });
}
