// Who may call the server. A web page of anybody can send requests to a server on the same machine, under a name of its
// own that leads there (DNS rebinding), or under the server's address.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { HttpSettings } from '../options/listen-options.ts';

/** Why a request is refused. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
}

type Guard = (request: IncomingMessage) => Refusal | undefined;

/** The first guard that refuses a request tells why. */
export function guardOf(settings: HttpSettings): Guard {
  const guards = [hostGuard(settings), originGuard(settings), keyGuard(settings)];
  return (request) => {
    for (const guard of guards) {
      const refusal = guard(request);
      if (refusal) {
        return refusal;
      }
    }
    return undefined;
  };
}

/** Without a key, names other than `localhost` and those that were given are refused. An IP address cannot be rebound. */
function hostGuard({ apiKey, allowedHosts }: HttpSettings): Guard {
  const allowed = new Set(['localhost', ...allowedHosts.map((name) => name.toLowerCase())]);
  return ({ headers }) => {
    const host = hostName(headers.host ?? '');
    if (apiKey !== undefined || allowed.has(host) || isIP(host) !== 0) {
      return undefined;
    }
    const message = `The server does not answer to the host name ${JSON.stringify(host)}. Allow it with the option allowedHosts.`;
    return { status: 403, message };
  };
}

/** Pages of other origins are refused unless they are allowed. Programs send no origin. */
function originGuard({ cors }: HttpSettings): Guard {
  return ({ headers }) => {
    const { origin } = headers;
    const isAllowed =
      origin === undefined || allowsOrigin(cors, origin) || hostOf(origin) === headers.host;
    if (isAllowed) {
      return undefined;
    }
    const message = `Pages of ${JSON.stringify(origin)} may not call the server. Allow them with the option cors.`;
    return { status: 403, message };
  };
}

/** Compares hashes, so that the time says nothing about the key or its length. */
function keyGuard({ apiKey }: HttpSettings): Guard {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  const expected = apiKey === undefined ? undefined : hash(apiKey);
  return ({ method, headers }) => {
    // A browser asks without a key whether its page may send one.
    if (expected === undefined || method === 'OPTIONS') {
      return undefined;
    }
    const [, given] = /^Bearer +(.+)$/i.exec(headers.authorization ?? '') ?? [];
    if (given !== undefined && timingSafeEqual(hash(given), expected)) {
      return undefined;
    }
    const message =
      given === undefined
        ? 'The server needs a key: send it as Authorization: Bearer KEY.'
        : 'The key is wrong.';
    return { status: 401, message };
  };
}

const allowsOrigin = (cors: readonly string[], origin: string): boolean =>
  cors.includes('*') || cors.includes(origin);

/** The headers that let a page of another origin read the answers. */
export function corsHeaders(
  { cors }: HttpSettings,
  origin: string | undefined,
): Readonly<Record<string, string>> {
  if (origin === undefined || !allowsOrigin(cors, origin)) {
    return {};
  }
  return {
    'access-control-allow-origin': origin,
    vary: 'origin',
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-allow-headers':
      'authorization, content-type, accept, last-event-id, mcp-session-id, mcp-protocol-version',
    'access-control-expose-headers': 'mcp-session-id',
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

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

export function isLoopback(host: string): boolean {
  const version = isIP(host);
  return (
    host === 'localhost' || (version !== 0 && loopback.check(host, version === 6 ? 'ipv6' : 'ipv4'))
  );
}
