// The word field, and the nearest words as a list and as a map.

import { formatCount } from '../shared/base/format.ts';
import type { Store } from '../shared/base/store.ts';
import { button, byId } from '../shared/dom/dom.ts';
import { mountCompletion } from './completion.ts';
import { explanationOf, showExplanation } from './explain-view.ts';
import { WordMap } from './map/word-map.ts';
import { mountRanked } from './ranked-list.ts';
import { exampleWords } from './session/built-in.ts';
import type { WordsSession } from './session/session.ts';
import type { WordsState } from './session/state.ts';
import { mountVocabularyFold } from './vocabulary-map/vocabulary-fold.ts';

function mountSettings(store: Store<WordsState>, session: WordsSession): void {
  const k = byId('k', HTMLSelectElement);
  const metric = byId('metric', HTMLSelectElement);
  k.addEventListener('change', () => void session.changeSettings({ k: Number(k.value) }));
  metric.addEventListener('change', () => {
    void session.changeSettings({ metric: metric.value === 'angular' ? 'angular' : 'cosine' });
  });
  store.watch(['settings'], ({ settings }) => {
    k.value = String(settings.k);
    metric.value = settings.metric;
  });
}

/** Shows the words of the file that are spelled like a word that is not in it. The code is loaded with the first such word. */
function mountSpellings(store: Store<WordsState>, show: (word: string) => void): void {
  const group = byId('did-you-mean', HTMLElement);
  const list = byId('spellings', HTMLElement);
  store.watch(['lookup'], async ({ lookup, loaded }) => {
    group.hidden = true;
    if (lookup === null || !loaded || loaded.isPart || lookup.explanation.found === 'known') {
      return;
    }
    // Without this code the page works on, and has nothing to propose.
    const code = await import('./did-you-mean.ts').catch(() => null);
    if (code !== null && store.state.lookup === lookup) {
      const words = code.similarSpellings(lookup.explanation.word, loaded.vocabulary);
      group.hidden = words.length === 0;
      list.replaceChildren(...words.map((word) => button(word, '', () => show(word))));
    }
  });
}

/** Returns a function that looks a word up. Other parts of the page call it when a word is clicked. */
export function mountLookupView(
  store: Store<WordsState>,
  session: WordsSession,
): (word: string) => void {
  const field = byId('word', HTMLInputElement);
  const list = byId('neighbours', HTMLOListElement);
  const sentence = byId('lookup-line', HTMLElement);
  const results = byId('lookup-results', HTMLElement);
  const show = (word: string): void => void session.lookUp(word);
  const map = new WordMap(byId('neighbour-map', HTMLElement), 'Map of the nearest words', show);
  const fillList = mountRanked(list, { pick: show, highlight: (word) => map.highlight(word) });

  byId('word-form', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    void session.lookUp(field.value.trim());
  });
  mountCompletion(field, store, show);
  mountVocabularyFold(store, show);
  mountSpellings(store, show);
  mountSettings(store, session);
  byId('examples', HTMLElement).append(
    ...exampleWords.map((word) => button(word, '', () => show(word))),
  );
  store.watch(['word'], ({ word }) => {
    field.value = word;
  });
  store.watch(['loaded'], ({ loaded }) => {
    byId('word-form', HTMLFormElement).inert = loaded === null;
    // The first link of the page may have led here while the field could not take the focus.
    if (location.hash === `#${field.id}` && document.activeElement === document.body) {
      field.focus();
    }
  });
  store.watch(['lookup'], ({ lookup, loaded }) => {
    const isComing = loaded?.isPart && lookup?.explanation.found === 'none';
    const known = isComing ? null : lookup;
    sentence.textContent = isComing
      ? `“${lookup?.typed}” is not among the most frequent words. The others are on their way.`
      : known && explanationOf(known.explanation, known.typed);
    showExplanation(known?.explanation ?? null);
    const size =
      loaded && ` (of ${formatCount(loaded.model.size)}${loaded.isPart ? ' so far' : ''})`;
    byId('neighbours-title', HTMLElement).textContent = `Nearest words${size ?? ''}`;
    results.hidden = lookup === null || lookup.map === null;
    fillList(lookup?.hits ?? []);
    map.show(lookup?.map ?? null);
  });
  return show;
}
