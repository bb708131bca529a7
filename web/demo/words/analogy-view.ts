// Solves “a is to b as c is to …”: three fields, a map of the vectors, and the words nearest to the sum.

import type { Store } from '../shared/base/store.ts';
import { button, byId } from '../shared/dom/dom.ts';
import { mountCompletion } from './completion.ts';
import { WordMap } from './map/word-map.ts';
import { mountRanked } from './ranked-list.ts';
import { exampleQuestions } from './session/built-in.ts';
import { type Question, questionWords } from './session/question.ts';
import type { WordsSession } from './session/session.ts';
import type { Analogy, WordsState } from './session/state.ts';

function lineOf({ question: { a, b, c }, missing, hits }: Analogy): string {
  if (missing.length > 0) {
    return `There is no vector for ${missing.map((word) => `“${word}”`).join(' and ')}.`;
  }
  const best = hits[0]?.word ?? '…';
  return `${a} is to ${b} as ${c} is to ${best}. This is the nearest word to ${b} − ${a} + ${c}.`;
}

export function mountAnalogyView(
  store: Store<WordsState>,
  session: WordsSession,
  show: (word: string) => void,
): void {
  const fields = questionWords.map((name) => byId(`analogy-${name}`, HTMLInputElement));
  const include = byId('analogy-include', HTMLInputElement);
  const line = byId('analogy-line', HTMLElement);
  const results = byId('analogy-results', HTMLElement);
  const list = byId('answers', HTMLOListElement);
  const map = new WordMap(byId('analogy-map', HTMLElement), 'Map of the analogy', show);
  const fillList = mountRanked(list, { pick: show, highlight: (word) => map.highlight(word) });

  const fill = ({ a, b, c, include: isChecked }: Question): void => {
    [a, b, c].forEach((word, i) => {
      const field = fields[i];
      if (field !== undefined) {
        field.value = word;
      }
    });
    include.checked = isChecked;
  };
  const solve = (): void => {
    const [a = '', b = '', c = ''] = fields.map((field) => field.value.trim());
    if (a !== '' && b !== '' && c !== '') {
      void session.solve({ a, b, c, include: include.checked });
    }
  };
  for (const field of fields) {
    mountCompletion(field, store);
  }
  include.addEventListener('change', solve);
  byId('analogy-form', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    solve();
  });
  const chipOf = (question: Question): HTMLButtonElement =>
    button(`${question.b} − ${question.a} + ${question.c}`, '', () => {
      void session.solve({ ...question, include: include.checked });
    });
  byId('analogy-examples', HTMLElement).append(...exampleQuestions.map(chipOf));

  store.watch(['question'], ({ question }) => fill(question));
  store.watch(['loaded'], ({ loaded }) => {
    byId('analogy-form', HTMLFormElement).inert = loaded === null;
  });
  store.watch(['analogy'], ({ analogy }) => {
    line.textContent = analogy === null ? '' : lineOf(analogy);
    results.hidden = analogy === null || analogy.map === null;
    fillList(analogy?.hits ?? []);
    map.show(analogy?.map ?? null);
    for (const field of fields) {
      const missing = analogy?.missing.includes(field.value.trim()) ?? false;
      field.setAttribute('aria-invalid', String(missing));
    }
  });
}
