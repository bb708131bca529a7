// What can be shared of a classifier that was learned: its labels of the text that is tried, and a program that learns it again.

import { formatAmount } from '../../shared/base/format.ts';
import { jsonOf } from '../../shared/base/json-text.ts';
import type { Store } from '../../shared/base/store.ts';
import type { Address } from '../../shared/page-address/page-address.ts';
import { samples, sampleUrl } from '../../shared/samples/samples.ts';
import { snippetModel } from '../../shared/share/model-address.ts';
import type { ShareTexts } from '../../shared/share/share-texts.ts';
import { learnedSnippet } from '../../shared/share/snippets.ts';
import { csvOf, markdownOf } from '../../shared/share/table-texts.ts';
import type { ClassifyState } from '../state/state.ts';

/** A longer list of examples is no program to read: it opens the saved file. */
const mostExamples = 200;
const withoutExamples = 'The examples are not in the link. Save the classifier to pass it on.';

export const shareLearned = (store: Store<ClassifyState>, address: Address): ShareTexts => ({
  link: () => ({ url: address.link(), without: withoutExamples }),
  results() {
    const { tried, triedLabels } = store.state;
    const rows = triedLabels.map(({ label, score }) => ({ label, score }));
    return rows.length === 0
      ? null
      : {
          what: formatAmount(rows.length, 'label'),
          fileName: 'labels',
          texts: {
            Markdown: () => markdownOf(tried, rows),
            CSV: () => csvOf(rows),
            JSON: () => jsonOf({ text: tried, labels: rows }),
          },
        };
  },
  snippets() {
    const { learned, tried } = store.state;
    if (learned === null) {
      return [];
    }
    const { examples } = learned;
    const few = examples !== null && examples.length <= mostExamples ? examples : null;
    const model = snippetModel(sampleUrl(samples.textEncoder), '');
    return [learnedSnippet(model, few, tried || 'A text to try')];
  },
});
