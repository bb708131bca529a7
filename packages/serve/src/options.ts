// The options of the server, and what they are when absent.
import { AmbryError } from 'ambry';
import { z } from 'zod';
import { firstProblem } from './problems.ts';

export interface ServeOptions {
  /** Requests must have this key: `Authorization: Bearer KEY`. */
  readonly apiKey?: string;
  /** Origins of web pages that may call the server, such as `https://example.org`; `*` allows all. None when absent. */
  readonly cors?: readonly string[];
  /** Host names by which the server may be called, besides `localhost` and IP addresses. They matter without a key only. */
  readonly allowedHosts?: readonly string[];
  /** Bytes of a request; 8 MB when absent. */
  readonly maxBody?: number;
  /** Texts to embed, documents to rank or prompts to complete in a request; 2,048 when absent. */
  readonly maxInputs?: number;
  /** Answers to one prompt (`n`); 16 when absent. */
  readonly maxAnswers?: number;
  /** Tokens of an answer, also if a request asks for more; as many as the context has room for when absent. */
  readonly maxTokens?: number;
  /** Requests that wait for a model; 32 when absent. More are refused with 429. */
  readonly maxQueue?: number;
  /** Seconds that a request may take, with its wait; 300 when absent. */
  readonly requestTimeout?: number;
  /** Workers that embed the texts of a request side by side; 1 when absent. */
  readonly workers?: number;
}

export interface ListenOptions extends ServeOptions {
  /** `127.0.0.1` when absent. Another one than of the loopback interface needs an `apiKey`, or `withoutKey`. */
  readonly host?: string;
  /** 8080 when absent; 0 takes a free one. */
  readonly port?: number;
  /** Lets other machines call the server without a key. */
  readonly withoutKey?: boolean;
  /** Connections at a time; 256 when absent. */
  readonly maxConnections?: number;
  /** Seconds in which running answers may end after `close`; 30 when absent. */
  readonly closeTimeout?: number;
}

export const serveDefaults = {
  cors: [],
  allowedHosts: [],
  maxBody: 8 * 1024 * 1024,
  maxInputs: 2048,
  maxAnswers: 16,
  maxQueue: 32,
  requestTimeout: 300,
  workers: 1,
} as const satisfies ServeOptions;

export const listenDefaults = {
  host: '127.0.0.1',
  port: 8080,
  withoutKey: false,
  maxConnections: 256,
  closeTimeout: 30,
} as const satisfies ListenOptions;

export type Settings = ServeOptions & Required<Pick<ServeOptions, keyof typeof serveDefaults>>;
export type ListenSettings = Required<Pick<ListenOptions, keyof typeof listenDefaults>>;

const count = z.int().min(1);
/** Node's timers hold no more milliseconds than 2^31 - 1. */
const seconds = z.number().positive().max(2_147_483);
const serveFields = {
  apiKey: z.string().min(1).optional(),
  cors: z.array(z.string()).optional(),
  allowedHosts: z.array(z.string()).optional(),
  maxBody: count.optional(),
  maxInputs: count.optional(),
  maxAnswers: count.optional(),
  maxTokens: count.optional(),
  maxQueue: z.int().min(0).optional(),
  requestTimeout: seconds.optional(),
  workers: count.max(64).optional(),
};
const listenFields = {
  host: z.string().min(1).optional(),
  port: z.int().min(0).max(65_535).optional(),
  withoutKey: z.boolean().optional(),
  maxConnections: count.optional(),
  closeTimeout: seconds.optional(),
};

/** Throws `BadValue` at `options…`. */
export function serveSettings(options: ServeOptions): Settings {
  check(z.strictObject(serveFields), options);
  return { ...serveDefaults, ...options };
}

/** Throws `BadValue` at `options…`. */
export function listenSettings(options: ListenOptions): [ServeOptions, ListenSettings] {
  check(z.strictObject({ ...serveFields, ...listenFields }), options);
  const { host, port, withoutKey, maxConnections, closeTimeout, ...rest } = options;
  const given = { host, port, withoutKey, maxConnections, closeTimeout };
  const present = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  );
  return [rest, { ...listenDefaults, ...present }];
}

function check(schema: z.ZodType, options: object): void {
  const { error } = schema.safeParse(options);
  if (!error) return;
  const { path, message } = firstProblem(error);
  throw new AmbryError('BadValue', message, { path: path === '' ? 'options' : `options.${path}` });
}
