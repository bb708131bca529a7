// Requests of Node, through the proxies that the environment names.
import type { Dispatcher } from 'undici';
import { AmbryError, messageOf } from '../../base/errors.ts';
import { type HttpProxy, nameOfProxy, proxyOf } from './node-proxies.ts';
import type { MakeRequest, RequestInit } from './requests.ts';

type Undici = typeof import('undici');

/** Makes a request as `fetch` does. Without proxies in the environment it is Node's own `fetch`. */
export const nodeRequest: MakeRequest = async (url, init) => {
  const proxy = proxyOf(url);
  if (!proxy) {
    return fetch(url, init);
  }
  try {
    return await requestThrough(url, init);
  } catch (error) {
    init.signal.throwIfAborted();
    throw error instanceof AmbryError ? error : throughProxy(proxy, error);
  }
};

async function requestThrough(url: string, init: RequestInit): Promise<Response> {
  const undici = await import('undici');
  dispatcher ??= makeDispatcher(undici);
  const response = await undici.fetch(url, { ...init, dispatcher });
  // The interface is that of `fetch`; only the classes are others than those of Node.
  return response as unknown as Response;
}

let dispatcher: Dispatcher | undefined;

/** Chooses for each request anew, because an answer may lead to a server that needs another proxy, or none. */
function makeDispatcher({ Agent, Dispatcher: Base, ProxyAgent }: Undici): Dispatcher {
  const straight = new Agent();
  const agents = new Map<string, Dispatcher>();
  const agentOf = (proxy: HttpProxy): Dispatcher => {
    const { href } = proxy.url;
    const known = agents.get(href);
    // Many proxies make tunnels to port 443 alone.
    const agent = known ?? new ProxyAgent({ ...accountOf(proxy), uri: href, proxyTunnel: false });
    agents.set(href, agent);
    return agent;
  };
  return new (class extends Base {
    override dispatch(
      options: Dispatcher.DispatchOptions,
      handler: Dispatcher.DispatchHandlers,
    ): boolean {
      const proxy = proxyOf(String(options.origin));
      return (proxy ? agentOf(proxy) : straight).dispatch(options, handler);
    }
  })();
}

/** The header for the user name and the password of the proxy's address. */
function accountOf({ url: { username, password } }: HttpProxy): { token?: string } {
  const account = `${decoded(username)}:${decoded(password)}`;
  return account === ':' ? {} : { token: `Basic ${Buffer.from(account).toString('base64')}` };
}

/** A name or a password may have a `%` that encodes nothing, and stays. */
function decoded(text: string): string {
  return text.replace(/(%[\da-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}

function throughProxy(proxy: HttpProxy, error: unknown): TypeError {
  const { cause = error } = error as Error;
  const status = /\b(\d{3})\b.*Tunneling|\((407)\)/.exec(messageOf(cause));
  const reason = status ? refusal(proxy, status[1] ?? status[2] ?? '') : messageOf(cause);
  return new TypeError(`through ${nameOfProxy(proxy)}: ${reason}`);
}

function refusal({ url, variable }: HttpProxy, status: string): string {
  if (status !== '407') {
    return `it refused the connection with status ${status}`;
  }
  return url.username
    ? `it refused the user name and the password of ${variable} (407)`
    : `it asks for a user name and a password (407), which ${variable} may hold as http://name:password@host:port`;
}
