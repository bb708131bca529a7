// Fills shell/work.html: the running job with its progress and a cancel button, and the last failure.

import { byId } from './dom.ts';
import { renderFailure } from './failure-view.ts';
import { formatBytes, formatCount } from './format.ts';
import type { JobProgress, PageState } from './jobs.ts';
import type { Store } from './store.ts';

function detailOf(job: JobProgress): string {
  if (job.loaded === 0 && job.total === 0) {
    return '';
  }
  const show = job.unit === 'bytes' ? formatBytes : formatCount;
  const amount = job.total > 0 ? `${show(job.loaded)} of ${show(job.total)}` : show(job.loaded);
  const counted = job.unit === 'bytes' ? amount : `${amount} ${job.unit}`;
  return job.note === '' ? counted : `${counted}, ${job.note}`;
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

export function mountWorkView<State extends PageState>(store: Store<State>): void {
  const region = byId('job', HTMLElement);
  const title = byId('job-title', HTMLElement);
  const bar = byId('job-progress', HTMLProgressElement);
  const detail = byId('job-detail', HTMLElement);
  const cancel = byId('job-cancel', HTMLButtonElement);
  const problem = byId('problem', HTMLElement);

  cancel.addEventListener('click', () => store.state.job?.cancel());
  store.watch(['job'], ({ job }) => {
    region.hidden = job === null;
    if (job !== null) {
      title.textContent = job.title;
      detail.textContent = detailOf(job);
      renderBar(bar, job);
    }
  });
  store.watch(['failure'], ({ failure }) => {
    renderFailure(problem, failure, () => store.update({ failure: null } as Partial<State>));
  });
}
