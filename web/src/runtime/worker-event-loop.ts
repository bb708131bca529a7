// Lets the worker read its messages between two pieces of work, so that a cancel arrives. A message
// to oneself is used where there is nothing better, because timers are slowed down to 4 ms and more.

/** Node has it. Its first message to a port loads the code of `fetch`, which takes longer than opening a small model. */
const { setImmediate: soon } = globalThis as { readonly setImmediate?: (run: () => void) => void };

export class EventLoop {
  /** Older runtimes at the edge have none. */
  readonly #channel =
    soon || typeof MessageChannel !== 'function' ? undefined : new MessageChannel();

  /** Takes one turn of the event loop, and throws if the signal was aborted meanwhile. */
  async turn(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      if (!this.#channel) {
        (soon ?? setTimeout)(() => resolve());
        return;
      }
      this.#channel.port1.onmessage = () => resolve();
      this.#channel.port2.postMessage(null);
    });
    signal.throwIfAborted();
  }

  /** An open channel would keep Node alive. */
  close(): void {
    this.#channel?.port1.close();
  }
}

/** Runs `work` with an `EventLoop` of its own. */
export async function withEventLoop<T>(work: (eventLoop: EventLoop) => Promise<T>): Promise<T> {
  const eventLoop = new EventLoop();
  try {
    return await work(eventLoop);
  } finally {
    eventLoop.close();
  }
}
