// `ambry pull` beside other pulls, over connections that break, and over kept files that were damaged. Real processes and servers.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { ambryCli, cliArgs, type Run } from '../../support/cli/cli.ts';
import { folderForAllTests } from '../../support/for-all-tests.ts';
import { contentOf, type Manners } from '../../support/servers/byte-server.ts';
import { startHub, startServer } from '../../support/servers/server.ts';
import { sampleBytes } from '../../support/source-jobs.ts';

const size = 600_000;
const file = sampleBytes(size);
const server = await startServer(file);
const folder = folderForAllTests('ambry-together');
const waits = /Another process has \S+\. Waiting for it\./g;

let names = 0;
function serve(manners: Partial<Manners> = {}) {
  const name = `together${names++}.bin`;
  const served = server.serve(name, { content: contentOf(file), etag: '"one"', ...manners });
  return { ...served, cache: `${folder}/${name}` };
}

async function expectFile({ code, err, json }: Run): Promise<string> {
  expect(code, err).toBe(0);
  const [{ files }] = json() as [{ files: { path: string; bytes: number }[] }];
  const [{ path = '', bytes = 0 } = {}] = files;
  expect(bytes).toBe(size);
  expect((await readFile(path)).equals(file)).toBe(true);
  return path;
}

const pull = (url: string, cache: string) =>
  ambryCli(['pull', url, '--cache', cache, '--json', '--stall-timeout', '20']);

describe('two pulls at once', () => {
  test('download the file once, and the second says once that it waits', async () => {
    const { url, cache, asked, sent } = serve({ bytesPerSecond: 200_000 });
    const runs = await Promise.all([pull(url, cache), pull(url, cache)]);
    for (const run of runs) {
      await expectFile(run);
    }
    expect(asked.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(sent()).toBe(size);
    expect(runs.map(({ err }) => err.match(waits)?.length ?? 0).sort()).toEqual([0, 1]);
    expect((await readdir(cache)).filter((name) => !/\.(bin|json)$/.test(name))).toEqual([]);
  }, 120_000);

  test('end with the file over a connection that breaks', async () => {
    const { url, cache, sent } = serve({
      bytesPerSecond: 400_000,
      dropAfter: (n) => (n < 2 ? size / 3 : undefined),
    });
    for (const run of await Promise.all([pull(url, cache), pull(url, cache)])) {
      await expectFile(run);
    }
    expect(sent()).toBeLessThan(size * 1.5);
  }, 120_000);

  test('the second goes on where the first was killed', async () => {
    const part = size / 2;
    const { url, cache, asked } = serve({
      stallAfter: (n) => (n === 0 ? part : undefined),
    });
    const args = [...cliArgs, 'pull', url, '--cache', cache, '--stall-timeout', '0'];
    const first = spawn(process.execPath, args, { stdio: 'ignore' });
    const gone = once(first, 'close');
    await expect.poll(() => asked[0]?.sent, { timeout: 60_000 }).toBe(part);
    const second = pull(url, cache);
    await sleep(1500);
    first.kill('SIGKILL');
    await gone;
    const run = await second;
    await expectFile(run);
    expect(run.err).toMatch(waits);
    expect(asked.map(({ range }) => range)).toEqual([
      undefined,
      expect.stringMatching(/^bytes=\d+-/),
    ]);
  }, 120_000);

  test('a lock that a killed process left does not count', async () => {
    const { url, cache } = serve();
    const path = await expectFile(await pull(url, cache));
    const key = path.replace(/\.bin$/, '');
    await truncate(path, 9);
    await writeFile(`${key}.exclusive.999999999.0.0`, '');
    await expectFile(await pull(url, cache));
  }, 120_000);
});

describe('a kept file', () => {
  const changes: Readonly<Record<string, (path: string) => Promise<void>>> = {
    cut: (path) => truncate(path, 1000),
    longer: (path) => writeFile(path, 'more', { flag: 'a' }),
    changed: async (path) => {
      const bytes = await readFile(path);
      bytes[4321] = (bytes[4321] ?? 0) ^ 1;
      await writeFile(path, bytes);
    },
  };

  test.each(Object.entries(changes))(
    'that is %s is downloaded again, and the line says so',
    async (_, change) => {
      const { url, cache, asked } = serve();
      await change(await expectFile(await pull(url, cache)));
      const run = await pull(url, cache);
      await expectFile(run);
      expect(run.err).toContain(`warning  The kept copy of ${url} is damaged: `);
      expect(run.err).toContain('The file is downloaded again.');
      expect(asked.filter(({ status }) => status === 200)).toHaveLength(2);
      const { err } = await pull(url, cache);
      expect(err).toBe('');
    },
    120_000,
  );

  test.each(Object.entries(changes))(
    'of the hub without a SHA-256 that is %s, too',
    async (name, change) => {
      const hub = await startHub();
      hub.add('owner/small', new Map([['notes.txt', file]]));
      const args = ['pull', 'hf:owner/small', '--file', 'notes.txt', '--json'];
      const run = () =>
        ambryCli([...args, '--cache', `${folder}/hub-${name}`], undefined, {
          HF_ENDPOINT: hub.endpoint,
        });
      await change(await expectFile(await run()));
      const again = await run();
      await expectFile(again);
      expect(again.err).toContain('is damaged: ');
      expect((await run()).err).toBe('');
    },
    120_000,
  );

  test.each(['W/"weak"', ''])('whose server sends the ETag %j', async (etag) => {
    const { url, cache, asked } = serve({ etag });
    const run = await pull(url, cache);
    expect(asked.map(({ acceptEncoding }) => acceptEncoding)).toEqual(['identity']);
    if (etag === '') {
      expect(run.code).toBe(1);
      expect(run.out).toContain('does not name the file’s version');
      return;
    }
    await expectFile(run);
    expect((await pull(url, cache)).code).toBe(0);
    expect(asked.map(({ status, ifNoneMatch }) => [status, ifNoneMatch])).toEqual([
      [200, undefined],
      [304, etag],
    ]);
  }, 120_000);
});
