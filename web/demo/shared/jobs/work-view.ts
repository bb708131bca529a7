// Fills shell/work.html: the running job with its progress and a cancel button, and the last failure.

import { formatBytes, formatCount } from '../base/format.ts';
import type { Store } from '../base/store.ts';
import { byId, element } from '../dom/dom.ts';
import { floatAway } from '../dom/float-away.ts';
import { type FocusKeeper, keepFocus } from '../focus/focus-keeper.ts';
import type { Failure, JobProgress, PageState } from './jobs.ts';

/** From then on, the page shows for how long a job has run. */
const longMs = 3000;

function amountOf(job: JobProgress): string {
  if (job.loaded === 0 && job.total === 0) {
    return '';
  }
  const show = job.unit === 'bytes' ? formatBytes : formatCount;
  const amount = job.total > 0 ? `${show(job.loaded)} of ${show(job.total)}` : show(job.loaded);
  return job.unit === 'bytes' ? amount : `${amount} ${job.unit}`;
}

function detailOf(job: JobProgress, milliseconds: number): string {
  const amount = amountOf(job);
  const known = [amount, amount === '' ? '' : job.note];
  const time = milliseconds < longMs ? '' : `${Math.floor(milliseconds / 1000)} s`;
  const parts = [...known, time].filter((part) => part !== '');
  return parts.length === 0 ? 'Working…' : parts.join(', ');
}

function renderBar(bar: HTMLProgressElement, job: JobProgress): void {
  if (job.total > 0) {
    bar.max = job.total;
    bar.value = job.loaded;
  } else {
    // A progress bar without a value shows that the length is unknown.
    bar.removeAttribute('value');
  }
}

function mountJob<State extends PageState>(store: Store<State>, focus: FocusKeeper): void {
  const region = byId('job', HTMLElement);
  const title = byId('job-title', HTMLElement);
  const bar = byId('job-progress', HTMLProgressElement);
  const detail = byId('job-detail', HTMLElement);
  floatAway(region);
  let start = 0;
  let timer: ReturnType<typeof setInterval> | undefined;

  const showDetail = (): void => {
    const { job } = store.state;
    if (job !== null) {
      const passed = performance.now() - start;
      detail.textContent = detailOf(job, passed);
      region.classList.toggle('long', passed >= 1000);
    }
  };
  byId('job-cancel', HTMLButtonElement).addEventListener('click', () => store.state.job?.cancel());
  store.watch(['job'], ({ job }) => {
    if (job === null) {
      clearInterval(timer);
      timer = undefined;
      focus.leave(region);
    } else if (timer === undefined) {
      start = performance.now();
      timer = setInterval(showDetail, 1000);
    }
    region.hidden = job === null;
    if (job !== null) {
      title.textContent = job.title;
      showDetail();
      renderBar(bar, job);
    }
  });
}

/** The code for the box comes with the first failure. Where it does not come, the title and the message must do. */
async function boxOf(failure: Failure, dismiss: () => void): Promise<HTMLElement> {
  try {
    const { failureBox } = await import('./failure-view.ts');
    return failureBox(failure, dismiss);
  } catch {
    const { title, error } = failure;
    const message = error instanceof Error ? error.message : String(error);
    return element('div', 'problem', element('h2', '', title), element('p', '', message));
  }
}

export function mountWorkView<State extends PageState>(store: Store<State>): void {
  const problem = byId('problem', HTMLElement);
  const focus = keepFocus('#job, #problem');
  const dismiss = (): void => store.update({ failure: null } as Partial<State>);

  mountJob(store, focus);
  store.watch(['failure'], async ({ failure }) => {
    if (failure === null) {
      focus.leave(problem);
      problem.replaceChildren();
      return;
    }
    const box = await boxOf(failure, dismiss);
    if (store.state.failure === failure) {
      focus.leave(problem);
      problem.replaceChildren(box);
    }
  });
}
