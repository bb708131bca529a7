// Clients of the protocol's own library, and what tests ask of them.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  getDefaultEnvironment,
  StdioClientTransport,
} from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { cliArgs } from '../../../../tests/web/support/cli/cli.ts';
import { createMcpService, type McpOptions } from '../../src/index.ts';

export interface TestClient extends AsyncDisposable {
  readonly client: Client;
  /** What the server wrote to standard error, if it is a process. */
  readonly log: () => string;
  /** The result as JSON. Fails if it is an error. */
  call(name: string, args?: Record<string, unknown>, options?: RequestOptions): Promise<Answer>;
  /** The text of an error. Fails if it is none. */
  failure(name: string, args?: Record<string, unknown>): Promise<string>;
}

/** The members of results that tests look at. */
// biome-ignore lint/suspicious/noExplicitAny: each tool has members of its own
export type Answer = Record<string, any>;

/** `ambry mcp` as a child process. */
export async function stdioClient(args: readonly string[]): Promise<TestClient> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...cliArgs, 'mcp', ...args],
    env: { ...getDefaultEnvironment(), ...nodeEnvironment() },
    stderr: 'pipe',
  });
  let log = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    log += chunk.toString();
  });
  return connected(transport, () => log);
}

const nodeEnvironment = () =>
  Object.fromEntries(
    ['NODE_COMPILE_CACHE', 'NODE_OPTIONS'].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

export function httpClient(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestClient> {
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  return connected(transport as Transport);
}

/** A server in this process. */
export async function localClient(options: McpOptions): Promise<TestClient> {
  const service = createMcpService(options);
  const [own, other] = InMemoryTransport.createLinkedPair();
  await service.createServer().connect(other);
  const opened = await connected(own);
  return {
    ...opened,
    [Symbol.asyncDispose]: async () => {
      await opened.client.close();
      await service.dispose();
    },
  };
}

async function connected(transport: Transport, log = () => ''): Promise<TestClient> {
  const client = new Client({ name: 'tests', version: '1.0.0' });
  await client.connect(transport);
  const ask = async (name: string, args: Record<string, unknown> = {}, options?: RequestOptions) =>
    (await client.callTool({ name, arguments: args }, undefined, options)) as CallToolResult;
  return {
    client,
    log,
    call: async (name, args, options) => {
      const result = await ask(name, args, options);
      const text = textOf(result);
      if (result.isError) {
        throw new Error(text);
      }
      return JSON.parse(text) as Answer;
    },
    failure: async (name, args) => {
      const result = await ask(name, args);
      if (!result.isError) {
        throw new Error(`No error: ${textOf(result)}`);
      }
      return textOf(result);
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

function textOf({ content }: CallToolResult): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
