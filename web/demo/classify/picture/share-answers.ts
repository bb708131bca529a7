// What can be shared of the answers: the link to the drawing, the classes in three forms, and a program that classifies.

import { jsonOf } from '../../shared/base/json-text.ts';
import type { Store } from '../../shared/base/store.ts';
import type { Address } from '../../shared/page-address/page-address.ts';
import { snippetModel } from '../../shared/share/model-address.ts';
import { shareLink } from '../../shared/share/share-link.ts';
import type { ShareResults, ShareTexts } from '../../shared/share/share-texts.ts';
import { classifySnippet, type Snippet } from '../../shared/share/snippets.ts';
import { csvOf, markdownOf, type Row } from '../../shared/share/table-texts.ts';
import type { ClassifyState } from '../state/state.ts';
import { builtInPlan } from './built-in.ts';
import { variantName } from './names.ts';

const rowsOf = ({ network, answers }: ClassifyState): Row[] =>
  answers.flatMap(({ labels }, i) => {
    const kind = network?.variants[i]?.kind;
    const variant = kind === undefined ? '' : variantName(kind);
    return labels.map(({ label, score }) => ({ variant, label, score }));
  });

function resultsOf(state: ClassifyState): ShareResults | null {
  const rows = rowsOf(state);
  return rows.length === 0
    ? null
    : {
        what: 'the answers',
        fileName: 'classes',
        texts: {
          Markdown: () => markdownOf(state.picture?.name ?? 'Picture', rows),
          CSV: () => csvOf(rows),
          JSON: () => jsonOf({ picture: state.picture?.name, answers: rows }),
        },
      };
}

function snippetsOf({ network }: ClassifyState): readonly Snippet[] {
  const weights = network?.files.weights[0];
  if (network === null || weights === undefined) {
    return [];
  }
  const local = network.files.plan === null ? null : './plan.json';
  const plan = network.builtIn ? builtInPlan().href : (network.files.planSource ?? local);
  return [classifySnippet(snippetModel(weights.source, weights.name), plan)];
}

const withoutPicture = 'A picture that is no drawing is not in the link.';

export const shareAnswers = (store: Store<ClassifyState>, address: Address): ShareTexts => ({
  link() {
    const { network, picture } = store.state;
    const isDrawing = picture === null || picture.from === 'drawing';
    const source = network?.files.weights[0]?.source;
    return shareLink(address.link(), source, isDrawing ? '' : withoutPicture);
  },
  results: () => resultsOf(store.state),
  snippets: () => snippetsOf(store.state),
});
