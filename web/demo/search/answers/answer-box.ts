// The box above the results with the answer of a model that answers questions: the answer, how sure the model is, and the passage
// that it is from. The page loads this with the first such model.

import type { IndexAnswer } from 'ambry';
import { formatAmount, formatScore } from '../../shared/base/format.ts';
import type { Store } from '../../shared/base/store.ts';
import { byId, element } from '../../shared/dom/dom.ts';
import { locationOf } from '../results/result-view.ts';
import type { SearchState } from '../state/state.ts';
import { certaintyOf, excerptOf } from './answer-words.ts';

/** What is known of the answers to a question. */
export type Reading =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'reading'; readonly loaded: number; readonly total: number }
  /** Best first. Empty if the documents have no answer. */
  | { readonly kind: 'done'; readonly answers: readonly IndexAnswer[] }
  | { readonly kind: 'failed' };

function passageOf({ passage, start, end, doc }: IndexAnswer): HTMLElement {
  const { before, answer, after } = excerptOf(passage, start, end);
  return element(
    'figure',
    'answer-passage',
    element('blockquote', '', before, element('mark', '', answer), after),
    element('figcaption', '', locationOf(doc)),
  );
}

function othersFold(others: readonly IndexAnswer[]): HTMLElement {
  const items = others.map((answer) =>
    element(
      'li',
      '',
      element('p', 'answer-span', answer.text),
      element('p', 'note', `${certaintyOf(answer.score)} (${formatScore(answer.score)})`),
      passageOf(answer),
    ),
  );
  return element(
    'details',
    'fold answer-others',
    element('summary', '', formatAmount(others.length, 'other answer')),
    element('ul', '', ...items),
  );
}

/** What is said, and what is only shown. */
function partsOf(answers: readonly IndexAnswer[]): readonly [HTMLElement[], HTMLElement[]] {
  const [best, ...others] = answers;
  if (best === undefined) {
    const none = element('p', 'answer-none', 'There is no answer in these documents.');
    return [[none], []];
  }
  const sure = element(
    'p',
    'note',
    `${certaintyOf(best.score)} `,
    element('span', 'number', `(${formatScore(best.score)})`),
  );
  const said = [element('p', 'answer-span', best.text), sure];
  return [said, [passageOf(best), ...(others.length > 0 ? [othersFold(others)] : [])]];
}

export function mountAnswerBox(store: Store<SearchState>): (reading: Reading) => void {
  const box = byId('answer-box', HTMLElement);
  const said = byId('answer-said', HTMLElement);
  const bar = byId('answer-progress', HTMLProgressElement);
  const shown = byId('answer-shown', HTMLElement);
  let kind: Reading['kind'] = 'waiting';

  /** The box never gets lower, so that the results stay in their place while the next answer comes, and when it is shorter. */
  const hold = (): void => box.style.setProperty('--held', `${box.offsetHeight}px`);
  addEventListener('resize', () => void box.style.removeProperty('--held'));
  const say = (...parts: readonly Node[]): void => {
    said.replaceChildren(...parts);
    shown.replaceChildren();
  };

  store.watch(['reader'], ({ reader }) => {
    box.hidden = reader === null;
  });
  return (reading) => {
    bar.hidden = reading.kind !== 'reading';
    if (reading.kind === 'reading') {
      if (kind !== 'reading') {
        say(element('p', 'note', 'Reading the best passages…'));
      }
      bar.max = Math.max(1, reading.total);
      bar.value = reading.loaded;
    } else if (reading.kind === 'done') {
      const [first, second] = partsOf(reading.answers);
      say(...first);
      shown.append(...second);
      hold();
    } else {
      const failed = reading.kind === 'failed';
      say(element('p', 'note', failed ? 'The question was not answered.' : 'Ask a question.'));
    }
    kind = reading.kind;
  };
}
