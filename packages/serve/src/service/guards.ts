// Who may call the server. A web page of anybody can send requests to a server on the same machine, under a name of its
// own that leads there (DNS rebinding), or under the server's address.

import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import { ApiError } from 'ambry-openai/shared';
import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import type { Settings } from './options.ts';
import { unknownFieldsHeader } from './requests.ts';

/** Without a key, names other than `localhost` and those that were given are refused. An IP address cannot be rebound. */
export function hostGuard({ apiKey, allowedHosts }: Settings): MiddlewareHandler {
  const allowed = new Set(['localhost', ...allowedHosts.map((name) => name.toLowerCase())]);
  return async (c, next) => {
    const host = hostName(c.req.header('host') ?? new URL(c.req.url).host);
    if (apiKey !== undefined || allowed.has(host) || isIP(host) !== 0) {
      return next();
    }
    const message = `The server does not answer to the host name ${JSON.stringify(host)}. Allow it with the option allowedHosts.`;
    throw new ApiError(403, message, { code: 'host_not_allowed' });
  };
}

/** Pages of other origins are refused unless they are allowed. Programs send no origin. */
export function originGuard({ cors: origins }: Settings): MiddlewareHandler {
  return async (c, next) => {
    const origin = c.req.header('origin');
    const isAllowed =
      origin === undefined ||
      origins.includes('*') ||
      origins.includes(origin) ||
      hostOf(origin) === c.req.header('host');
    if (isAllowed) {
      return next();
    }
    const message = `Pages of ${JSON.stringify(origin)} may not call the server. Allow them with the option cors.`;
    throw new ApiError(403, message, { code: 'origin_not_allowed' });
  };
}

/** Tells browsers which pages may read the answers. */
export function corsHeaders({ cors: origins }: Settings): MiddlewareHandler {
  return cors({
    origin: origins.includes('*') ? '*' : [...origins],
    exposeHeaders: [unknownFieldsHeader, 'retry-after'],
  });
}

/** Compares hashes, so that the time says nothing about the key or its length. */
export function keyGuard({ apiKey }: Settings): MiddlewareHandler {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  const expected = apiKey === undefined ? undefined : hash(apiKey);
  return async (c, next) => {
    if (expected === undefined || c.req.path === '/health') {
      return next();
    }
    const [, bearer] = /^Bearer +(.+)$/i.exec(c.req.header('authorization') ?? '') ?? [];
    // Anthropic's clients have a header of their own.
    const given = bearer ?? c.req.header('x-api-key');
    if (given !== undefined && timingSafeEqual(hash(given), expected)) {
      return next();
    }
    const message =
      given === undefined
        ? 'The server needs a key: send it as Authorization: Bearer KEY.'
        : 'The key is wrong.';
    throw new ApiError(401, message, { code: 'invalid_api_key' });
  };
}

/** A page of the server's own address may call it. An origin that is hidden is `null`, which is no address. */
function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

/** The name in `name:8080` or `[::1]:8080`. */
function hostName(host: string): string {
  return host
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1');
}
