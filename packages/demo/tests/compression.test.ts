// Compressed answers of the server of the demo pages.
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codingFor } from '../src/encodings.ts';
import { type StartedServer, startServer } from './support/started-server.ts';

const script = 'export const text = "the tide turns twice a day";\n'.repeat(100);
const model = 'w'.repeat(5000);
const files: Readonly<Record<string, string>> = {
  'script.js': script,
  'index.html': `<!doctype html><title>Start</title>${'<p>Text</p>'.repeat(100)}`,
  'docs/guide.html': `<!doctype html><title>Guide</title>${'<p>Text</p>'.repeat(100)}`,
  'style.css': 'p { margin: 0 }\n'.repeat(100),
  'data.json': `[${'1, '.repeat(500)}1]`,
  'notes.txt': script,
  'README.md': script,
  'module.mjs': script,
  'icon.svg': `<svg xmlns="http://www.w3.org/2000/svg">${'<g/>'.repeat(200)}</svg>`,
  'module.wasm': script,
  'site.webmanifest': `{"name": "${'a'.repeat(400)}"}`,
  'small.js': '1;',
  'model.weights': model,
  '.hidden.js': script,
};

describe('codings that a request accepts', () => {
  test.each([
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP, BR', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['gzip ; q=0.2 , br\t;\tq=0.3', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.000, gzip;q=0', undefined],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['br;q=0, *;q=0.1', 'gzip'],
    ['identity;q=1, br;q=0.5', undefined],
    ['identity;q=0, br;q=0.001', 'br'],
    ['deflate, zstd', undefined],
    ['br;q=1.5', undefined],
    ['br;q=-1, gzip', 'gzip'],
    ['br;q=', undefined],
    ['br;q=0.1234', undefined],
    ['br;level=9', undefined],
    ['b r, gz\u00efp', undefined],
    [',,,;q=1,=,;', undefined],
    [`${'a,'.repeat(500)}br`, 'br'],
    [`${'a,'.repeat(600)}br`, undefined],
    [`br;${' '.repeat(5000)}q=1`, undefined],
    ['__proto__, constructor;q=1', undefined],
  ])('%s: %s', (accepted, coding) => {
    expect(codingFor(accepted)).toBe(coding);
  });
});

