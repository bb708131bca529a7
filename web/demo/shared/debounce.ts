// Work that follows typing: it waits for a short pause, and only the newest input may answer.

export interface Latest<Input> {
  /** Asks for `input`, dropping whatever was asked before. */
  request(input: Input): void;
  /** The same without waiting for a pause. */
  requestNow(input: Input): void;
}

/** `work` must stop on its signal, or at least answer nothing once it is aborted. */
export function latest<Input>(
  pauseMs: number,
  work: (input: Input, signal: AbortSignal) => Promise<void>,
): Latest<Input> {
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
