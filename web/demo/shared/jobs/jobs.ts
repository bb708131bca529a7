// Runs the long work of a page, one job at a time. The page shows the running job and can cancel it. A new job
// waits for the running one, or cancels it.

import type { Store } from '../base/store.ts';
import type { Plain } from '../failures/plain.ts';

/** The running job as the page shows it. */
export interface JobProgress {
  readonly title: string;
  readonly loaded: number;
  /** 0 while it is unknown. */
  readonly total: number;
  readonly unit: 'bytes' | 'documents' | 'passages' | 'questions' | 'runs' | 'tokens';
  /** Shown after the counts, such as the speed. */
  readonly note: string;
  readonly cancel: () => void;
}

/** An error with the page's title for it. */
export interface Failure {
  readonly title: string;
  readonly error: unknown;
  /** What the error means. By default the table of failures/plain.ts says it. */
  readonly plain?: Plain;
  /** A button that may solve the problem. */
  readonly remedy?: { readonly label: string; readonly act: () => void };
}

/** The part of the state that every page has. */
export interface PageState {
  readonly job: JobProgress | null;
  readonly failure: Failure | null;
  readonly notice: string;
}

/** What the work of a job is given. */
export interface JobContext {
  readonly signal: AbortSignal;
  /** Shows another title and restarts the progress. */
  stage(title: string, unit: JobProgress['unit']): void;
  report(loaded: number, total: number, note?: string): void;
}

export interface JobPlan {
  /** Shown while the job runs: "Opening the model". */
  readonly title: string;
  /** Shown when it fails: "The model was not opened". */
  readonly failureTitle: string;
  /** Shown when it is cancelled. By default it says that nothing has changed. */
  readonly cancelNotice?: string;
  readonly unit: JobProgress['unit'];
  /** Finds out more about an error: what it means, and a remedy. */
  readonly explain?: (error: unknown) => Promise<Pick<Failure, 'plain' | 'remedy'>>;
  /** Cancels the running job instead of waiting for it, unless that one is `uninterruptible`. */
  readonly interrupts?: boolean;
  /** Other jobs wait until it is done. */
  readonly uninterruptible?: boolean;
  /** Runs in the background: any other job cancels it, and its caller starts it again later. It does not clear the
   *  notice and the failure of the job before it. */
  readonly background?: boolean;
}

/** A job that opens something in place of what is open. A newer one takes its place. */
export function openingPlan(
  title: string,
  failureTitle: string,
  explain?: JobPlan['explain'],
): JobPlan {
  return { title, failureTitle, unit: 'bytes', interrupts: true, ...(explain && { explain }) };
}

/** The abort reason of a job that another job cancelled. */
export const interrupted = new DOMException('Another job comes first.', 'AbortError');

/** Ends the failure with this title: the same has succeeded now. */
export function endFailure<State extends PageState>(store: Store<State>, title: string): void {
  if (store.state.failure?.title === title) {
    store.update({ failure: null } as Partial<State>);
  }
}

export class Jobs<State extends PageState> {
  readonly #store: Store<State>;
  #running: { readonly plan: JobPlan; readonly controller: AbortController } | null = null;
  #last: Promise<void> = Promise.resolve();

  constructor(store: Store<State>) {
    this.#store = store;
  }

  /** Runs `work` when it is its turn. Failures and cancels are written to the state, not thrown. */
  run(plan: JobPlan, work: (context: JobContext) => Promise<void>): Promise<void> {
    const running = this.#running;
    if (running?.plan.background || (plan.interrupts && !running?.plan.uninterruptible)) {
      running?.controller.abort(interrupted);
    }
    this.#last = this.#last.then(() => this.#runNow(plan, work));
    return this.#last;
  }

  async #runNow(plan: JobPlan, work: (context: JobContext) => Promise<void>): Promise<void> {
    const controller = new AbortController();
    this.#running = { plan, controller };
    if (!plan.background) {
      this.#patch({ failure: null, notice: '' });
    }
    try {
      await work(this.#context(plan, controller));
      // Jobs in the background do not clear the failure before they start.
      endFailure(this.#store, plan.failureTitle);
    } catch (error) {
      await this.#fail(plan, error, controller.signal);
    }
    this.#running = null;
    this.#patch({ job: null });
  }

  #context(plan: JobPlan, controller: AbortController): JobContext {
    const { signal } = controller;
    const cancel = (): void => controller.abort();
    let { title, unit } = plan;
    const show = (loaded: number, total: number, note = ''): void => {
      if (!signal.aborted) {
        this.#patch({ job: { title, unit, loaded, total, note, cancel } });
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

  async #fail(plan: JobPlan, error: unknown, signal: AbortSignal): Promise<void> {
    // Nothing more is known of an error while it is being explained, and a cancel ends that, too.
    const more = signal.aborted ? {} : await plan.explain?.(error).catch(() => ({}));
    if (signal.aborted) {
      this.#patch({ notice: plan.cancelNotice ?? 'Cancelled. Nothing has changed.' });
    } else {
      this.#patch({ failure: { title: plan.failureTitle, error, ...more } });
    }
  }

  #patch(patch: Partial<PageState>): void {
    this.#store.update(patch as Partial<State>);
  }
}
