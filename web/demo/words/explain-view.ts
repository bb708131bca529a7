// Explains where the vector of a word comes from: its own row, or the sum of its n-grams.

import type { WordExplanation } from 'ambry';
import { formatAmount, formatCount } from '../shared/base/format.ts';
import { byId, element } from '../shared/dom/dom.ts';
import { messageOf } from '../shared/failures/message.ts';

/** A short text about the word. `typed` is how it was asked for. */
export function explanationOf(
  { word, found, row, norm, ngrams, reason }: WordExplanation,
  typed: string = word,
): string {
  if (found === 'known' && typed !== word) {
    return `“${typed}” is written “${word}” in the list of words.`;
  }
  if (found === 'known') {
    const length = norm === null || norm === 1 ? '' : `. Its norm is ${norm.toPrecision(4)}`;
    const place = row === null ? '' : `, in row ${formatCount(row)} of the file${length}`;
    return `“${word}” is in the list of words${place}.`;
  }
  if (found === 'subwords') {
    const known = ngrams.filter((ngram) => ngram.known).length;
    const parts = formatAmount(ngrams.length, 'n-gram');
    return known === ngrams.length
      ? `“${word}” is not in the list of words. Its vector is the sum of its ${parts}.`
      : `“${word}” is not in the list of words. Its vector is the sum of ${formatCount(known)} of its ${parts}. The others are unknown.`;
  }
  return `“${word}” has no vector. ${reason === null ? '' : messageOf(reason)}`;
}

function chipOf({ text, rows, known }: WordExplanation['ngrams'][number]): HTMLElement {
  const chip = element('li', known ? 'ngram' : 'ngram unknown', text);
  if (known) {
    chip.append(element('small', '', rows.map(formatCount).join(', ')));
  } else {
    chip.append(element('small', '', 'unknown'));
  }
  return chip;
}

export function showExplanation(explanation: WordExplanation | null): void {
  const section = byId('explanation', HTMLElement);
  const list = byId('ngrams', HTMLUListElement);
  const ngrams = explanation === null || explanation.found === 'known' ? [] : explanation.ngrams;
  section.hidden = ngrams.length === 0;
  list.replaceChildren(...ngrams.map(chipOf));
}
