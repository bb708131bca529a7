// The task that learns labels from examples: the examples, how good it is, a text to try, and the file.

import { debounced } from '../../shared/base/debounce.ts';
import { formatCount } from '../../shared/base/format.ts';
import type { Store } from '../../shared/base/store.ts';
import { byId, element, onFilesChosen } from '../../shared/dom/dom.ts';
import { ListFold } from '../../shared/dom/list-fold.ts';
import { saveFile } from '../../shared/files/save-file.ts';
import type { ClassifyState, Learned } from '../state/state.ts';
import { labelRow } from '../texts/label-list.ts';
import type { LearnSession } from './learn-session.ts';

const pauseMs = 120;
const fileName = 'classifier.safetensors';
/** So many labels of a longer list are shown at first. */
const firstLabels = 10;

/** What it has learned, and how it did on what it had not seen. */
export function lineOf({ classifier: { labels, training }, examples: own }: Learned): string {
  const { examples, heldOut } = training;
  const did = own === null ? 'It knows' : 'Learned';
  const learned = `${did} ${formatCount(labels.length)} labels from ${formatCount(examples)} texts.`;
  return heldOut === null
    ? `${learned} Give five texts or more of two labels to see how good it is.`
    : `${learned} Of ${formatCount(heldOut.count)} texts that it had not seen, it got ${formatCount(heldOut.correct)} right.`;
}

/** How it did on each label. */
function scoreRows({ classifier: { training } }: Learned): HTMLLIElement[] {
  const perLabel = training.heldOut?.perLabel ?? [];
  return perLabel.map(({ label, correct, count }) =>
    element(
      'li',
      '',
      element('bdi', '', label),
      count === 0
        ? ': fewer than five texts'
        : `: ${formatCount(correct)} of ${formatCount(count)}`,
    ),
  );
}

function mountExamples(store: Store<ClassifyState>, session: LearnSession): void {
  const typed = byId('learn-examples', HTMLTextAreaElement);
  const learn = byId('learn', HTMLButtonElement);
  const tried = byId('learn-try', HTMLInputElement);
  learn.addEventListener('click', () => void session.learnTyped(typed.value));
  onFilesChosen(byId('learn-file', HTMLInputElement), ([file]) => {
    if (file !== undefined) {
      void session.learnFile(file);
    }
  });
  onFilesChosen(byId('learn-open', HTMLInputElement), ([file]) => {
    if (file !== undefined) {
      void session.openSaved(file);
    }
  });
  byId('learn-samples', HTMLButtonElement).addEventListener('click', async () => {
    const { sampleLines, sampleText } = await import('./learn-examples.ts');
    typed.value = sampleLines;
    tried.value ||= sampleText;
    await session.learnTyped(sampleLines);
  });
  store.watch(['job'], ({ job }) => {
    learn.disabled = job !== null;
  });
}

export function mountLearnView(store: Store<ClassifyState>, session: LearnSession): void {
  const result = byId('learned', HTMLElement);
  const more = byId('learned-more', HTMLElement);
  const line = byId('learned-line', HTMLElement);
  const tried = byId('learn-try', HTMLInputElement);
  const labels = byId('learn-labels', HTMLOListElement);
  const scores = byId('learned-scores', HTMLElement);
  const trying = debounced(pauseMs, (text: string, signal) => session.tryText(text, signal));
  const render = (): void => {
    const rows = fold.take(store.state.triedLabels).map((one) => labelRow(one));
    labels.replaceChildren(...rows);
  };
  const fold = new ListFold(labels, { first: firstLabels, noun: 'labels', render });

  mountExamples(store, session);
  tried.addEventListener('input', () => trying.request(tried.value));
  byId('learn-save', HTMLButtonElement).addEventListener('click', async () => {
    const { learned } = store.state;
    if (learned !== null) {
      saveFile(await learned.classifier.save(), fileName);
    }
  });
  store.watch(['learned'], ({ learned }) => {
    result.hidden = learned === null;
    more.hidden = learned === null;
    line.textContent =
      learned === null
        ? 'Nothing is learned yet. Write examples, or fill some in.'
        : lineOf(learned);
    scores.replaceChildren(...(learned === null ? [] : scoreRows(learned)));
    byId('learned-details', HTMLElement).hidden = scores.childElementCount === 0;
    if (learned !== null) {
      trying.requestNow(tried.value);
    }
  });
  store.watch(['triedLabels'], render);
}
