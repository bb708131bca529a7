// What can be shared of an answer: the link, the results in three forms, and a program that finds them.

import { formatAmount } from '../../shared/base/format.ts';
import { jsonOf } from '../../shared/base/json-text.ts';
import type { Store } from '../../shared/base/store.ts';
import { snippetModel } from '../../shared/share/model-address.ts';
import { shareLink } from '../../shared/share/share-link.ts';
import type { ShareResults, ShareTexts } from '../../shared/share/share-texts.ts';
import { type Snippet, searchSnippet } from '../../shared/share/snippets.ts';
import { csvOf, type Row } from '../../shared/share/table-texts.ts';
import {
  type Answer,
  hybridOf,
  type QueryOptions,
  resultCount,
  type SearchState,
} from '../state/state.ts';
import { closenessesOf } from './closeness/closeness-view.ts';
import { locationOf } from './result-view.ts';
import { resultsMarkdown } from './results-markdown.ts';

/** One row for each result, best first. */
export function rowsOf(answer: Answer, { closeness }: Pick<SearchState, 'closeness'>): Row[] {
  const words = closeness?.answer === answer ? closenessesOf(closeness) : [];
  return answer.hits.map(({ score, cosine, doc, text }, at) => ({
    rank: at + 1,
    score,
    cosine,
    closeness: words[at],
    source: locationOf(doc),
    text,
  }));
}

function resultsOf(state: SearchState): ShareResults | null {
  const { answer } = state;
  if (answer === null || answer.hits.length === 0) {
    return null;
  }
  return {
    what: formatAmount(answer.hits.length, 'passage'),
    fileName: 'answers',
    texts: {
      Markdown: () => resultsMarkdown(answer),
      CSV: () => csvOf(rowsOf(answer, state)),
      JSON: () => jsonOf({ query: answer.query, hits: rowsOf(answer, state) }),
    },
  };
}

function snippetsOf({ answer, loaded }: SearchState, { mode }: QueryOptions): readonly Snippet[] {
  if (answer === null || loaded === null) {
    return [];
  }
  const model = snippetModel(loaded.source, `${loaded.name}.weights`);
  const texts = answer.hits.map(({ text }) => text);
  return [
    searchSnippet(model, texts, answer.meant ?? answer.query, {
      k: resultCount,
      ...(mode === 'words' && { hybrid: hybridOf(mode) }),
    }),
  ];
}

export function shareOfAnswer(
  store: Store<SearchState>,
  link: () => string,
  options: () => QueryOptions,
): ShareTexts {
  return {
    link() {
      const { loaded, builtInNotes } = store.state;
      const own = builtInNotes ? '' : 'Your documents are not in the link either.';
      return shareLink(link(), loaded?.source, own);
    },
    results: () => resultsOf(store.state),
    snippets: () => snippetsOf(store.state, options()),
  };
}
