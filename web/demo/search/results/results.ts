// What refines the answers: marks, folds, sources, the address of a question, a copy. Fetched with the first
// answer, which does not wait for it.

import { button, byId } from '../../shared/dom.ts';
import { formatAmount } from '../../shared/format.ts';
import { mountListKeys, replaceItems } from '../../shared/list-keys.ts';
import { saveFile } from '../../shared/save-file.ts';
import type { Store } from '../../shared/store.ts';
import { exampleQueries } from '../built-in.ts';
import type { Answer, SearchState } from '../state.ts';
import { tellingWords } from './matched-words.ts';
import { type Link, mountAddress, readLink } from './permalink.ts';
import { type Explain, fullItem } from './result-view.ts';
import { resultsMarkdown } from './results-markdown.ts';
import { type Choices, lookupWith } from './run-query.ts';
import { mountSourceChips } from './source-chips.ts';

export interface ResultParts {
  readonly store: Store<SearchState>;
  readonly field: HTMLInputElement;
  readonly list: HTMLOListElement;
  /** Puts a question into the field and asks it. */
  readonly ask: (query: string) => void;
}

type Draw = (answer: Answer | null) => void;

/** Items are kept while they would say the same, and with them what is unfolded and where the focus is. */
function drawerFor(list: HTMLOListElement, explain: (query: string) => Explain): Draw {
  let drawn = new Map<string, HTMLLIElement>();
  return (answer) => {
    const next = new Map<string, HTMLLIElement>();
    const words = tellingWords(answer?.query ?? '');
    for (const hit of answer?.hits ?? []) {
      const others = answer?.alike?.get(hit) ?? [];
      const key = JSON.stringify([answer?.query, hit, others]);
      next.set(key, drawn.get(key) ?? fullItem(hit, others, words, explain(answer?.query ?? '')));
    }
    replaceItems(list, [...next.values()]);
    drawn = next;
  };
}

function explainer(store: Store<SearchState>, query: string): Explain {
  return async ({ text }) => {
    const { loaded } = store.state;
    try {
      const { explanationOf } = await import('./explain-view.ts');
      return loaded === null ? [] : await explanationOf(loaded.model, query, text);
    } catch (error) {
      store.update({ failure: { title: 'This answer was not explained', error } });
      return [];
    }
  };
}

/** Where a page may not write to the clipboard, the text becomes a file. */
async function copyAnswers(store: Store<SearchState>): Promise<void> {
  const { answer } = store.state;
  if (answer === null) {
    return;
  }
  const text = resultsMarkdown(answer);
  const what = formatAmount(answer.hits.length, 'passage');
  try {
    await navigator.clipboard.writeText(text);
    store.update({ notice: `Copied ${what} as Markdown.` });
  } catch {
    saveFile(new Blob([text], { type: 'text/markdown' }), 'answers.md');
    store.update({
      notice: `This browser does not let the page copy: saved ${what} as answers.md.`,
    });
  }
}

export function mountResults({ store, field, list, ask }: ResultParts): Draw {
  const tools = byId('answer-tools', HTMLElement);
  const draw = drawerFor(list, (query) => explainer(store, query));
  const wordsToo = byId('mode-words', HTMLInputElement);
  const picked = (): Choices['mode'] => (wordsToo.checked ? 'words' : 'meaning');
  let choices: Choices = { mode: 'meaning', chosen: [] };

  const choose = (next: Choices): void => {
    choices = next;
    byId(`mode-${choices.mode}`, HTMLInputElement).checked = true;
    const lookup = lookupWith(choices, (counts, chosen) => chips.show(counts, chosen));
    store.update({ lookup });
  };
  const chips = mountSourceChips(byId('source-chips', HTMLElement), (chosen) => {
    store.update({ notice: '' });
    choose({ ...choices, chosen });
    address.settle();
  });
  const follow = ({ query, ...rest }: Link): void => {
    choose(rest);
    ask(query);
  };
  const address = mountAddress(() => ({ ...choices, query: store.state.query }), follow);

  mountListKeys(list, ':scope > li', field);
  byId('answer-actions', HTMLElement).append(
    button('Copy as Markdown', 'quiet', () => void copyAnswers(store)),
  );
  // The form hears of it afterwards, and the address settles.
  byId('modes', HTMLFieldSetElement).addEventListener('change', () => {
    store.update({ notice: '' });
    choose({ ...choices, mode: picked() });
  });
  for (const happening of ['submit', 'change']) {
    byId('search-form', HTMLFormElement).addEventListener(happening, address.settle);
  }
  byId('examples', HTMLElement).addEventListener('click', address.settle);

  const { query } = store.state;
  const { query: linked, mode, chosen } = readLink(location.search);
  // A way of ranking and a question may have been picked before this code came.
  const first: Choices = { mode: wordsToo.checked ? 'words' : mode, chosen };
  if (query === '') {
    follow({ query: linked, ...first });
  } else {
    choose(first);
    if (exampleQueries.includes(query)) {
      address.settle();
    }
  }
  store.watch(['query'], address.changed);
  return (answer) => {
    tools.hidden = answer === null || (answer.hits.length === 0 && choices.chosen.length === 0);
    draw(answer);
  };
}
