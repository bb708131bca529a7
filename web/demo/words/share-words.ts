// What can be shared of a lookup and of an analogy: the link, the words in three forms, and a program that finds them.

import type { ScoredWord } from 'ambry';
import { formatAmount } from '../shared/base/format.ts';
import { jsonOf } from '../shared/base/json-text.ts';
import type { Store } from '../shared/base/store.ts';
import type { Address } from '../shared/page-address/page-address.ts';
import { snippetModel } from '../shared/share/model-address.ts';
import { shareLink } from '../shared/share/share-link.ts';
import type { ShareResults, ShareTexts } from '../shared/share/share-texts.ts';
import { analogySnippet, lookupSnippet, type Snippet } from '../shared/share/snippets.ts';
import { csvOf, markdownOf } from '../shared/share/table-texts.ts';
import { questionWords } from './session/question.ts';
import type { WordsState } from './session/state.ts';

function resultsOf(title: string, asked: object, hits: readonly ScoredWord[]): ShareResults | null {
  const rows = hits.map(({ word, score }, at) => ({ rank: at + 1, word, score }));
  return rows.length === 0
    ? null
    : {
        what: formatAmount(rows.length, 'word'),
        fileName: 'words',
        texts: {
          Markdown: () => markdownOf(title, rows),
          CSV: () => csvOf(rows),
          JSON: () => jsonOf({ ...asked, hits: rows }),
        },
      };
}

const modelOf = ({ loaded }: WordsState) =>
  loaded === null ? null : snippetModel(loaded.source, loaded.name);

const optionsOf = ({ settings: { k, metric } }: WordsState) => ({
  k,
  ...(metric !== 'cosine' && { metric }),
});

function lookupSnippets(state: WordsState): readonly Snippet[] {
  const model = modelOf(state);
  return model === null
    ? []
    : [lookupSnippet(model, state.lookup?.explanation.word ?? state.word, optionsOf(state))];
}

function analogySnippets(state: WordsState): readonly Snippet[] {
  const model = modelOf(state);
  const { a, b, c, include } = state.question;
  const options = { ...optionsOf(state), ...(include && { include: questionWords }) };
  return model === null ? [] : [analogySnippet(model, [a, b, c], options)];
}

const linkOf = (store: Store<WordsState>, address: Address) =>
  shareLink(address.link(), store.state.loaded?.source);

export const shareLookup = (store: Store<WordsState>, address: Address): ShareTexts => ({
  link: () => linkOf(store, address),
  results() {
    const { lookup, word } = store.state;
    return resultsOf(`Nearest words of ${word}`, { word }, lookup?.hits ?? []);
  },
  snippets: () => lookupSnippets(store.state),
});

export const shareAnalogy = (store: Store<WordsState>, address: Address): ShareTexts => ({
  link: () => linkOf(store, address),
  results() {
    const { analogy, question } = store.state;
    const { a, b, c } = question;
    return resultsOf(`${a} is to ${b} as ${c} is to …`, { a, b, c }, analogy?.hits ?? []);
  },
  snippets: () => analogySnippets(store.state),
});
