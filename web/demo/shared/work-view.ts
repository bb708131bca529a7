// What shell/work.html shows: the running job with counts and a cancel button, and what went wrong.

import { byId } from './dom.ts';
import { renderFailure } from './failure-view.ts';
import { formatBytes, formatCount } from './format.ts';
import type { JobHost, JobState } from './jobs.ts';
import type { Store } from './store.ts';

function detailOf(job: JobState): string {
  if (job.loaded === 0 && job.total === 0) {
    return '';
  }
  const show = job.unit === 'bytes' ? formatBytes : formatCount;
  const amount = job.total > 0 ? `${show(job.loaded)} of ${show(job.total)}` : show(job.loaded);
  const counted = job.unit === 'bytes' ? amount : `${amount} ${job.unit}`;
  return job.remark === '' ? counted : `${counted}, ${job.remark}`;
}

function renderBar(bar: HTMLProgressElement, job: JobState): void {
  if (job.total > 0) {
    bar.max = job.total;
    bar.value = job.loaded;
  } else {
    // A progress element without a value shows work of unknown length.
    bar.removeAttribute('value');
  }
}

export function mountWorkView<State extends JobHost>(store: Store<State>): void {
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
