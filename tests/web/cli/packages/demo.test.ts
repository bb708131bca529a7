// `ambry demo`: the pages, their security policy, and ranges.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ambryCli, cliArgs } from '../../support/cli/cli.ts';

describe('ambry demo', () => {
  let child: ChildProcess;
  let address = '';
  beforeAll(async () => {
    child = spawn(process.execPath, [...cliArgs, 'demo', '--port', '0']);
    const [line] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
    address = /http:\/\/127\.0\.0\.1:\d+\//.exec(line.toString())?.[0] ?? '';
  });
  afterAll(() => {
    child.kill();
  });

  test('serves the page with a policy that forbids eval', async () => {
    const response = await fetch(address);
    expect(response.headers.get('content-type')).toMatch(/text\/html/);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/script-src 'self' 'wasm-unsafe-eval'/);
    expect(policy).not.toMatch(/'unsafe-eval'|'unsafe-inline'/);
  });

  test('serves parts of files', async () => {
    const response = await fetch(`${address}index.html`, { headers: { range: 'bytes=0-9' } });
    expect(response.status).toBe(206);
    expect((await response.arrayBuffer()).byteLength).toBe(10);
  });

  test('answers 404 for a missing file', async () => {
    expect((await fetch(`${address}none.weights`)).status).toBe(404);
  });

  test('a port that is in use is an error: 2', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const { code, err } = await ambryCli(['demo', '--port', String(port)]);
    other.close();
    expect(code).toBe(2);
    expect(err).toMatch(/EADDRINUSE/);
  });

  test('Ctrl-C stops it', async () => {
    child.kill('SIGINT');
    const [code] = await once(child, 'close');
    expect(code).toBe(0);
  });
});
