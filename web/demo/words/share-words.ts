// What can be shared of a lookup and of an analogy: the link, the words in three forms, and a program that finds them.

import type { ScoredWord } from 'ambry';
import { byId } from '../shared/dom.ts';
import { formatAmount } from '../shared/format.ts';
import type { Address } from '../shared/page-address/page-address.ts';
import { snippetModel } from '../shared/share/model-address.ts';
import { shareLink } from '../shared/share/share-link.ts';
import { mountShare, type Share, type ShareResults } from '../shared/share/share-view.ts';
import { analogySnippet, lookupSnippet, type Snippet } from '../shared/share/snippets.ts';
import { csvOf, jsonOf, markdownOf } from '../shared/share/table-texts.ts';
import type { Store } from '../shared/store.ts';
import { questionWords } from './question.ts';
import type { WordsState } from './state.ts';

function resultsOf(title: string, asked: object, hits: readonly ScoredWord[]): ShareResults | null {
  const rows = hits.map(({ word, score }, at) => ({ rank: at + 1, word, score }));
  return rows.length === 0
    ? null
    : {
        what: formatAmount(rows.length, 'word'),
        fileName: 'words',
        texts: [
          { form: 'Markdown', text: () => markdownOf(title, rows) },
          { form: 'CSV', text: () => csvOf(rows) },
          { form: 'JSON', text: () => jsonOf({ ...asked, hits: rows }) },
        ],
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
  return model === null ? [] : [lookupSnippet(model, state.word, optionsOf(state))];
}

function analogySnippets(state: WordsState): readonly Snippet[] {
  const model = modelOf(state);
  const { a, b, c, include } = state.question;
  const options = { ...optionsOf(state), ...(include && { include: questionWords }) };
  return model === null ? [] : [analogySnippet(model, [a, b, c], options)];
}

export function mountShareWords(store: Store<WordsState>, address: Address): void {
  const common: Pick<Share, 'link' | 'notify'> = {
    link: () => shareLink(address.link(), store.state.loaded?.source),
    notify: (notice) => store.update({ notice }),
  };
  const lookup = mountShare(byId('lookup-share', HTMLElement), {
    ...common,
    results() {
      const { lookup: found, word } = store.state;
      return resultsOf(`Nearest words of ${word}`, { word }, found?.hits ?? []);
    },
    snippets: () => lookupSnippets(store.state),
  });
  const analogy = mountShare(byId('analogy-share', HTMLElement), {
    ...common,
    results() {
      const { analogy: found, question } = store.state;
      const { a, b, c } = question;
      return resultsOf(`${a} is to ${b} as ${c} is to …`, { a, b, c }, found?.hits ?? []);
    },
    snippets: () => analogySnippets(store.state),
  });
  store.watch(['lookup'], lookup);
  store.watch(['analogy'], analogy);
}
