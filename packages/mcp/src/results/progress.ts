// Progress of a job as notifications of the protocol.
import type { Progress } from 'ambry';

/** What the protocol has of progress. It must grow with each notification. */
export interface ProgressNotice {
  readonly progress: number;
  readonly message: string;
}

const pause = 100;

/**
 * A listener that sends notices, at most ten a second and of each phase the first. A job has phases, whose number nobody
 * knows before: the progress counts the phases that are done, and the share of this one.
 */
export function progressSender(
  send: (notice: ProgressNotice) => void,
  now: () => number = () => performance.now(),
): (progress: Progress) => void {
  let phase: string | undefined;
  let done = -1;
  let sent = Number.NEGATIVE_INFINITY;
  let last = 0;
  return (progress) => {
    const { loaded, total } = progress;
    const isNew = progress.phase !== phase || done + share(loaded, total) < last;
    if (isNew) {
      phase = progress.phase;
      done = Math.max(done + 1, Math.ceil(last));
    }
    const reached = done + share(loaded, total);
    if (reached <= last || (!isNew && now() - sent < pause)) {
      return;
    }
    last = reached;
    sent = now();
    const of = total > 0 ? ` of ${total}` : '';
    send({ progress: reached, message: `${progress.phase}: ${loaded}${of}` });
  };
}

function share(loaded: number, total: number): number {
  return total > 0 ? Math.min(loaded / total, 1) : 0;
}
