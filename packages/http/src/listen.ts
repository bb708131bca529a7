// Where a server listens, and how it ends.
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, BlockList, isIP } from 'node:net';
import { AmbryError } from 'ambry';

/** Milliseconds in which ended answers may reach their clients. */
const lastWords = 1000;

/** Resolves when the server listens. Rejects with `BadValue` at `options.host` or `options.port`. */
export async function listen(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isPort = code === 'EADDRINUSE' || code === 'EACCES';
    const message = `The server cannot listen at ${host}, port ${port} (${code}). Choose another ${isPort ? 'port' : 'host'}.`;
    const path = isPort ? 'options.port' : 'options.host';
    throw new AmbryError('BadValue', message, { path, cause: error });
  }
}

/** The address of a server that listens, without a slash at the end. */
export function urlOf(host: string, server: Server): string {
  const { port } = server.address() as AddressInfo;
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

/** The error for a server that other machines can call and that has no key. Undefined where all is well. */
export function needsKey({
  host,
  apiKey,
  withoutKey,
}: {
  readonly host: string;
  readonly apiKey?: string | undefined;
  readonly withoutKey: boolean;
}): AmbryError | undefined {
  if (withoutKey || apiKey !== undefined || isLoopback(host)) {
    return undefined;
  }
  const message = `At ${host} other machines can call the server. Give it a key (apiKey, --api-key), or let everybody in (withoutKey, --without-key).`;
  return new AmbryError('BadValue', message, { path: 'options.host' });
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

function isLoopback(host: string): boolean {
  const version = isIP(host);
  return (
    host === 'localhost' || (version !== 0 && loopback.check(host, version === 6 ? 'ipv6' : 'ipv4'))
  );
}

/** Ends a server. Connections without a request end at once, the others after their answer. After `time` milliseconds `abort` is
 *  called, and a second later those that are left are cut, as their clients do not even read that. */
export async function ended(server: Server, time: number, abort: () => void): Promise<void> {
  // A client may keep a connection after its answer.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const late = setTimeout(abort, time);
  const cut = setTimeout(() => server.closeAllConnections(), time + lastWords);
  await new Promise((resolve) => server.close(resolve));
  clearInterval(idle);
  clearTimeout(late);
  clearTimeout(cut);
}
