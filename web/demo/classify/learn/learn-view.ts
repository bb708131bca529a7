// The part of the page that learns from texts: the examples, the score, a text to try, and the file.

import type { LabelScore } from 'ambry';
import { debounced } from '../../shared/base/debounce.ts';
import { formatCount, formatPercent } from '../../shared/base/format.ts';
import type { Store } from '../../shared/base/store.ts';
import { byId, element, onFilesChosen } from '../../shared/dom/dom.ts';
import { scoreBar } from '../../shared/dom/score-bar.ts';
import { saveFile } from '../../shared/files/save-file.ts';
import type { ClassifyState, Learned } from '../state/state.ts';
import type { LearnSession } from './learn-session.ts';

const pauseMs = 120;
const fileName = 'classifier.safetensors';

/** What it has learned, and how it did on what it had not seen. */
function lineOf({ classifier: { labels, training } }: Learned): string {
  const { examples, heldOut } = training;
  const learned = `Learned ${formatCount(labels.length)} labels from ${formatCount(examples)} texts.`;
  return heldOut === null
    ? `${learned} Give five texts or more of two labels to see how good it is.`
    : `${learned} Of ${formatCount(heldOut.count)} texts that it had not seen, it got ${formatCount(heldOut.correct)} right.`;
}

function rowOf({ label, score }: LabelScore): HTMLLIElement {
  const name = element('span', 'class-name', label);
  return element('li', '', name, scoreBar(score), element('span', 'score', formatPercent(score)));
}

export function mountLearnView(store: Store<ClassifyState>, session: LearnSession): void {
  const typed = byId('learn-examples', HTMLTextAreaElement);
  const learn = byId('learn', HTMLButtonElement);
  const result = byId('learned', HTMLElement);
  const line = byId('learned-line', HTMLElement);
  const tried = byId('learn-try', HTMLInputElement);
  const labels = byId('learn-labels', HTMLElement);
  const trying = debounced(pauseMs, (text: string, signal) => session.tryText(text, signal));

  learn.addEventListener('click', () => void session.learnTyped(typed.value));
  onFilesChosen(byId('learn-file', HTMLInputElement), ([file]) => {
    if (file !== undefined) {
      void session.learnFile(file);
    }
  });
  byId('learn-samples', HTMLButtonElement).addEventListener('click', async () => {
    typed.value = (await import('./learn-examples.ts')).sampleLines;
  });
  tried.addEventListener('input', () => trying.request(tried.value));
  byId('learn-save', HTMLButtonElement).addEventListener('click', async () => {
    const { learned } = store.state;
    if (learned !== null) {
      saveFile(await learned.classifier.save(), fileName);
    }
  });
  store.watch(['job'], ({ job }) => {
    learn.disabled = job !== null;
  });
  store.watch(['learned'], ({ learned }) => {
    result.hidden = learned === null;
    line.textContent = learned === null ? '' : lineOf(learned);
    if (learned !== null) {
      trying.requestNow(tried.value);
    }
  });
  store.watch(['textLabels'], ({ textLabels }) => {
    labels.replaceChildren(...textLabels.map(rowOf));
  });
}
