// Locks that all tabs and workers of an origin share.
import type { Release } from './store.ts';

/** Takes the lock if it is free now. */
export function webLock(key: string, mode: LockMode): Promise<Release | undefined> {
  const { locks } = navigator as { locks?: LockManager };
  if (!locks) {
    return Promise.resolve(() => Promise.resolve());
  }
  return new Promise((resolve, reject) => {
    const hold = (lock: Lock | null) =>
      new Promise<void>((free) => {
        const release = () => {
          free();
          return released;
        };
        resolve(lock ? release : undefined);
        if (!lock) {
          free();
        }
      });
    const released = locks.request(`ambry-cache-${key}`, { mode, ifAvailable: true }, hold);
    released.catch(reject);
  });
}