describe('compressed answers', () => {
  let folder = '';
  let server: StartedServer;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ambry-compressed-'));
    mkdirSync(join(folder, 'docs'));
    for (const [name, content] of Object.entries(files)) {
      writeFileSync(join(folder, name), content);
    }
    server = await startServer(folder);
  });
  afterAll(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });

  const ask: StartedServer['ask'] = (...request) => server.ask(...request);

  const decoded = {
    br: (body: Buffer) => brotliDecompressSync(body).toString(),
    gzip: (body: Buffer) => gunzipSync(body).toString(),
  };

  test.each([
    'br',
    'gzip',
  ] as const)('sends texts and WebAssembly by %s, with their type and length', async (coding) => {
    for (const name of Object.keys(files).filter((one) => !/small|model\.|^\./.test(one))) {
      const plain = await ask(`/${name}`);
      const { status, headers, body } = await ask(`/${name}`, { 'accept-encoding': coding });
      expect(status).toBe(200);
      expect(decoded[coding](body)).toBe(files[name]);
      expect(headers['content-encoding']).toBe(coding);
      expect(headers['content-length']).toBe(String(body.length));
      expect(body.length).toBeLessThan(plain.body.length);
      expect([name, headers['content-type']]).toEqual([name, plain.headers['content-type']]);
      expect(headers['last-modified']).toBe(plain.headers['last-modified']);
      expect(headers['content-security-policy']).toBe(plain.headers['content-security-policy']);
      for (const answer of [headers, plain.headers]) {
        expect(answer.vary).toBe('accept-encoding');
      }
    }
  });

  test('sends pages by their short addresses, too', async () => {
    const headers = { 'accept-encoding': 'br' };
    const text = async (path: string) => decoded.br((await ask(path, headers)).body);
    expect(await text('/')).toBe(files['index.html']);
    expect(await text('/?q=tide')).toBe(files['index.html']);
    expect(await text('/docs/guide')).toBe(files['docs/guide.html']);
    expect((await ask('/docs', headers)).status).toBe(301);
  });

  test.each(['model.weights', 'small.js'])('sends %s as it is', async (name) => {
    const { headers, body } = await ask(`/${name}`, { 'accept-encoding': 'br, gzip' });
    expect(headers['content-encoding']).toBeUndefined();
    expect(body.toString()).toBe(files[name]);
  });

  test('answers ranges with bytes of the file as it is', async () => {
    for (const [name, range, part] of [
      ['script.js', 'bytes=7-11', script.slice(7, 12)],
      ['script.js', 'bytes=-10', script.slice(-10)],
      ['model.weights', 'bytes=0-3', 'wwww'],
    ] as const) {
      const { status, headers, body } = await ask(`/${name}`, { range, 'accept-encoding': 'br' });
      expect(status).toBe(206);
      expect(body.toString()).toBe(part);
      expect(headers['content-encoding']).toBeUndefined();
      expect(headers['content-range']).toMatch(new RegExp(`/${files[name]?.length}$`));
    }
  });

  test('does not continue a compressed answer with bytes of the file', async () => {
    const tags = [];
    for (const coding of ['br', 'gzip', 'identity']) {
      tags.push((await ask('/script.js', { 'accept-encoding': coding })).headers.etag ?? '');
    }
    expect(new Set(tags).size).toBe(3);
    const range = { range: 'bytes=10-', 'accept-encoding': 'br' };
    for (const tag of tags.slice(0, 2)) {
      const { status, body } = await ask('/script.js', { ...range, 'if-range': tag });
      expect(status).toBe(200);
      expect(body.toString()).toBe(script);
    }
    const own = await ask('/script.js', { ...range, 'if-range': tags[2] ?? '' });
    expect(own.status).toBe(206);
  });

  test('says that a version is known', async () => {
    const accepts = { 'accept-encoding': 'br' };
    const { etag = '', 'last-modified': modified = '' } = (await ask('/script.js', accepts))
      .headers;
    const known = [
      { 'if-none-match': etag },
      { 'if-none-match': `"a", ${etag.replace('W/', '')}` },
      { 'if-none-match': '*' },
      { 'if-modified-since': modified },
    ];
    for (const headers of known) {
      const answer = await ask('/script.js', { ...accepts, ...headers });
      expect(answer).toMatchObject({ status: 304, headers: { etag, vary: 'accept-encoding' } });
      expect(answer.body).toHaveLength(0);
    }
    const unknown = [
      { 'if-none-match': '"a"', 'if-modified-since': modified },
      { 'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
      { 'if-modified-since': 'once' },
    ];
    for (const headers of unknown) {
      expect((await ask('/script.js', { ...accepts, ...headers })).status).toBe(200);
    }
    const refused = await ask('/script.js', { ...accepts, 'if-match': '"a"' });
    expect(refused.status).toBe(412);
  });

  test('answers HEAD with the length of the compressed answer', async () => {
    const whole = await ask('/script.js', { 'accept-encoding': 'br' });
    const { headers, body } = await ask('/script.js', { 'accept-encoding': 'br' }, 'HEAD');
    expect(body).toHaveLength(0);
    expect(headers['content-length']).toBe(String(whole.body.length));
    expect(headers['content-encoding']).toBe('br');
  });

  test('sends a file that has changed since', async () => {
    const accepts = { 'accept-encoding': 'br' };
    await ask('/notes.txt', accepts);
    const changed = script.replaceAll('tide', 'wave');
    writeFileSync(join(folder, 'notes.txt'), changed);
    utimesSync(join(folder, 'notes.txt'), new Date(), new Date(Date.now() + 5000));
    expect(decoded.br((await ask('/notes.txt', accepts)).body)).toBe(changed);
  });

  test.each([
    '/../script.js',
    '/%2e%2e/script.js',
    '/..%5cscript.js',
    '/docs/%2e%2e/%2e%2e/etc/passwd.txt',
    '/.hidden.js',
    '/script.js%00',
    '/%ff.js',
    '/script.js/',
    '/none.js',
    '/docs.js',
  ])('has nothing compressed at %s', async (path) => {
    const { status, headers } = await ask(path, { 'accept-encoding': 'br' });
    expect([400, 403, 404]).toContain(status);
    expect(headers['content-encoding']).toBeUndefined();
  });

  test('sends all of many answers at once', async () => {
    const all = Array.from({ length: 50 }, () => ask('/script.js', { 'accept-encoding': 'gzip' }));
    for (const { body } of await Promise.all(all)) {
      expect(decoded.gzip(body)).toBe(script);
    }
  });
});
