// The question and its answers.

import { AmbryError, type SearchHit } from 'ambry';
import { button, byId, element } from '../shared/dom.ts';
import { formatAmount, formatScore } from '../shared/format.ts';
import { type Latest, latest } from '../shared/latest.ts';
import { mountListKeys, replaceItems } from '../shared/list-keys.ts';
import type { Store } from '../shared/store.ts';
import { exampleQueries } from './built-in.ts';
import type { Session } from './session.ts';
import { countPassages, type SearchState } from './state.ts';

const kTypingPauseMs = 90;
const kShown = 8;

/** Asks the index; the newest question wins, and a failed search is shown like any other failure. */
function searcher(store: Store<SearchState>, session: Session): Latest<string> {
  return latest(kTypingPauseMs, async (query, signal) => {
    const { index } = store.state;
    if (index === null || query === '') {
      store.update({ answer: null });
      return;
    }
    try {
      const start = performance.now();
      const hits = await index.search(query, { k: kShown, signal });
      if (!signal.aborted) {
        store.update({ answer: { query, hits, milliseconds: performance.now() - start } });
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

function resultItem(hit: SearchHit): HTMLLIElement {
  const bar = element('span', 'bar');
  bar.style.setProperty('--score', String(Math.min(1, Math.max(0, hit.score))));
  bar.setAttribute('aria-hidden', 'true');
  const score = element(
    'p',
    'result-score',
    element('span', 'visually-hidden', 'Similarity '),
    formatScore(hit.score),
    bar,
  );
  score.title = 'Cosine similarity: 1 means the same, 0 means unrelated';
  const source = hit.doc['source'];
  const item = element(
    'li',
    'result',
    element('p', 'result-source', typeof source === 'string' ? source : ''),
    element('p', 'result-text', hit.text),
    score,
  );
  item.tabIndex = -1;
  return item;
}

/** What there is to ask about, in a line. */
function contentsOf({ sources, builtInNotes }: SearchState): string {
  const all = formatAmount(countPassages(sources), 'passage');
  if (!builtInNotes) {
    return `${all} from ${formatAmount(sources.length, 'document')}`;
  }
  const passages = sources.flatMap((source) => source.passages);
  const subjects = new Set(passages.map((passage) => String(passage['source']).toLowerCase()));
  return `${all} about ${[...subjects].join(', ')}`;
}

function statusText(state: SearchState): string {
  if (state.notice !== '') {
    return state.notice;
  }
  if (state.job !== null && state.index === null) {
    return '';
  }
  if (state.answer !== null) {
    const { hits, milliseconds } = state.answer;
    const all = formatAmount(countPassages(state.sources), 'passage');
    return hits.length === 0
      ? 'Nothing to search: add documents first.'
      : `Best ${hits.length} of ${all}, in ${Math.max(1, Math.round(milliseconds))} ms`;
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

export function mountSearchView(store: Store<SearchState>, session: Session): void {
  const field = byId('query', HTMLInputElement);
  const list = byId('results', HTMLOListElement);
  const status = byId('status', HTMLElement);
  const search = searcher(store, session);

  field.addEventListener('input', () => {
    const query = field.value.trim();
    store.update({ query, notice: '' });
    search.request(query);
  });
  byId('search-form', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    search.requestNow(store.state.query);
  });
  mountExamples((query) => {
    field.value = query;
    store.update({ query, notice: '' });
    search.requestNow(query);
    field.focus();
  });
  mountSlashKey(field);
  mountListKeys(list, 'li', field);

  store.watch(['index', 'sources'], ({ query }) => search.requestNow(query));
  store.watch(['answer'], ({ answer }) => replaceItems(list, (answer?.hits ?? []).map(resultItem)));
  store.watch(['answer', 'notice', 'index', 'job', 'sources'], (state) => {
    const text = statusText(state);
    if (status.textContent !== text) {
      status.textContent = text;
    }
  });
}
