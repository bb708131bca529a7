// The question and its answers.

import { AmbryError } from 'ambry';
import { type Latest, latest } from '../shared/debounce.ts';
import { button, byId } from '../shared/dom.ts';
import { formatAmount } from '../shared/format.ts';
import type { Store } from '../shared/store.ts';
import { exampleQueries } from './built-in.ts';
import { resultItem } from './results/result-item.ts';
import type { ResultParts } from './results/results.ts';
import type { Session } from './session.ts';
import { type Answer, countPassages, type SearchState } from './state.ts';

const kTypingPauseMs = 90;

/** Asks the index; the newest question wins, and a failed search is shown like any other failure. */
function searcher(store: Store<SearchState>, session: Session): Latest<string> {
  return latest(kTypingPauseMs, async (query, signal) => {
    const { index, lookup } = store.state;
    if (index === null || query === '') {
      store.update({ answer: null });
      return;
    }
    try {
      const start = performance.now();
      const found = await lookup(index, query, signal);
      if (!signal.aborted) {
        store.update({ answer: { ...found, query, milliseconds: performance.now() - start } });
      }
    } catch (error) {
      // An index that was replaced meanwhile is asked anew by the watcher below.
      if (signal.aborted || store.state.index !== index) {
        return;
      }
      if (error instanceof AmbryError && error.code === 'Crashed') {
        await session.reopen();
      } else {
        store.update({ answer: null, failure: { title: 'The search failed', error } });
      }
    }
  });
}

/** What there is to ask about, in a line: the notes have more subjects than fit. */
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
  if (state.job !== null && state.index === null) {
    return '';
  }
  if (state.answer !== null) {
    const { hits, among, milliseconds } = state.answer;
    const all = among ?? formatAmount(countPassages(state.sources), 'passage');
    if (hits.length === 0) {
      return state.sources.length === 0
        ? 'Nothing to search: add documents first.'
        : 'Nothing is indexed yet.';
    }
    return `Best ${hits.length} of ${all}, in ${Math.max(1, Math.round(milliseconds))} ms`;
  }
  return state.index === null ? 'No index yet.' : `Ready: ${contentsOf(state)}.`;
}

function mountExamples(ask: (query: string) => void): void {
  const chips = exampleQueries.map((query) => button(query, '', () => ask(query)));
  byId('examples', HTMLElement).append(...chips);
}

/** `/` goes to the question from anywhere but a field. */
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
  draw(answer: Answer | null): void;
  /** Fetches what refines the answers, once. */
  refine(): Promise<void>;
}

/** The passages by themselves, until what refines them has come: the first answer does not wait for it. */
function answerView(parts: ResultParts): AnswerView {
  const { store, list } = parts;
  let asked = false;
  const view: AnswerView = {
    draw: (answer) => list.replaceChildren(...(answer?.hits.map(resultItem) ?? [])),
    async refine() {
      if (asked) {
        return;
      }
      asked = true;
      try {
        const { mountResults } = await import('./results/results.ts');
        view.draw = mountResults(parts);
      } catch (error) {
        asked = false;
        store.update({ failure: { title: 'Part of this page did not arrive', error } });
      }
    },
  };
  return view;
}

export function mountSearchView(store: Store<SearchState>, session: Session): void {
  const field = byId('query', HTMLInputElement);
  const form = byId('search-form', HTMLFormElement);
  const status = byId('status', HTMLElement);
  const search = searcher(store, session);
  const ask = (query: string): void => {
    field.value = query;
    store.update({ query, notice: '' });
    search.requestNow(query);
  };
  const answers = answerView({ store, field, list: byId('results', HTMLOListElement), ask });

  field.addEventListener('input', () => {
    const query = field.value.trim();
    store.update({ query, notice: '' });
    search.request(query);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    search.requestNow(store.state.query);
  });
  form.addEventListener('change', answers.refine);
  mountExamples((query) => {
    ask(query);
    field.focus();
  });
  mountSlashKey(field);
  if (location.search !== '') {
    void answers.refine();
  }

  store.watch(['index', 'sources', 'lookup'], ({ query }) => search.requestNow(query));
  store.watch(['answer'], ({ answer }) => {
    answers.draw(answer);
    if (answer !== null) {
      void answers.refine();
    }
  });
  store.watch(['answer', 'notice', 'index', 'job', 'sources'], (state) => {
    const text = statusText(state);
    if (status.textContent !== text) {
      status.textContent = text;
    }
  });
}
