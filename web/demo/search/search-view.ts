// The question field and the results.

import { AmbryError } from 'ambry';
import { type Debounced, debounced } from '../shared/base/debounce.ts';
import { formatAmount } from '../shared/base/format.ts';
import type { Store } from '../shared/base/store.ts';
import { button, byId } from '../shared/dom/dom.ts';
import { endFailure } from '../shared/jobs/jobs.ts';
import type { StatusLine } from '../shared/page/mount-page.ts';
import { mountPassageMap } from './map/map-fold.ts';
import { resultItem } from './results/result-item.ts';
import type { ResultsContext } from './results/results.ts';
import type { Session } from './session/session.ts';
import { exampleQueries } from './state/built-in.ts';
import { type Answer, countPassages, type SearchState } from './state/state.ts';
import { answerByWords } from './state/words-first.ts';

const typingPauseMs = 90;
const failureTitle = 'The search failed';

/** Searches the index. A newer question aborts the search for an older one. */
function searcher(store: Store<SearchState>, session: Session): Debounced<string> {
  return debounced(typingPauseMs, async (query, signal) => {
    const { index, words, runQuery } = store.state;
    if ((index === null && words === null) || query === '') {
      store.update({ answer: null });
      return;
    }
    try {
      const start = performance.now();
      const result = await (index ? runQuery(index, query, signal) : byWords(store, query));
      if (!signal.aborted) {
        store.update({ answer: { ...result, query, milliseconds: performance.now() - start } });
        endFailure(store, failureTitle);
      }
    } catch (error) {
      // If the index was replaced meanwhile, the watcher below searches the new one.
      if (signal.aborted || store.state.index !== index) {
        return;
      }
      if (error instanceof AmbryError && error.code === 'Crashed') {
        await session.reopen();
      } else {
        store.update({ answer: null, failure: { title: failureTitle, error } });
      }
    }
  });
}

async function byWords({ state: { words } }: Store<SearchState>, query: string) {
  return { ...(await answerByWords(words as NonNullable<typeof words>, query)), byWords: true };
}

/** The contents of the index in one line. It names some of the subjects of the built-in notes. */
function contentsOf({ sources, builtInNotes }: SearchState): string {
  const all = formatAmount(countPassages(sources), 'passage');
  if (!builtInNotes) {
    return `${all} from ${formatAmount(sources.length, 'document')}`;
  }
  const passages = sources.flatMap((source) => source.passages);
  const subjects = new Set(passages.map((passage) => String(passage['source']).toLowerCase()));
  return `${all} about ${[...subjects].slice(0, 9).join(', ')} and more`;
}

function statusText(state: SearchState): string {
  if (state.notice !== '') {
    return state.notice;
  }
  if (state.job !== null && state.index === null && state.answer === null) {
    return '';
  }
  if (state.answer !== null) {
    const { hits, scope, milliseconds, byWords: isByWords } = state.answer;
    if (isByWords) {
      const found =
        hits.length === 0 ? 'No passage has these words' : `Best ${hits.length} by words`;
      return `${found}. Meaning follows when the model is loaded.`;
    }
    const all = scope ?? formatAmount(countPassages(state.sources), 'passage');
    if (hits.length === 0) {
      return state.sources.length === 0
        ? 'There is nothing to search. Add documents first.'
        : 'Nothing is indexed yet.';
    }
    const best = `Best ${hits.length} of ${all}, in ${Math.max(1, Math.round(milliseconds))} ms`;
    return state.nothingClose ? `${best}. Nothing is close.` : best;
  }
  return state.index === null ? 'No index yet.' : `Ready: ${contentsOf(state)}.`;
}

export const statusLine: StatusLine<SearchState> = {
  of: statusText,
  fields: ['answer', 'notice', 'index', 'job', 'sources', 'nothingClose'],
};

function mountExamples(ask: (query: string) => void): void {
  const chips = exampleQueries.map((query) => button(query, '', () => ask(query)));
  byId('examples', HTMLElement).append(...chips);
}

/** The `/` key moves the focus to the question, unless it is in a field. */
function mountSlashKey(field: HTMLInputElement): void {
  addEventListener('keydown', (event) => {
    const typing =
      event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
    if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      field.focus();
      field.select();
    }
  });
}

interface AnswerView {
  render(answer: Answer | null): void;
  /** Loads the code for the full results, once. */
  loadFullResults(): Promise<void>;
}

/** Shows plain results until the code for full results is loaded, so the first answer does not wait for it. */
function answerView(context: ResultsContext): AnswerView {
  const { store, list } = context;
  let loading = false;
  const view: AnswerView = {
    render: (answer) => list.replaceChildren(...(answer?.hits.map(resultItem) ?? [])),
    async loadFullResults() {
      if (loading) {
        return;
      }
      loading = true;
      try {
        const { mountResults } = await import('./results/results.ts');
        view.render = mountResults(context);
      } catch (error) {
        loading = false;
        store.update({ failure: { title: 'Part of this page could not be loaded', error } });
      }
    },
  };
  return view;
}

export function mountSearchView(store: Store<SearchState>, session: Session): void {
  const field = byId('query', HTMLInputElement);
  const form = byId('search-form', HTMLFormElement);
  const search = searcher(store, session);
  const ask = (query: string): void => {
    field.value = query;
    store.update({ query, notice: '' });
    search.requestNow(query);
  };
  const answers = answerView({
    store,
    field,
    list: byId('results', HTMLOListElement),
    ask,
    followModel: (url) => session.run((actions) => actions.followModel(url)),
  });

  field.addEventListener('input', () => {
    const query = field.value.trim();
    store.update({ query, notice: '' });
    search.request(query);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    search.requestNow(store.state.query);
  });
  byId('modes', HTMLFieldSetElement).addEventListener('change', answers.loadFullResults);
  mountExamples((query) => {
    ask(query);
    field.focus();
  });
  mountSlashKey(field);
  mountPassageMap(store, ask);
  if (location.search !== '') {
    void answers.loadFullResults();
  }

  // On a phone the examples then make room for the results.
  store.watch(['query'], ({ query }) => {
    document.body.toggleAttribute('data-asked', query !== '');
  });
  store.watch(['index', 'words', 'sources', 'runQuery'], ({ index, words, query }) => {
    if (index !== null && words !== null) {
      store.update({ words: null });
    } else {
      search.requestNow(query);
    }
  });
  store.watch(['answer'], ({ answer }) => {
    answers.render(answer);
    if (answer !== null) {
      void answers.loadFullResults();
    }
  });
}
