// Lets only those call the server who may, as the options say.
import type { IncomingMessage } from 'node:http';
import { allowsOrigin, bearerOf, hostRefusal, keyCheck, originRefusal } from 'ambry-http';
import type { HttpSettings } from '../options/listen-options.ts';

/** Why a request is refused. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
}

/** Tells why a request is refused. */
export function guardOf(settings: HttpSettings): (request: IncomingMessage) => Refusal | undefined {
  const refusalOfKey = keyCheck(settings);
  return ({ method, headers }) => {
    const stranger =
      hostRefusal(headers.host ?? '', settings) ??
      originRefusal(headers.origin, headers.host, settings);
    if (stranger !== undefined) {
      return { status: 403, message: stranger };
    }
    // A browser asks without a key whether its page may send one.
    const wrongKey =
      method === 'OPTIONS' ? undefined : refusalOfKey(bearerOf(headers.authorization));
    return wrongKey === undefined ? undefined : { status: 401, message: wrongKey };
  };
}

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
