// The command that publishes, as CONTRIBUTING.md shows it, with a registry of its own on this machine.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json, text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exampleAddresses } from '../../packages/build/publish/addresses.mjs';
import { fakeRepository } from './fake-repository.ts';

const command = fileURLToPath(new URL('../../packages/build/publish.mjs', import.meta.url));
const packages = { base: {}, top: { manifest: { dependencies: { 'ambry-base': '1.2.3' } } } };
const scratch = mkdtempSync(join(tmpdir(), 'ambry-registry-'));
/** The manifests that were published, in their order. */
const published: Readonly<Record<string, unknown>>[] = [];

interface Sent {
  readonly versions: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Knows only `ambry`, which is published already. */
const registry = createServer(async (request, response) => {
  response.setHeader('content-type', 'application/json');
  if (request.method === 'PUT') {
    published.push(...Object.values(((await json(request)) as Sent).versions));
    response.writeHead(201).end('{}');
  } else if (request.url === '/ambry') {
    const versions = { '1.2.3': { name: 'ambry', version: '1.2.3' } };
    response.end(JSON.stringify({ name: 'ambry', 'dist-tags': { latest: '1.2.3' }, versions }));
  } else {
    response.writeHead(404).end('{}');
  }
});

beforeAll(async () => {
  registry.listen(0, '127.0.0.1');
  await once(registry, 'listening');
  const host = `127.0.0.1:${(registry.address() as AddressInfo).port}`;
  const settings = [`registry=http://${host}/`, `//${host}/:_authToken=of-this-test`];
  writeFileSync(join(scratch, 'npmrc'), settings.join('\n'));
});
afterAll(() => {
  registry.closeAllConnections();
  registry.close();
  rmSync(scratch, { recursive: true });
});

async function run(root: string, ...args: readonly string[]) {
  const child = spawn(process.execPath, [command, '--root', root, ...args], {
    env: {
      ...process.env,
      NPM_CONFIG_USERCONFIG: join(scratch, 'npmrc'),
      NPM_CONFIG_CACHE: join(scratch, 'cache'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number]>,
  ]);
  return { code, out, err };
}

test('the commands of CONTRIBUTING.md start it', () => {
  const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  for (const [name, line] of [
    ['publish:check', 'node packages/build/publish.mjs'],
    ['publish:all', 'node packages/build/publish.mjs --publish'],
  ] as const) {
    expect(scripts[name]).toBe(line);
    expect(read('CONTRIBUTING.md')).toContain(`npm run ${name}\n`);
  }
});

test('the check sends nothing, and says what is to be filled in', async () => {
  const { root, remove } = fakeRepository(packages, { repository: '' });
  const { code, out } = await run(root);
  expect(code).toBe(0);
  expect(out).toContain('ready, in this order: ambry, ambry-base, ambry-top');
  expect(out).toContain('Before publishing: packages/publish.json: fill in "homepage"');
  expect(published).toEqual([]);
  remove();
});

test('nothing is published without addresses', async () => {
  const { root, remove } = fakeRepository(packages, { ...exampleAddresses, repository: '' });
  const { code, err } = await run(root, '--publish');
  expect(code).toBe(1);
  expect(err).toContain(
    'packages/publish.json: fill in "repository": the address of the Git repository, such as git+https://',
  );
  expect(err).toContain('Nothing was published.');
  expect(published).toEqual([]);
  remove();
});

test('nothing is published while one package has a fault', async () => {
  const broken = { ...packages, bad: { manifest: { keywords: [] } } };
  const { root, remove } = fakeRepository(broken, exampleAddresses);
  const { code, err } = await run(root, '--publish');
  expect(code).toBe(1);
  expect(err).toContain('ambry-bad: package.json has less than three keywords');
  expect(published).toEqual([]);
  remove();
});

test('packages are published in their order, without those that are there', async () => {
  const { root, remove } = fakeRepository(packages, exampleAddresses);
  const { code, out } = await run(root, '--publish');
  expect(out).toContain('ambry 1.2.3 is published already');
  expect(code).toBe(0);
  expect(published.map(({ name }) => name)).toEqual(['ambry-base', 'ambry-top']);
  expect(published[0]).toMatchObject({ homepage: exampleAddresses.homepage });
  remove();
});
