// Locks of cached files: who has one, whose is left over, and jobs that wait for one another.
import { readdirSync } from 'node:fs';
import { readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { WaitingStore } from '../../../web/src/cli/files/waiting-store.ts';
import { openCached } from '../../../web/src/sources/cache/cached.ts';
import type { CachedOptions } from '../../../web/src/sources/cache/keeping.ts';
import { DirectoryStore } from '../../../web/src/sources/cache/node-directory.ts';
import { keyOf } from '../../../web/src/sources/cache/store.ts';
import { folderForAllTests } from '../support/for-all-tests.ts';
import { contentOf, type Manners } from '../support/servers/byte-server.ts';
import { startServer } from '../support/servers/server.ts';
import { gather, quickRetries, sampleBytes } from '../support/source-jobs.ts';

const size = 300_000;
const file = sampleBytes(size);
const server = await startServer(file);
const folder = folderForAllTests('ambry-locks');
const store = new DirectoryStore(folder);
const locks = () => readdirSync(folder).filter((name) => !/\.(bin|json)$/.test(name));
afterEach(() => vi.useRealTimers());

/** What the lock's name has behind the key. */
async function nameOfLock(): Promise<string[]> {
  const release = await store.lock('sample', 'exclusive');
  const [name = ''] = locks();
  await release?.();
  return name.split('.');
}
const [, , pid = '', thread = '', , machine = ''] = await nameOfLock();
const ended = '999999999';

async function leave(key: string, name: string, secondsAgo: number): Promise<void> {
  const path = join(folder, `${key}.${name}`);
  await writeFile(path, '');
  const time = Date.now() / 1000 - secondsAgo;
  await utimes(path, time, time);
}

describe('a lock', () => {
  test('names its process and its machine', () => {
    expect([pid, thread]).toEqual([String(process.pid), '0']);
    expect(machine).toMatch(/^[0-9a-f]{8}$/);
  });

  test.each([
    ['of a process that ended', `exclusive.${ended}.0.1.${machine}`, 0],
    ['of a number that another process has now', `exclusive.${pid}.7.1.${machine}`, 600],
    ['of another machine that nobody touches', `exclusive.${pid}.0.1.0badcafe`, 600],
    ['of a reader on another machine that nobody touches', `shared.${pid}.0.1.0badcafe`, 600],
    ['of an earlier version whose process ended', `exclusive.${ended}.0.1`, 0],
  ])('%s is left over', async (_, name, age) => {
    await leave('over', name, age);
    const release = await store.lock('over', 'exclusive');
    expect(release).toBeDefined();
    await release?.();
    expect(locks()).toEqual([]);
  });

  test.each([
    ['of a process that runs', `exclusive.${pid}.7.1.${machine}`, 0],
    [
      'of another machine, with a process that does not run here',
      `exclusive.${ended}.0.1.0badcafe`,
      5,
    ],
    ['of an earlier version whose process runs', `exclusive.${pid}.7.1`, 600],
  ])('%s counts', async (_, name, age) => {
    await leave('held', name, age);
    expect(await store.lock('held', 'shared')).toBeUndefined();
    expect(locks()).toEqual([`held.${name}`]);
    await rm(join(folder, `held.${name}`));
  });

  test('is touched while it is held, and does not come back', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const release = await store.lock('beat', 'exclusive');
    const [name = ''] = locks();
    vi.advanceTimersByTime(10_000);
    await expect.poll(async () => (await stat(join(folder, name))).size).toBe(1);
    await rm(join(folder, name));
    vi.advanceTimersByTime(10_000);
    await release?.();
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('jobs that wait', () => {
  let names = 0;
  const serve = (manners: Partial<Manners> = {}) =>
    server.serve(`locked${names++}`, { content: contentOf(file), etag: '"one"', ...manners });
  const { signal } = new AbortController();
  const openAt = (url: string, options: Partial<CachedOptions> = {}) =>
    openCached(url, { signal, retryPolicy: quickRetries(), store, whole: true, ...options });

  async function take(url: string, readersWaitMs?: number) {
    const onWait = vi.fn();
    const waiting = new WaitingStore(folder, signal, onWait, readersWaitMs);
    const source = await openAt(url, { store: waiting });
    const isRight = (await gather(source.stream(0, size))).equals(file);
    await source.settle?.();
    const { cached = false, note } = source;
    await source.close();
    return { isRight, cached, note, waited: onWait.mock.calls.length > 0 };
  }

  test('take the file of the first', async () => {
    const { url, asked } = serve({ bytesPerSecond: 600_000 });
    const all = await Promise.all([take(url), take(url), take(url)]);
    expect(all.every(({ isRight }) => isRight)).toBe(true);
    expect(all.filter(({ cached }) => cached)).toHaveLength(2);
    expect(all.filter(({ waited }) => waited)).toHaveLength(2);
    expect(asked.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(locks()).toEqual([]);
  });

  test('continue the file of one that stopped', async () => {
    const { url, asked } = serve({ bytesPerSecond: 600_000 });
    const first = await openAt(url);
    await first.read(0, 70_000);
    const second = take(url);
    setTimeout(() => first.close(), 400);
    expect(await second).toMatchObject({ isRight: true, waited: true });
    expect(asked.at(-1)?.range).toMatch(/^bytes=[1-9]\d*-/);
  });

  test('stop when they are stopped', async () => {
    const { url } = serve();
    const release = await store.lock(await keyOf(url), 'exclusive');
    const controller = new AbortController();
    const stopped = new WaitingStore(folder, controller.signal, () => controller.abort());
    await expect(openAt(url, { store: stopped })).rejects.toMatchObject({ name: 'AbortError' });
    await release?.();
  });

  test('do not wait for ever for one that reads another version', async () => {
    const { url } = serve({ etag: (n) => (n === 0 ? '"one"' : '"two"') });
    await take(url);
    const reader = await store.lock(await keyOf(url), 'shared');
    expect(await take(url, 200)).toMatchObject({
      cached: false,
      note: expect.stringContaining('Another job uses this file'),
    });
    await reader?.();
    expect(await take(url)).toMatchObject({ isRight: true, note: undefined });
  });
});
