// Runs work after a pause in typing. A newer input aborts the work for an older one.

export interface Debounced<Input> {
  /** Runs the work for `input` after the pause, unless another request comes first. */
  request(input: Input): void;
  /** Runs the work for `input` at once. */
  requestNow(input: Input): void;
}

/** `work` must not show a result once its signal is aborted. */
export function debounced<Input>(
  pauseMs: number,
  work: (input: Input, signal: AbortSignal) => Promise<void>,
): Debounced<Input> {
  let running = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const run = (input: Input): void => {
    clearTimeout(timer);
    running.abort();
    running = new AbortController();
    void work(input, running.signal);
  };
  return {
    request(input) {
      clearTimeout(timer);
      timer = setTimeout(run, pauseMs, input);
    },
    requestNow: run,
  };
}
