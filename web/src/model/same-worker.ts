// In Node one script has every call. The worker that converts a source then opens the result, too, which saves the start of a
// second one.
import type { Platform } from '../platform/platform.ts';
import type { CrashReason, Port } from '../rpc/port.ts';

export interface SameWorker {
  /** Keeps a worker that has ended its work for the next that is wanted. */
  readonly platform: Platform;
  /** From now on workers end. Without a call before, so does the one that is kept. */
  readonly end: () => Promise<void>;
  /** From now on workers end, and the next that is wanted is the one that is kept. */
  readonly goOn: () => void;
}

export function sameWorker(platform: Platform): SameWorker {
  if (!platform.oneWorker) {
    return { platform, end: async () => {}, goOn: () => {} };
  }
  let kept: Port | undefined;
  let keeps = true;
  const take = () => {
    const taken = kept;
    kept = undefined;
    return taken;
  };
  const keep = (port: Port) => {
    if (keeps && !kept) {
      kept = port;
    }
    return kept === port;
  };
  return {
    platform: {
      ...platform,
      spawn: (worker) =>
        worker === 'chat-template'
          ? platform.spawn(worker)
          : (take() ?? againUsable(platform.spawn(worker), keep)),
    },
    end: async () => {
      keeps = false;
      await take()?.terminate();
    },
    goOn: () => {
      keeps = false;
    },
  };
}

/** A worker that others can listen to and greet anew, unless it has crashed or is busy when it should end. */
function againUsable(port: Port, keep: (port: Port) => boolean): Port {
  let hear: (message: unknown) => void = () => {};
  let tell: (reason: CrashReason) => void = () => {};
  let crash: CrashReason | undefined;
  let isBusy = false;
  port.listen(
    (message) => hear(message),
    (reason) => {
      crash ??= reason;
      tell(reason);
    },
  );
  const again: Port = {
    post: (message, transfer) => port.post(message, transfer),
    listen: (onMessage, onCrash) => {
      hear = onMessage;
      tell = onCrash;
      if (crash !== undefined) {
        onCrash(crash);
      }
    },
    hold: (busy) => {
      isBusy = busy;
      port.hold(busy);
    },
    terminate: () => {
      if (isBusy || crash !== undefined || !keep(again)) {
        return port.terminate();
      }
      hear = () => {};
      tell = () => {};
    },
  };
  return again;
}
