// Knows which requests of a connection wait for their answers.
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';

export class Requests {
  readonly #open = new Set<RequestId>();
  readonly #waiting = new Set<() => void>();

  /** Watches a transport that no server is connected to yet. */
  constructor(transport: Transport) {
    transport.onmessage = (message) => this.#received(message);
    const send = transport.send.bind(transport);
    transport.send = async (message, options) => {
      try {
        await send(message, options);
      } finally {
        this.#sent(message);
      }
    };
  }

  get count(): number {
    return this.#open.size;
  }

  /** Resolves when all requests are answered, or after so many milliseconds. */
  async answered(most: number): Promise<void> {
    if (this.count === 0) {
      return;
    }
    let late: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#waiting.add(resolve);
      late = setTimeout(resolve, most);
    });
    clearTimeout(late);
  }

  #received(message: JSONRPCMessage): void {
    if (!('method' in message)) {
      return;
    }
    if ('id' in message) {
      this.#open.add(message.id);
    } else if (message.method === 'notifications/cancelled') {
      // A request that was cancelled has no answer.
      this.#closed(message.params?.['requestId'] as RequestId);
    }
  }

  #sent(message: JSONRPCMessage): void {
    if (!('method' in message) && message.id !== undefined) {
      this.#closed(message.id);
    }
  }

  #closed(id: RequestId): void {
    this.#open.delete(id);
    if (this.count === 0) {
      for (const resolve of this.#waiting) {
        resolve();
      }
      this.#waiting.clear();
    }
  }
}
