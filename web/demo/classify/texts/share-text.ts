// What can be shared of a text: the link, the labels or the names in three forms, and a program that finds them.

import { formatAmount } from '../../shared/base/format.ts';
import { jsonOf } from '../../shared/base/json-text.ts';
import type { Store } from '../../shared/base/store.ts';
import type { Address } from '../../shared/page-address/page-address.ts';
import { snippetModel } from '../../shared/share/model-address.ts';
import { shareLink } from '../../shared/share/share-link.ts';
import type { ShareResults, ShareTexts } from '../../shared/share/share-texts.ts';
import { labelsSnippet, namesSnippet } from '../../shared/share/snippets.ts';
import { csvOf, markdownOf, type Row } from '../../shared/share/table-texts.ts';
import { longestLinkText } from '../state/first-texts.ts';
import type { ClassifyState } from '../state/state.ts';
import type { TextTask } from '../state/task.ts';

function resultsOf(noun: string, text: string, rows: readonly Row[]): ShareResults | null {
  return rows.length === 0
    ? null
    : {
        what: formatAmount(rows.length, noun),
        fileName: `${noun}s`,
        texts: {
          Markdown: () => markdownOf(text, rows),
          CSV: () => csvOf(rows),
          JSON: () => jsonOf({ text, [`${noun}s`]: rows }),
        },
      };
}

const withoutText = 'The text is too long for a link, so it is not in it.';

function linkOf({ state }: Store<ClassifyState>, task: TextTask, address: Address) {
  const { typed, loaded } = state[task];
  return shareLink(
    address.link(),
    loaded?.source,
    typed.length > longestLinkText ? withoutText : '',
  );
}

export const shareLabels = (store: Store<ClassifyState>, address: Address): ShareTexts => ({
  link: () => linkOf(store, 'text', address),
  results() {
    const { answer } = store.state.text;
    const rows = answer?.found.map(({ label, score }) => ({ label, score })) ?? [];
    return resultsOf('label', answer?.text ?? '', rows);
  },
  snippets() {
    const { text, labelCount } = store.state;
    const { loaded, typed } = text;
    return loaded === null
      ? []
      : [labelsSnippet(snippetModel(loaded.source, loaded.name), typed, labelCount)];
  },
});

export const shareNames = (store: Store<ClassifyState>, address: Address): ShareTexts => ({
  link: () => linkOf(store, 'names', address),
  results() {
    const { answer } = store.state.names;
    const rows = answer?.found.map(({ text, label, score, start, end }) => ({
      text,
      label,
      score,
      start,
      end,
    }));
    return resultsOf('name', answer?.text ?? '', rows ?? []);
  },
  snippets() {
    const { names, nameSettings } = store.state;
    const { loaded, typed } = names;
    const { aggregation, threshold } = nameSettings;
    const options = { aggregation, ...(threshold > 0 && { threshold }) };
    return loaded === null
      ? []
      : [namesSnippet(snippetModel(loaded.source, loaded.name), typed, options)];
  },
});
