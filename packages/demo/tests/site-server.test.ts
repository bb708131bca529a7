// The server of the demo pages: methods, host names, ranges and versions.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StartedServer, startServer } from './support/started-server.ts';

const content = 'abcdefghijklmnopqrstuvwxyz';

describe('the server of the demo pages', () => {
  let folder = '';
  let server: StartedServer;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ambry-site-'));
    mkdirSync(join(folder, 'site'));
    writeFileSync(join(folder, 'site', 'letters.bin'), content);
    writeFileSync(join(folder, 'site', 'index.html'), '<!doctype html><title>Start</title>');
    writeFileSync(
      join(folder, 'site', '404.html'),
      '<script src="../scripts/a.js"></script><a href="./index.html">Start</a>',
    );
    writeFileSync(join(folder, 'secret.txt'), 'secret'.repeat(100));
    server = await startServer(join(folder, 'site'));
  });
  afterAll(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });

  async function ask(...request: Parameters<StartedServer['ask']>) {
    const answer = await server.ask(...request);
    return { ...answer, body: answer.body.toString() };
  }

  test.each([
    ['bytes=0-0', 'a', 'bytes 0-0/26'],
    ['bytes=3-5', 'def', 'bytes 3-5/26'],
    ['bytes=24-', 'yz', 'bytes 24-25/26'],
    ['bytes=-1', 'z', 'bytes 25-25/26'],
    ['bytes=-100', content, 'bytes 0-25/26'],
    ['bytes=20-1000', 'uvwxyz', 'bytes 20-25/26'],
  ])('answers the range %s', async (range, body, contentRange) => {
    const answer = await ask('/letters.bin', { range });
    expect(answer).toMatchObject({ status: 206, body });
    expect(answer.headers['content-range']).toBe(contentRange);
    expect(answer.headers['content-length']).toBe(String(body.length));
  });

  test.each([
    'bytes=5-2',
    'bytes=26-',
    'bytes=99-100',
    'bytes=-0',
  ])('says that the file has no range %s', async (range) => {
    const answer = await ask('/letters.bin', { range });
    expect(answer.status).toBe(416);
    expect(answer.headers['content-range']).toBe('bytes */26');
  });

  test.each([
    'bytes=a-b',
    'bytes=',
    'lines=1-2',
    'bytes=1-2,5-6',
    'bytes',
    '-',
  ])('sends the whole file for the header %s, which is no single range', async (range) => {
    const answer = await ask('/letters.bin', { range });
    expect([200, 416]).toContain(answer.status);
    if (answer.status === 200) {
      expect(answer.body).toBe(content);
    }
  });

  test('sends no old bytes for If-Range with another version', async () => {
    const range = 'bytes=0-3';
    const { etag } = (await ask('/letters.bin')).headers;
    const same = await ask('/letters.bin', { range, 'if-range': etag as string });
    expect(same).toMatchObject({ status: 206, body: 'abcd' });
    const other = await ask('/letters.bin', { range, 'if-range': '"other"' });
    expect(other).toMatchObject({ status: 200, body: content });
    const kept = await ask('/letters.bin', { 'if-none-match': etag as string });
    expect(kept).toMatchObject({ status: 304, body: '' });
  });

  test('isolates its pages and their scripts when it is asked to, and else not', async () => {
    const names = ['cross-origin-opener-policy', 'cross-origin-embedder-policy'];
    const headersAt = async (asked: StartedServer, path: string) => {
      const { headers } = await asked.ask(path);
      return names.map((name) => headers[name]);
    };
    expect(await headersAt(server, '/')).toEqual([undefined, undefined]);
    const isolated = await startServer(join(folder, 'site'), true);
    for (const path of ['/', '/letters.bin', '/none.js']) {
      expect(await headersAt(isolated, path)).toEqual(['same-origin', 'require-corp']);
    }
    isolated.close();
  });

  test('answers HEAD without a body', async () => {
    const answer = await ask('/letters.bin', {}, 'HEAD');
    expect(answer).toMatchObject({ status: 200, body: '' });
    expect(answer.headers['content-length']).toBe('26');
  });

  test.each([
    'POST',
    'PUT',
    'DELETE',
    'OPTIONS',
    'PATCH',
    'TRACE',
  ])('refuses %s', async (method) => {
    const answer = await ask('/letters.bin', {}, method);
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toBe('GET, HEAD');
  });

  test('answers to the names of this machine', async () => {
    for (const host of ['127.0.0.1', 'localhost', 'LOCALHOST']) {
      expect(await ask('/', { host: `${host}:${server.port}` })).toMatchObject({ status: 200 });
    }
  });

  test.each([
    'evil.example',
    'evil.example:PORT',
    '127.0.0.1.evil.example:PORT',
    'localhost:1',
  ])('refuses the host name "%s"', async (name) => {
    const answer = await ask('/', { host: name.replace('PORT', String(server.port)) });
    expect(answer.status).toBe(421);
    expect(answer.body).not.toContain('Start');
  });

  test.each([
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/..%5csecret.txt',
    '//../secret.txt',
    '/letters.bin%00',
    '/%ff',
    '/none',
    '/letters.bin/x',
  ])('does not send %s, which is no file of the folder', async (path) => {
    const answer = await ask(path);
    expect([400, 403, 404]).toContain(answer.status);
    expect(answer.body).not.toContain('secret');
    expect(answer.headers['content-security-policy']).toBeDefined();
  });

  test('sends the page for an address without a page to browsers, with addresses from the root', async () => {
    const answer = await ask('/no/such/page', { accept: 'text/html,*/*;q=0.8' });
    expect(answer.status).toBe(404);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.body).toBe(
      '<script src="/scripts/a.js"></script><a href="/index.html">Start</a>',
    );
    const asFile = await ask('/no/such/model.gguf', { accept: '*/*' });
    expect(asFile).toMatchObject({ status: 404, body: 'Not found.\n' });
  });

  test('stays alive after all of these', async () => {
    expect(await ask('/')).toMatchObject({ status: 200 });
  });
});
