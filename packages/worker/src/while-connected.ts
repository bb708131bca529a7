// Waits out outages, such as a restart of the database.
import { setTimeout as sleep } from 'node:timers/promises';
import { OutageError } from './failure.ts';

const maxPauseMs = 5000;

/** Calls `work` until there is no outage. Other failures are thrown at once, and an abort ends the waiting. */
export async function whileConnected<T>(
  work: () => Promise<T>,
  { signal, note }: { readonly signal: AbortSignal; readonly note: (line: string) => void },
): Promise<T> {
  for (let pauseMs = 100; ; pauseMs = Math.min(maxPauseMs, pauseMs * 2)) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof OutageError)) {
        throw error;
      }
      signal.throwIfAborted();
      note(`${error.message} Trying again in ${pauseMs / 1000} s.`);
      await sleep(pauseMs, undefined, { signal });
    }
  }
}
