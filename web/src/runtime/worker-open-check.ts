// What a call needs open.
import { AmbryError } from '../base/errors.ts';

/** The page opens before it calls; only a worker that was replaced after a crash has nothing open. */
export function requireOpen<T>(opened: T | undefined): T {
  if (opened !== undefined) {
    return opened;
  }
  throw new AmbryError('Crashed', 'The worker that held this is gone; open it again.');
}
