// Asks the model that answers questions, after each search of the page. A newer question aborts the reading for an older one.

import { AmbryError } from 'ambry';
import { debounced } from '../../shared/base/debounce.ts';
import type { Store } from '../../shared/base/store.ts';
import { byId } from '../../shared/dom/dom.ts';
import { endFailure } from '../../shared/jobs/jobs.ts';
import { sourceOf } from '../results/result-item.ts';
import { presentSources } from '../results/run-query.ts';

import { hybridOf, type SearchState } from '../state/state.ts';
import { mountAnswerBox, type Reading } from './answer-box.ts';

/** Reading takes far longer than searching, so it waits until nobody types. */
const typingPauseMs = 500;
/** The answers that are asked for: the best one, and others in a fold. */
const answerCount = 3;
/** The passages that are read. */
const passageCount = 10;
const failureTitle = 'The question was not answered';

/** `reopen` opens the model again after its worker died. */
export function mountAnswers(store: Store<SearchState>, reopen: () => void): void {
  const show = mountAnswerBox(store);
  const mayHaveNone = byId('reader-none', HTMLInputElement);

  const answer = async (query: string, signal: AbortSignal): Promise<void> => {
    const { index, reader, queryOptions } = store.state;
    if (index === null || reader === null || query === '') {
      show({ kind: 'waiting' });
      return;
    }
    const { mode = 'words', sources = [] } = queryOptions ?? {};
    const present = presentSources(index, sources);
    show({ kind: 'reading', loaded: 0, total: 0 });
    try {
      const answers = await index.answer(reader.model, query, {
        k: answerCount,
        passages: passageCount,
        noAnswer: mayHaveNone.checked,
        hybrid: hybridOf(mode),
        ...(present.length > 0 && { filter: (doc) => present.includes(sourceOf(doc)) }),
        signal,
        onProgress: ({ loaded, total }) => progress({ kind: 'reading', loaded, total }, signal),
      });
      if (!signal.aborted) {
        show({ kind: 'done', answers });
        endFailure(store, failureTitle);
      }
    } catch (error) {
      if (!signal.aborted) {
        fail(error);
      }
    }
  };
  const progress = (reading: Reading, signal: AbortSignal): void => {
    if (!signal.aborted) {
      show(reading);
    }
  };
  const fail = (error: unknown): void => {
    show({ kind: 'failed' });
    const crashed = error instanceof AmbryError && error.code === 'Crashed';
    const remedy = { label: 'Open the model for answers again', act: reopen };
    store.update({ failure: { title: failureTitle, error, ...(crashed && { remedy }) } });
  };
  const reading = debounced(typingPauseMs, answer);

  mayHaveNone.addEventListener('change', () => reading.requestNow(store.state.query));
  show({ kind: 'waiting' });
  store.watch(['answer', 'reader'], ({ answer: found, query }) => {
    if (found === null) {
      reading.requestNow('');
    } else {
      reading.request(query);
    }
  });
}
