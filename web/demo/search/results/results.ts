// Adds to plain results: marked words, near-duplicates, sources, the page's address, and a copy as Markdown. The page
// loads this module with the first answer, which does not wait for it.

import type { Store } from '../../shared/base/store.ts';
import { byId } from '../../shared/dom/dom.ts';
import { mountListKeys, replaceItems } from '../../shared/focus/list-keys.ts';
import { endFailure } from '../../shared/jobs/jobs.ts';
import { forgetContact, urlInLink } from '../../shared/page-address/open-linked.ts';
import { mountPageAddress } from '../../shared/page-address/page-address.ts';
import { readLink } from '../../shared/page-address/parameters.ts';
import { allForms, mountShare } from '../../shared/share/share-view.ts';
import { exampleQueries } from '../state/built-in.ts';
import type { Answer, QueryOptions, SearchState } from '../state/state.ts';
import { mountCalibration } from './closeness/calibrate.ts';
import { mountClosenessView } from './closeness/closeness-view.ts';
import { contentWords } from './matching/matched-words.ts';
import { type Explain, fullResultItem } from './result-view.ts';
import { queryWith } from './run-query.ts';
import { linkOf, type SearchLink, searchParameters } from './search-link.ts';
import { mountSourceChips } from './source-chips.ts';

export interface ResultsContext {
  readonly store: Store<SearchState>;
  readonly field: HTMLInputElement;
  readonly list: HTMLOListElement;
  /** Puts a question into the field and searches. */
  readonly ask: (query: string) => void;
  /** Opens the model that the address names after Back and Forward. */
  readonly followModel: (url: string) => Promise<void>;
}

type Render = (answer: Answer | null) => void;

/** Reuses the items whose content is unchanged, so that they keep the focus and stay open. */
function resultsRenderer(list: HTMLOListElement, explain: (query: string) => Explain): Render {
  let shown = new Map<string, HTMLLIElement>();
  return (answer) => {
    const next = new Map<string, HTMLLIElement>();
    const words = contentWords(`${answer?.query ?? ''} ${answer?.meant ?? ''}`);
    for (const hit of answer?.hits ?? []) {
      const others = answer?.nearDuplicates?.get(hit) ?? [];
      const key = JSON.stringify([answer?.query, hit, others]);
      next.set(
        key,
        shown.get(key) ??
          fullResultItem(hit, others, words, explain(answer?.meant ?? answer?.query ?? '')),
      );
    }
    replaceItems(list, [...next.values()]);
    shown = next;
  };
}

const failureTitle = 'The result could not be explained';

function explainer(store: Store<SearchState>, query: string): Explain {
  return async ({ text }) => {
    const { loaded } = store.state;
    try {
      const { explanationOf } = await import('./explain-view.ts');
      const parts = loaded === null ? [] : await explanationOf(loaded.model, query, text);
      endFailure(store, failureTitle);
      return parts;
    } catch (error) {
      store.update({ failure: { title: failureTitle, error } });
      return [];
    }
  };
}

export function mountResults({ store, field, list, ask, followModel }: ResultsContext): Render {
  const tools = byId('answer-tools', HTMLElement);
  const render = resultsRenderer(list, (query) => explainer(store, query));
  const alone = byId('mode-meaning', HTMLInputElement);
  const checkedMode = (): QueryOptions['mode'] => (alone.checked ? 'meaning' : 'words');
  let options: QueryOptions = { mode: 'words', sources: [] };

  const setOptions = (next: QueryOptions): void => {
    options = next;
    byId(`mode-${options.mode}`, HTMLInputElement).checked = true;
    const runQuery = queryWith(options, (counts, chosen) => chips.show(counts, chosen));
    store.update({ runQuery, queryOptions: options });
  };
  const chips = mountSourceChips(byId('source-chips', HTMLElement), (sources) => {
    store.update({ notice: '' });
    setOptions({ ...options, sources });
    address.commit();
  });
  const show = ({ query, mode, sources }: Omit<SearchLink, 'url'>): void => {
    setOptions({ mode, sources });
    ask(query);
  };
  const linked = readLink(location.search, searchParameters);
  const address = mountPageAddress<SearchLink>({
    parameters: searchParameters,
    current() {
      const { query, loaded } = store.state;
      const url = loaded === null ? linked.url : urlInLink(loaded.source);
      return linkOf({ query, url }, options);
    },
    follow(link) {
      show(link);
      return followModel(link.url);
    },
    titleOf: ({ query }) => query,
  });

  const showCloseness = mountClosenessView(store, list, ask);
  mountCalibration(store);
  store.watch(['closeness'], showCloseness);
  mountListKeys(list, ':scope > li', field);
  const share = mountShare(byId('answer-actions', HTMLElement), {
    async load() {
      const { shareOfAnswer } = await import('./share-answer.ts');
      return shareOfAnswer(store, address.link, () => options);
    },
    forms: () => ((store.state.answer?.hits.length ?? 0) > 0 ? allForms : []),
    hasSnippets: true,
    notify: (notice) => store.update({ notice }),
  });
  byId('modes', HTMLFieldSetElement).addEventListener('change', () => {
    store.update({ notice: '' });
    setOptions({ ...options, mode: checkedMode() });
    address.commit();
  });
  for (const type of ['submit', 'change']) {
    byId('search-form', HTMLFormElement).addEventListener(type, address.commit);
  }
  byId('examples', HTMLElement).addEventListener('click', address.commit);

  const { query } = store.state;
  const { mode, sources } = linked;
  // The user may have chosen a ranking and asked a question before this code was loaded.
  const first: QueryOptions = { mode: alone.checked ? 'meaning' : mode, sources };
  if (query === '') {
    show({ query: linked.query, ...first });
  } else {
    setOptions(first);
    if (exampleQueries.includes(query)) {
      address.commit();
    }
  }
  store.watch(['query', 'loaded'], address.changed);
  store.watch(['loaded'], ({ loaded }) => {
    if (loaded !== null) {
      forgetContact(loaded.source);
    }
  });
  return (answer) => {
    tools.hidden = answer === null || (answer.hits.length === 0 && options.sources.length === 0);
    render(answer);
    showCloseness();
    share();
  };
}
