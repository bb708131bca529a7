// Takes the lock of a cached file, and waits for the jobs that have it if the caller wants to.
import { sleep } from '../base/retry-policy.ts';
import { type CachedOptions, notKept } from './keeping.ts';
import type { Release } from './store.ts';

const busy = 'Another job is storing this file; this download is not kept.';
const isRead =
  'Another job still reads the kept copy, which is of another version; this download is not kept. End that job first.';
const pauseMs = 200;
/** How long a job waits for jobs that only read the file. They may run for days; one that stores it comes to an end. */
const readersMs = 30_000;

/** The lock, or a note why there is none. */
export async function lockFor(
  key: string,
  mode: 'shared' | 'exclusive',
  { store, signal, onWait, readersWaitMs = readersMs }: CachedOptions,
): Promise<Release | string> {
  let waited = 0;
  try {
    for (;;) {
      const release = await store.lock(key, mode);
      if (release) {
        return release;
      }
      if (!onWait) {
        return busy;
      }
      const reader = await store.lock(key, 'shared');
      await reader?.();
      // Nobody writes.
      if (reader && mode === 'exclusive' && waited >= readersWaitMs) {
        return isRead;
      }
      waited = reader ? waited + pauseMs : 0;
      onWait();
      await sleep(pauseMs, signal);
    }
  } catch (error) {
    signal.throwIfAborted();
    return notKept(error);
  }
}
