// An abort rejects at once. What was begun goes on: it is small, and the next search is likely to need it.
export async function withSignal<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) {
    return work;
  }
  // After the abort nobody else handles a failure.
  work.catch(() => {});
  signal.throwIfAborted();
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    if (stop) {
      signal.removeEventListener('abort', stop);
    }
  }
}
