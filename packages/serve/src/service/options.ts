// The options of the server, and what they are when absent.

import { AmbryError } from 'ambry';
import { firstProblem } from 'ambry-openai/shared';
import { z } from 'zod';
import { serverDefaults } from './defaults.ts';

export interface ServeOptions {
  /** Requests must have this key: `Authorization: Bearer KEY`. */
  readonly apiKey?: string | undefined;
  /** Origins of web pages that may call the server, such as `https://example.org`; `*` allows all. None when absent. */
  readonly cors?: readonly string[];
  /** Host names by which the server may be called, besides `localhost` and IP addresses. They matter without a key only. */
  readonly allowedHosts?: readonly string[];
  /** Bytes of a request, at most 256 MiB; 8 MiB when absent. */
  readonly maxBody?: number;
  /** Texts to embed, documents to rank or prompts to complete in a request; 2,048 when absent. */
  readonly maxInputs?: number;
  /** Answers to one prompt (`n`); 16 when absent. */
  readonly maxAnswers?: number;
  /** Tokens of an answer, also if a request asks for more; as many as the context has room for when absent. */
  readonly maxTokens?: number | undefined;
  /** Requests that wait for a model; 128 when absent. More are refused with 429. */
  readonly maxQueue?: number;
  /** Seconds that a request may take, with its wait; 300 when absent. */
  readonly requestTimeout?: number;
  /** Workers that embed the texts of a request side by side; 1 when absent. */
  readonly workers?: number;
  /** Refuses requests with fields that the server does not know. Without it such fields are ignored, with a warning. */
  readonly strict?: boolean;
  /** Called with a sentence for each kind of request that has fields which the server does not know, once for a field. */
  readonly onWarning?: ((message: string) => void) | undefined;
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

const count = z.int().min(1);
const mebibyte = 1024 * 1024;
const day = 86_400;
const seconds = z.number().positive().max(day);
const origin = z.string().refine(isOrigin, {
  error: 'Must be an origin such as https://example.org, without a path, or *',
});
const hostName = z.string().regex(/^[\w.-]+$/, { error: 'Must be a host name without a port' });

const serveSchema = z.strictObject({
  apiKey: z.string().min(1).optional(),
  cors: z.array(origin).default([]),
  allowedHosts: z.array(hostName).default([]),
  maxBody: count.max(256 * mebibyte).default(serverDefaults.maxBody),
  maxInputs: count.default(serverDefaults.maxInputs),
  maxAnswers: count.default(serverDefaults.maxAnswers),
  maxTokens: count.optional(),
  maxQueue: z.int().min(0).default(serverDefaults.maxQueue),
  requestTimeout: seconds.default(serverDefaults.requestTimeout),
  workers: count.max(64).default(serverDefaults.workers),
  strict: z.boolean().default(false),
  onWarning: z
    .custom<(message: string) => void>((value) => typeof value === 'function', {
      error: 'Must be a function',
    })
    .optional(),
});

const listenSchema = serveSchema.extend({
  host: z.string().min(1).default(serverDefaults.host),
  port: z.int().min(0).max(65_535).default(serverDefaults.port),
  withoutKey: z.boolean().default(false),
  maxConnections: count.default(serverDefaults.maxConnections),
  closeTimeout: seconds.default(serverDefaults.closeTimeout),
});

export type Settings = z.infer<typeof serveSchema>;

function isOrigin(text: string): boolean {
  return text === '*' || (URL.canParse(text) && new URL(text).origin === text);
}

/** Throws `BadValue` at `options…`. */
export function serveSettings(options: ServeOptions): Settings {
  return parsed(serveSchema, options);
}

/** Throws `BadValue` at `options…`. */
export function listenSettings(options: ListenOptions): z.infer<typeof listenSchema> {
  return parsed(listenSchema, options);
}

function parsed<T>(schema: z.ZodType<T>, options: object): T {
  const { data, error } = schema.safeParse(options);
  if (!error) {
    return data;
  }
  const { path, message } = firstProblem(error);
  throw new AmbryError('BadValue', message, { path: path === '' ? 'options' : `options.${path}` });
}
