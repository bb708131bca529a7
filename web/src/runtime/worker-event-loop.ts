// Lets the worker read its messages between two pieces of work, so that a cancel arrives. A message
// to oneself is used because timers are slowed down to 4 ms and more.

export class EventLoop {
  /** Older runtimes at the edge have none. */
  readonly #channel = typeof MessageChannel === 'function' ? new MessageChannel() : undefined;

  /** Takes one turn of the event loop, and throws if the signal was aborted meanwhile. */
  async turn(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      if (!this.#channel) {
        setTimeout(resolve);
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
