// The target file of a conversion: it appears whole, and what lies in its way is neither followed nor lost.
import {
  chmod,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { partialPath } from '../../../web/src/output/node-left-overs.ts';
import { createOutput } from '../../../web/src/output/node-partial.ts';
import { modelDirectory } from '../support/fixtures.ts';
import { ambry, smallModel } from '../support/package.ts';

const convert = ambry.convert as typeof import('../../../web/src/node.ts').convert;
const folders: string[] = [];
let folder = '';
const at = (name: string) => join(folder, name);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ambry-output-'));
  folders.push(folder);
});
afterAll(() => Promise.all(folders.map((one) => rm(one, { recursive: true }))));

async function replace(target: string, content: string): Promise<void> {
  const output = await createOutput(target);
  await writeFile(output.path, content);
  await output.commit();
}

describe('createOutput', () => {
  test('makes a file of its own each time, which nobody can guess', async () => {
    const [a, b] = await Promise.all([createOutput(at('out')), createOutput(at('out'))]);
    expect(a.path).not.toBe(b.path);
    expect(basename(a.path)).toMatch(/^out\.[0-9a-f]{8}-\d+-[0-9a-f]{16}\.partial$/);
    await a.discard();
    expect(await readdir(folder)).toEqual([basename(b.path)]);
    await b.discard();
  });

  test('the last of two that are written at once wins as a whole', async () => {
    const [a, b] = await Promise.all([createOutput(at('out')), createOutput(at('out'))]);
    await writeFile(a.path, 'a'.repeat(1000));
    await writeFile(b.path, 'b');
    await b.commit();
    await a.commit();
    expect(await readFile(at('out'), 'utf8')).toBe('a'.repeat(1000));
    expect(await readdir(folder)).toEqual(['out']);
  });

  test('replaces what a link leads to, and keeps the link', async () => {
    await writeFile(at('real'), 'old');
    await symlink('real', at('second'));
    await symlink(at('second'), at('first'));
    await replace(at('first'), 'new');
    expect(await readlink(at('first'))).toBe(at('second'));
    expect(await readFile(at('real'), 'utf8')).toBe('new');
  });

  test('creates the file that a dangling link names', async () => {
    await symlink('missing', at('link'));
    await replace(at('link'), 'new');
    expect(await readlink(at('link'))).toBe('missing');
    expect(await readFile(at('missing'), 'utf8')).toBe('new');
  });

  test('refuses a circle of links, a folder and no name at all', async () => {
    await symlink('circle', at('circle'));
    for (const target of [at('circle'), folder, `${at('out')}/`, '', at('none/out')]) {
      await expect(createOutput(target)).rejects.toMatchObject({ code: 'BadValue' });
    }
    expect(await readdir(folder)).toEqual(['circle']);
  });

  test.each([0o600, 0o640, 0o755])('keeps the permissions %o', async (mode) => {
    await writeFile(at('out'), 'old');
    await chmod(at('out'), mode);
    const output = await createOutput(at('out'));
    expect((await stat(output.path)).mode & 0o777).toBe(mode);
    await output.commit();
    expect((await stat(at('out'))).mode & 0o777).toBe(mode);
  });

  test('takes a name that leaves no room for another one', async () => {
    const long = at('é'.repeat(120));
    await replace(long, 'new');
    expect(await readFile(long, 'utf8')).toBe('new');
  });

  test('does not write through a link that was planted with an old temporary name', async () => {
    await writeFile(at('victim'), 'precious');
    await symlink('victim', at('out.partial'));
    await replace(at('out'), 'new');
    expect(await readFile(at('victim'), 'utf8')).toBe('precious');
  });

  test('refuses a device by name, and says what to do', async () => {
    await expect(createOutput('/dev/null')).rejects.toThrow(/Leave out `output`/);
    expect((await stat('/dev/null')).isCharacterDevice()).toBe(true);
  });
});

describe('files that crashed runs left', () => {
  /** A process id that no process has. */
  const noProcess = 2 ** 22 + 1;
  const hour = 60 * 60 * 1000;

  async function leave(name: string, age: number): Promise<void> {
    await writeFile(at(name), 'left');
    const time = new Date(Date.now() - age);
    await utimes(at(name), time, time);
  }
  const named = (process: number) =>
    basename(partialPath(at('out'))).replace(/-\d+-/, `-${process}-`);
  const foreign = () => named(noProcess).replace(/^out\.[0-9a-f]{8}/, 'out.00000000');

  test.each([
    ['of a process that has ended', () => named(noProcess), 0, false],
    ['of this process', () => named(process.pid), 0, true],
    ['of an earlier process with the same number', () => named(process.pid), 48 * hour, false],
    ['of another process that runs', () => named(process.ppid), 48 * hour, true],
    ['of another machine, from today', foreign, 23 * hour, true],
    ['of another machine, from yesterday', foreign, 25 * hour, false],
    ['for another target', () => `x${named(noProcess)}`, 48 * hour, true],
    ['that somebody else named', () => 'out.partial', 48 * hour, true],
  ])('one %s: kept is %4$s', async (_, name, age, isKept) => {
    const left = name();
    await leave(left, age);
    await replace(at('out'), 'new');
    expect(await readdir(folder)).toEqual(isKept ? [left, 'out'].sort() : ['out']);
  });
});

describe('convert and quantize with `output`', () => {
  test('may replace the file that they read', async () => {
    const bytes = await smallModel();
    await writeFile(at('model.weights'), bytes);
    const { agreement } = await (
      ambry.quantize as typeof import('../../../web/src/node.ts').quantize
    )(at('model.weights'), { type: 'int8', output: at('model.weights') });
    // A comparison of the new file with itself would give exactly 1.
    expect(agreement).toMatchObject({ kind: 'embeddings' });
    expect((agreement as { leastCosine: number }).leastCosine).toBeLessThan(1);
    expect((await stat(at('model.weights'))).size).toBeLessThan(bytes.length);
    expect(await readdir(folder)).toEqual(['model.weights']);
  });

  test('leave nothing when they fail or are stopped', async () => {
    await expect(convert(new Uint8Array(100), { output: at('out') })).rejects.toMatchObject({
      name: 'AmbryError',
    });
    const controller = new AbortController();
    const stalled = new ReadableStream<Uint8Array>({
      start: (stream) => stream.enqueue(new Uint8Array(2000)),
    });
    const options = { output: at('out'), from: 'text', to: 'word2vec', signal: controller.signal };
    const stopped = convert(stalled, options);
    await expect.poll(() => readdir(folder)).toHaveLength(1);
    controller.abort();
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
    expect(await readdir(folder)).toEqual([]);
  });

  test('errors name the target, not the temporary file', async () => {
    const failed = convert(modelDirectory(), { output: at('none/out.weights') });
    await expect(failed).rejects.toThrow(`Cannot write ${at('none/out.weights')}`);
  });
});
