// Waits out failures that pass by themselves, such as a restart of the database.
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from './ambry-errors.ts';
import { isPassing } from './failure.ts';

const maxPauseMs = 5000;

/** Calls `work` until the server answers. Other failures are thrown at once. */
export async function whileConnected<T>(
  work: () => Promise<T>,
  { signal, note }: { readonly signal: AbortSignal; readonly note: (line: string) => void },
): Promise<T> {
  for (let pauseMs = 100; ; pauseMs = Math.min(maxPauseMs, pauseMs * 2)) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error)) throw error;
      note(`${messageOf(error)} Trying again in ${pauseMs / 1000} s.`);
      await sleep(pauseMs, undefined, { signal });
    }
  }
}
