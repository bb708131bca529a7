// Locks of cached files: who has one, and whose is left over.
import { readdirSync } from 'node:fs';
import { readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { DirectoryStore } from '../../../web/src/sources/cache/node-directory.ts';
import { folderForAllTests } from '../support/for-all-tests.ts';

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
