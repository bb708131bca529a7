// Requests of the command line and of the library through a proxy, as companies have them.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { ambryCli, runProgram } from '../support/cli/cli.ts';
import { folderForAllTests, forAllTests } from '../support/for-all-tests.ts';
import { ByteServer, contentOf } from '../support/servers/byte-server.ts';
import { makeCertificate } from '../support/servers/certificates.ts';
import { type ProxyServer, startProxy } from '../support/servers/proxy-server.ts';

const models = new URL('../../../web/demo/public/models/', import.meta.url);
const model = readFileSync(new URL('digits-vanilla.bin', models));
const folder = folderForAllTests('ambry-proxies');

/** No resolver knows names that end like this, so that only a proxy leads to them. */
const hostName = 'model-host.invalid';

const files = await forAllTests(
  ByteServer.start().then((server) =>
    Object.assign(server, { [Symbol.asyncDispose]: async () => server.close() }),
  ),
);
files.serve('digits.bin', { content: contentOf(model), etag: '"one"' });
const { port } = new URL(files.origin);
const url = `http://${hostName}:${port}/digits.bin`;

const certificate = makeCertificate(folder, `DNS:${hostName}`);
const tls = await forAllTests(startTls());
const secureUrl = `https://${hostName}:${tls.port}/digits.bin`;

/** Passes what it decrypts to the server of files. */
async function startTls() {
  const server = createTlsServer(certificate, (socket) => {
    const onward = connect(Number(port), '127.0.0.1');
    socket.on('error', () => onward.destroy());
    onward.on('error', () => socket.destroy());
    socket.pipe(onward).pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}

const inspect = (address: string, environment: Record<string, string>) =>
  ambryCli(['inspect', address], undefined, {
    NODE_EXTRA_CA_CERTS: certificate.path,
    ...environment,
  });

async function withProxy<T>(
  manners: Parameters<typeof startProxy>[0],
  use: (proxy: ProxyServer) => Promise<T>,
): Promise<T> {
  const proxy = await startProxy(manners);
  try {
    return await use(proxy);
  } finally {
    await proxy[Symbol.asyncDispose]();
  }
}

describe('a proxy of the environment', () => {
  test.each([
    ['http_proxy', url, `GET ${url}`],
    ['HTTP_PROXY', url, `GET ${url}`],
    ['HTTPS_PROXY', secureUrl, `CONNECT ${hostName}:${tls.port}`],
    ['ALL_PROXY', secureUrl, `CONNECT ${hostName}:${tls.port}`],
  ])('%s leads to %s', (variable, address, asked) =>
    withProxy({}, async (proxy) => {
      const { code, err } = await inspect(address, { [variable]: `http://${proxy.host}` });
      expect(err).toBe('');
      expect(code).toBe(0);
      expect(proxy.asked[0]).toBe(asked);
    }));

  test('is not asked for what NO_PROXY has', () =>
    withProxy({}, async (proxy) => {
      const environment = { HTTP_PROXY: `http://${proxy.host}`, NO_PROXY: 'localhost,127.0.0.0/8' };
      const { code } = await inspect(`${files.origin}/digits.bin`, environment);
      expect(code).toBe(0);
      expect(proxy.asked).toEqual([]);
    }));

  test('is used by the worker of the library and by a process that opens', () =>
    withProxy({}, async (proxy) => {
      const program = `
        import { open } from 'ambry';
        const model = await open(${JSON.stringify(url)});
        console.log(model.kind);
        await model.dispose();`;
      const { out, err } = await runProgram(['--input-type=module', '-e', program], undefined, {
        HTTP_PROXY: `http://${proxy.host}`,
      });
      expect(err).toBe('');
      expect(out.trim()).toMatch(/lassifier$/);
      expect(proxy.asked).toContain(`GET ${url}`);
    }));

  test.each([
    ['for http', url],
    ['for https', secureUrl],
  ])('that asks for a password gets it, %s', (_, address) =>
    withProxy({ account: 'me:pass word%' }, async (proxy) => {
      const variable = `http://me:pass%20word%@${proxy.host}`;
      const { code, err } = await inspect(address, { ALL_PROXY: variable });
      expect(err).toBe('');
      expect(code).toBe(0);
    }));

  test.each([
    ['http', url, '', /asks for a user name and a password \(407\)/],
    ['https', secureUrl, '', /asks for a user name and a password \(407\)/],
    ['http with a wrong one', url, 'me:no@', /refused the user name and the password/],
    ['https with a wrong one', secureUrl, 'me:no@', /refused the user name and the password/],
  ])('that asks for a password is named, %s', (_, address, account, message) =>
    withProxy({ account: 'me:secret' }, async (proxy) => {
      const { code, err } = await inspect(address, { ALL_PROXY: `http://${account}${proxy.host}` });
      expect(code).toBe(2);
      expect(err).toMatch(message);
      expect(err).toContain(`through the proxy http://${proxy.host} (ALL_PROXY)`);
      expect(err).not.toContain('me:no');
      expect(err.trimEnd().split('\n')).toHaveLength(1);
    }));

  test('that refuses a tunnel is named with its status', () =>
    withProxy({ refuses: 403 }, async (proxy) => {
      const { code, err } = await inspect(secureUrl, { HTTPS_PROXY: `http://${proxy.host}` });
      expect(code).toBe(2);
      expect(err).toContain(`(HTTPS_PROXY): it refused the connection with status 403`);
    }));

  test('that is not there is named', async () => {
    const proxy = await startProxy();
    await proxy[Symbol.asyncDispose]();
    const { code, err } = await inspect(url, { HTTP_PROXY: proxy.host });
    expect(code).toBe(2);
    expect(err).toContain(`through the proxy http://${proxy.host} (HTTP_PROXY)`);
    expect(err).toMatch(/ECONNREFUSED/);
  });

  test('that is none is refused', async () => {
    const { code, err } = await inspect(url, { HTTP_PROXY: 'socks5://127.0.0.1:9' });
    expect(code).toBe(1);
    expect(err).toMatch(/Unsupported.*HTTP_PROXY/);
  });
});

describe('doctor', () => {
  test('says which proxy requests go through', () =>
    withProxy({}, async (proxy) => {
      const environment = { HTTPS_PROXY: `http://me:secret@${proxy.host}`, NO_PROXY: 'localhost' };
      const { out } = await ambryCli(['doctor'], undefined, environment);
      expect(out).toContain(
        `requests go through the proxy http://${proxy.host} (HTTPS_PROXY), but not those to localhost`,
      );
      expect(out).not.toContain('secret');
      const toServer = await ambryCli(['doctor', url], undefined, {
        HTTP_PROXY: `http://${proxy.host}`,
      });
      expect(toServer.code).toBe(0);
      expect(toServer.out).toContain(`requests go through the proxy http://${proxy.host}`);
    }));

  test('says what is wrong with a variable', async () => {
    const { out } = await ambryCli(['doctor'], undefined, { HTTP_PROXY: 'socks5://x' });
    expect(out).toMatch(/✗ proxy .*socks5:[\s\S]*→ Set HTTP_PROXY anew, or unset it\./);
  });
});
