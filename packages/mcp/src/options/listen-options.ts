// The options of the two ways to serve.
import { z } from 'zod';
import { exactObject } from './check-options.ts';
import { mcpDefaults } from './defaults.ts';
import { type McpSettings, mcpShape, type Shape } from './mcp-options.ts';

export interface StdioOptions {
  /** Ends the server. */
  readonly signal?: AbortSignal | undefined;
  /** Seconds in which running calls may end when the client closes the input; 10 when absent. */
  readonly closeTimeout?: number | undefined;
  /** Bytes of a message; 4 MiB when absent. A longer one ends the connection. */
  readonly maxMessage?: number | undefined;
}

export interface HttpOptions {
  /** `127.0.0.1` when absent. Another one than of the loopback interface needs an `apiKey`, or `withoutKey`. */
  readonly host?: string | undefined;
  /** 8082 when absent; 0 takes a free one. */
  readonly port?: number | undefined;
  /** Requests must have this key: `Authorization: Bearer KEY`. */
  readonly apiKey?: string | undefined;
  /** Lets other machines call the server without a key. */
  readonly withoutKey?: boolean | undefined;
  /** Host names by which the server may be called, besides `localhost` and IP addresses. They matter without a key only. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Origins of web pages that may call the server, such as `https://example.org`; `*` allows all. None when absent. */
  readonly cors?: readonly string[] | undefined;
  /** Bytes of a request; 4 MiB when absent. */
  readonly maxBody?: number | undefined;
  /** Connections at a time; 256 when absent. */
  readonly maxConnections?: number | undefined;
  /** Clients at a time; 64 when absent. A further one takes the place of one that is gone, or is refused. */
  readonly maxSessions?: number | undefined;
  /** Seconds in which running calls may end after `close`; 10 when absent. */
  readonly closeTimeout?: number | undefined;
}

/** The options with their defaults. */
type Settings<Options, Optional extends keyof Options> = {
  readonly [Name in keyof Options]-?:
    | Exclude<Options[Name], undefined>
    | (Name extends Optional ? undefined : never);
};
type StdioSettings = Settings<StdioOptions, 'signal'>;
export type HttpSettings = Settings<HttpOptions, 'apiKey'>;

const count = z.int().min(1);
const day = 86_400;
const mostBytes = 256 * 1024 * 1024;
const closeTimeout = z.number().min(0).max(day).default(mcpDefaults.closeTimeout);
const bytes = count.max(mostBytes).default(mcpDefaults.maxBody);

const stdioShape: Shape<StdioSettings> = {
  closeTimeout,
  maxMessage: bytes,
  signal: z.instanceof(AbortSignal, { error: 'Must be a signal' }).optional(),
};

export const stdioSchema: z.ZodType<McpSettings & StdioSettings> = exactObject(
  { ...mcpShape, ...stdioShape },
  'option',
);

const origin = z.string().refine(isOrigin, {
  error: 'Must be an origin such as https://example.org, without a path, or *',
});
const hostName = z.string().regex(/^[\w.-]+$/, { error: 'Must be a host name without a port' });

const httpShape: Shape<HttpSettings> = {
  host: z.string().min(1).default(mcpDefaults.host),
  port: z.int().min(0).max(65_535).default(mcpDefaults.port),
  apiKey: z.string().min(1).optional(),
  withoutKey: z.boolean().default(false),
  allowedHosts: z.array(hostName).default([]),
  cors: z.array(origin).default([]),
  maxBody: bytes,
  maxConnections: count.default(mcpDefaults.maxConnections),
  maxSessions: count.default(mcpDefaults.maxSessions),
  closeTimeout,
};

export const httpSchema: z.ZodType<McpSettings & HttpSettings> = exactObject(
  { ...mcpShape, ...httpShape },
  'option',
);

function isOrigin(text: string): boolean {
  return text === '*' || (URL.canParse(text) && new URL(text).origin === text);
}
