// Long work on a page: one job at a time, visible and cancellable. A new job waits for the one before
// it, or stops it when it makes its result pointless.

import type { Store } from './store.ts';

/** A job as the page shows it. `total` is 0 while it is unknown. */
export interface JobState {
  readonly title: string;
  readonly loaded: number;
  readonly total: number;
  readonly unit: 'bytes' | 'documents' | 'passages' | 'questions' | 'runs' | 'tokens';
  /** What else is worth saying of its progress. */
  readonly remark: string;
  readonly cancel: () => void;
}

/** What goes wrong, in the page's words and the error's own. */
export interface Failure {
  readonly title: string;
  readonly error: unknown;
  /** What can be done about it. */
  readonly remedy?: { readonly label: string; readonly act: () => void };
}

export interface JobHost {
  readonly job: JobState | null;
  readonly failure: Failure | null;
  readonly notice: string;
}

/** What a job reports through. */
export interface JobContext {
  readonly signal: AbortSignal;
  stage(title: string, unit: JobState['unit']): void;
  report(loaded: number, total: number, remark?: string): void;
}

export interface JobPlan {
  /** "Opening the model": shown while it runs. */
  readonly title: string;
  /** "The model could not be opened": shown when it fails. */
  readonly failureTitle: string;
  /** "Cancelled. The previous model is still in use.": shown when it is cancelled. */
  readonly cancelNotice: string;
  readonly unit: JobState['unit'];
  /** Stop the running job instead of waiting for it, unless that one is `lasting`. */
  readonly interrupts?: boolean;
  /** Its result is wanted whatever comes next, so that others wait for it. */
  readonly lasting?: boolean;
  /** Stop for any other job; whoever started it goes on with it afterwards. What was said of the job before
   *  it stays. */
  readonly yields?: boolean;
}

/** Why a job that yields was stopped. */
export const yielded = new DOMException('Another job comes first.', 'AbortError');

export class Jobs<State extends JobHost> {
  readonly #store: Store<State>;
  #running: { readonly plan: JobPlan; readonly controller: AbortController } | null = null;
  #last: Promise<void> = Promise.resolve();

  constructor(store: Store<State>) {
    this.#store = store;
  }

  /** Runs `work` in its turn. Failures and cancels end up in the state, not at the caller. */
  run(plan: JobPlan, work: (context: JobContext) => Promise<void>): Promise<void> {
    const running = this.#running;
    if (running?.plan.yields || (plan.interrupts && !running?.plan.lasting)) {
      running?.controller.abort(yielded);
    }
    this.#last = this.#last.then(() => this.#runNow(plan, work));
    return this.#last;
  }

  async #runNow(plan: JobPlan, work: (context: JobContext) => Promise<void>): Promise<void> {
    const controller = new AbortController();
    this.#running = { plan, controller };
    if (!plan.yields) {
      this.#patch({ failure: null, notice: '' });
    }
    try {
      await work(this.#context(plan, controller));
    } catch (error) {
      this.#fail(plan, error, controller.signal.aborted);
    }
    this.#running = null;
    this.#patch({ job: null });
  }

  #context(plan: JobPlan, controller: AbortController): JobContext {
    const { signal } = controller;
    const cancel = (): void => controller.abort();
    let { title, unit } = plan;
    const show = (loaded: number, total: number, remark = ''): void => {
      if (!signal.aborted) {
        this.#patch({ job: { title, unit, loaded, total, remark, cancel } });
      }
    };
    show(0, 0);
    return {
      signal,
      report: show,
      stage(nextTitle, nextUnit) {
        title = nextTitle;
        unit = nextUnit;
        show(0, 0);
      },
    };
  }

  #fail(plan: JobPlan, error: unknown, aborted: boolean): void {
    if (aborted) {
      this.#patch({ notice: plan.cancelNotice });
    } else {
      this.#patch({ failure: { title: plan.failureTitle, error } });
    }
  }

  #patch(patch: Partial<JobHost>): void {
    this.#store.update(patch as Partial<State>);
  }
}
