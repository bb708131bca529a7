// A real proxy on loopback. It takes whole addresses and makes tunnels, and leads every server name to this machine.
import { once } from 'node:events';
import { createServer, request as makeRequest } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

export interface ProxyServer extends AsyncDisposable {
  /** Like `127.0.0.1:1234`. */
  readonly host: string;
  /** What was asked of it, in order: `GET http://…` or `CONNECT host:port`. */
  readonly asked: readonly string[];
}

interface ProxyManners {
  /** `name:password`, which requests must bring. */
  readonly account?: string;
  /** The status that it refuses tunnels with. */
  readonly refuses?: number;
}

export async function startProxy({ account, refuses }: ProxyManners = {}): Promise<ProxyServer> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const wanted = account && `Basic ${Buffer.from(account).toString('base64')}`;
  const isAllowed = (given: string | undefined) => wanted === undefined || given === wanted;

  const server = createServer((incoming, outgoing) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    const { 'proxy-authorization': given, ...headers } = incoming.headers;
    if (!isAllowed(given)) {
      return void outgoing.writeHead(407, { 'proxy-authenticate': 'Basic realm="test"' }).end();
    }
    const { port, pathname, search } = new URL(incoming.url ?? '');
    const onward = makeRequest(
      { host: '127.0.0.1', port, path: pathname + search, method: incoming.method, headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    onward.on('error', () => outgoing.writeHead(502).end());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  server.on('connect', (incoming, socket: Socket) => {
    asked.push(`CONNECT ${incoming.url}`);
    socket.on('error', () => {});
    const status = isAllowed(incoming.headers['proxy-authorization']) ? refuses : 407;
    if (status !== undefined) {
      return void socket.end(`HTTP/1.1 ${status} Refused\r\n\r\n`);
    }
    const onward = connect(Number(incoming.url?.split(':').at(-1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    onward.on('error', () => socket.destroy());
    socket.on('close', () => onward.destroy());
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.close();
      for (const socket of sockets) {
        socket.destroy();
      }
    },
  };
}
