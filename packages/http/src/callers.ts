// Who may call a server. A web page of anybody can send requests to a server on the same machine, under a name of its
// own that leads there (DNS rebinding), or under the server's address.
import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';

/** The options that say who may call. */
export interface Callers {
  readonly apiKey?: string | undefined;
  /** Host names besides `localhost` and IP addresses. They matter without a key only. */
  readonly allowedHosts: readonly string[];
  /** Origins of web pages; `*` allows all. */
  readonly cors: readonly string[];
}

/** Why a request with this `Host` is refused. Without a key, names other than `localhost` and those that were given are. An IP
 *  address cannot be rebound. */
export function hostRefusal(header: string, { apiKey, allowedHosts }: Callers): string | undefined {
  const host = hostName(header);
  const isAllowed =
    apiKey !== undefined ||
    host === 'localhost' ||
    isIP(host) !== 0 ||
    allowedHosts.some((name) => name.toLowerCase() === host);
  return isAllowed
    ? undefined
    : `The server does not answer to the host name ${JSON.stringify(host)}. Allow it with the option allowedHosts.`;
}

/** Why a request with this `Origin` is refused. Pages of other origins are, unless they are allowed. Programs send no origin. */
export function originRefusal(
  origin: string | undefined,
  host: string | undefined,
  { cors }: Callers,
): string | undefined {
  const isAllowed =
    origin === undefined || allowsOrigin(cors, origin) || (host && addressOf(origin) === host);
  return isAllowed
    ? undefined
    : `Pages of ${JSON.stringify(origin)} may not call the server. Allow them with the option cors.`;
}

export const allowsOrigin = (cors: readonly string[], origin: string): boolean =>
  cors.includes('*') || cors.includes(origin);

/** A function that says why a request with this key is refused. It compares hashes, so that the time says nothing about the key
 *  or its length. */
export function keyCheck({ apiKey }: Callers): (given: string | undefined) => string | undefined {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  const expected = apiKey === undefined ? undefined : hash(apiKey);
  return (given) => {
    if (expected === undefined) {
      return undefined;
    }
    if (given === undefined) {
      return 'The server needs a key: send it as Authorization: Bearer KEY.';
    }
    return timingSafeEqual(hash(given), expected) ? undefined : 'The key is wrong.';
  };
}

/** The key in `Authorization: Bearer KEY`. */
export const bearerOf = (header: string | undefined): string | undefined =>
  /^Bearer +(.+)$/i.exec(header ?? '')?.[1];

/** A page of the server's own address may call it. An origin that is hidden is `null`, which is no address. */
function addressOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

/** The name in `name:8080` or `[::1]:8080`. */
function hostName(host: string): string {
  return host
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1');
}
