// A worker that may have to be started in another way: a page learns only later that a script did not load.
import { AmbryError, messageOf } from '../base/errors.ts';
import { type CrashReason, notLoaded, type Port } from '../rpc/port.ts';

/** Starts a worker with `start`. If that throws, or the script does not load, `instead` starts another one, which gets the
 *  same messages. */
export function startingPort(start: () => Port, instead: (reason: unknown) => Promise<Port>): Port {
  let port: Port | undefined;
  let isEnded = false;
  /** What was posted before the script was loaded, and how many of it the worker has. What moves memory waits: it could
   *  not be posted again. */
  let posted: Parameters<Port['post']>[] | undefined = [];
  let sent = 0;
  let onMessage: (message: unknown) => void;
  let onCrash: (reason: CrashReason) => void;

  function use(next: Port, isReady: boolean): void {
    port = next;
    port.listen(
      (message) => {
        if ((message as { ready?: true }).ready) {
          flush();
        } else {
          onMessage(message);
        }
      },
      (reason) => {
        if (posted && reason === notLoaded) {
          void useOther(reason);
        } else {
          onCrash(reason);
        }
      },
    );
    if (isReady) {
      flush();
    }
  }

  function flush(): void {
    const waiting = posted?.slice(sent) ?? [];
    posted = undefined;
    for (const each of waiting) {
      port?.post(...each);
    }
  }

  async function useOther(reason: unknown): Promise<void> {
    void port?.terminate();
    port = undefined;
    sent = 0;
    try {
      const other = await instead(reason);
      if (isEnded) {
        await other.terminate();
      } else {
        use(other, true);
      }
    } catch (error) {
      if (!isEnded) {
        onCrash(error instanceof AmbryError ? error : messageOf(error));
      }
    }
  }

  return {
    listen: (...listeners) => {
      [onMessage, onCrash] = listeners;
      try {
        use(start(), false);
      } catch (error) {
        void useOther(error);
      }
    },
    post: (message, transfer) => {
      if (!posted) {
        return port?.post(message, transfer);
      }
      posted.push([message, transfer]);
      for (; port && posted[sent]?.[1].length === 0; sent++) {
        port.post(...(posted[sent] as [unknown, []]));
      }
    },
    hold: () => {},
    terminate: () => {
      isEnded = true;
      posted = undefined;
      return port?.terminate();
    },
  };
}
