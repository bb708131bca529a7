// The clients of the HTTP server. Each has a session with a server of its own, which its requests name.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { McpService } from './mcp-service.ts';
import { Requests } from './requests.ts';

interface Session {
  readonly transport: StreamableHTTPServerTransport;
  readonly requests: Requests;
  /** Answers that are being sent, also the stream in which a client waits for messages. */
  sending: number;
  close(): Promise<void>;
}

interface SessionLimits {
  readonly maxBody: number;
  readonly maxSessions: number;
}

export class Sessions {
  readonly #service: McpService;
  readonly #limits: SessionLimits;
  /** The one that was used last comes last. */
  readonly #all = new Map<string, Session>();
  /** How many sessions are beginning. */
  #beginning = 0;

  constructor(service: McpService, limits: SessionLimits) {
    this.#service = service;
    this.#limits = limits;
  }

  /** Whether there is room for a client, for which one that is gone is let go. */
  async makeRoom(): Promise<boolean> {
    if (this.#all.size + this.#beginning < this.#limits.maxSessions) {
      return true;
    }
    for (const [id, session] of this.#all) {
      if (session.sending === 0 && session.requests.count === 0) {
        this.#all.delete(id);
        await session.close();
        return true;
      }
    }
    return false;
  }

  /** Answers a request of a client that has a session. False if there is no such session. */
  async answer(id: string, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const session = this.#all.get(id);
    if (!session) {
      return false;
    }
    this.#all.delete(id);
    this.#all.set(id, session);
    await sending(session, request, response);
    return true;
  }

  /** Answers the first request of a client. A session begins if it is the one that begins it. */
  async begin(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#beginning++;
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: this.#limits.maxBody,
      onsessioninitialized: (id) => {
        this.#all.set(id, session);
      },
    });
    const server = this.#service.createServer();
    const requests = new Requests(transport as Transport);
    const session: Session = { transport, requests, sending: 0, close: () => server.close() };
    server.server.onclose = () => {
      this.#all.delete(transport.sessionId ?? '');
    };
    try {
      await server.connect(transport as Transport);
      await sending(session, request, response);
    } finally {
      this.#beginning--;
      if (!this.#all.has(transport.sessionId ?? '')) {
        await server.close();
      }
    }
  }

  /** Resolves when all requests are answered, or after so many milliseconds. */
  async answered(most: number): Promise<void> {
    await Promise.all([...this.#all.values()].map(({ requests }) => requests.answered(most)));
  }

  /** Ends what runs. */
  async close(): Promise<void> {
    await Promise.all([...this.#all.values()].map((session) => session.close()));
  }
}

async function sending(
  session: Session,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  session.sending++;
  response.once('close', () => {
    session.sending--;
  });
  await session.transport.handleRequest(request, response);
}
