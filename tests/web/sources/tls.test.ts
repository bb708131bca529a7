// URLs over TLS: a real TLS server with certificates of its own, and connections that break.
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ambryCli } from '../support/cli/cli.ts';
import { ByteServer, contentOf, type Served } from '../support/servers/byte-server.ts';
import { type Certificate, makeCertificate } from '../support/servers/certificates.ts';

const model = readFileSync(
  new URL('../../../web/demo/public/models/english-192x1.weights', import.meta.url),
);

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

describe('a URL over TLS', () => {
  let folder = '';
  let files: ByteServer;
  let served: Served;
  let trusted: Certificate;
  let cutAfter = Number.POSITIVE_INFINITY;
  const servers: Server[] = [];

  /** Passes decrypted bytes to the file server and cuts one connection after `cutAfter` bytes of the answer. */
  function pass(socket: Socket): void {
    const backend = connect(Number(new URL(files.origin).port), '127.0.0.1');
    let sent = 0;
    for (const end of [socket, backend]) {
      end.on('error', () => {});
    }
    backend.on('data', (chunk: Buffer) => {
      sent += chunk.length;
      if (sent < cutAfter) {
        return void socket.write(chunk);
      }
      cutAfter = Number.POSITIVE_INFINITY;
      socket.destroy();
    });
    backend.on('close', () => socket.end());
    socket.on('close', () => backend.destroy());
    socket.pipe(backend);
  }

  async function startTls({ key, cert }: Certificate): Promise<string> {
    const server = createTlsServer({ key, cert }, pass);
    server.on('tlsClientError', () => {});
    servers.push(server);
    return `https://127.0.0.1:${await listen(server)}/model.weights`;
  }

  /** A server that answers a TLS handshake with bytes that are none. */
  async function startPlain(answer: string | Buffer): Promise<string> {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end(answer));
    });
    servers.push(server);
    return `https://127.0.0.1:${await listen(server)}/model.weights`;
  }

  const validate = (url: string, { path }: Certificate) =>
    ambryCli(['validate', url, '--values'], undefined, { NODE_EXTRA_CA_CERTS: path });

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ambry-tls-'));
    trusted = makeCertificate(folder, 'IP:127.0.0.1');
    files = await ByteServer.start();
    served = files.serve('model.weights', { content: contentOf(model), etag: '"one"' });
  });
  afterAll(() => {
    for (const server of servers) {
      server.close();
    }
    files.close();
    rmSync(folder, { recursive: true });
  });

  test('is read', async () => {
    const { code, out } = await validate(await startTls(trusted), trusted);
    expect(code).toBe(0);
    expect(out).toMatch(/: valid/);
  });

  test('continues where the connection was cut', async () => {
    const url = await startTls(trusted);
    cutAfter = 200_000;
    const before = served.asked.length;
    const { code } = await validate(url, trusted);
    expect(code).toBe(0);
    expect(cutAfter).toBe(Number.POSITIVE_INFINITY);
    expect(served.asked.length).toBeGreaterThan(before + 1);
  });

  test.each([
    ['an unknown certificate', 'IP:127.0.0.1', false, /self-signed certificate/],
    ['a certificate for another name', 'DNS:other.example', true, /not in the cert/],
  ])('with %s is refused', async (_, name, isTrusted, reason) => {
    const other = makeCertificate(folder, name);
    const { code, err } = await validate(await startTls(other), isTrusted ? other : trusted);
    expect(code).toBe(2);
    expect(err).toMatch(reason);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
  });

  test.each([
    ['HTTP without TLS', 'HTTP/1.1 200 OK\r\n\r\n', /wrong version number/],
    ['a record that is too long', Buffer.from([22, 3, 1, 255, 255, 1]), /too long/],
    ['nothing', '', /disconnected|closed|hang up/],
  ])('that answers with %s is refused in one line', async (_, answer, reason) => {
    const { code, err } = await validate(await startPlain(answer), trusted);
    expect(code).toBe(2);
    expect(err).toMatch(/Http: No answer from https:/);
    expect(err).toMatch(reason);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
    expect(err).not.toMatch(/deps\/openssl|Access-Control/);
  });
});
