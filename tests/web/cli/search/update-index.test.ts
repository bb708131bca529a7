// `ambry index --update`: unchanged passages keep their vectors.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { cliFolder } from '../../support/cli/cli-folder.ts';
import { ambryCli } from '../../support/cli/shared-cli.ts';
import { smallModel } from '../../support/package.ts';

const { at, model } = await cliFolder();
const target = at('docs.ambryindex');

const update = (...more: string[]) =>
  ambryCli(['index', model, at('docs'), target, '--update', '--json', ...more]);
const sourcesOf = async (query: string) => {
  const { json } = await ambryCli(['search', target, query, '--json']);
  return (json()[0] as { source: string }[]).map(({ source }) => source);
};

beforeAll(async () => {
  await mkdir(at('docs'));
  await writeFile(at('docs/a.txt'), 'the cat sat on the mat.\n');
  await writeFile(at('docs/b.txt'), 'dog ran home!\n');
});

// Each test continues with the index of the one before.
describe('index --update', () => {
  test('makes an index if there is none', async () => {
    const { code, json } = await update();
    expect(code).toBe(0);
    expect(json()).toMatchObject([{ passages: 2, kept: 0, removed: 0, added: 2 }]);
  });

  test('adds new passages and removes missing ones', async () => {
    await writeFile(at('docs/c.txt'), 'the mat, the mat\n');
    await rm(at('docs/b.txt'));
    const { json } = await update();
    expect(json()).toMatchObject([{ passages: 2, kept: 1, removed: 1, added: 1 }]);
    const [best] = await sourcesOf('the mat, the mat');
    expect(best).toBe('c.txt');
    expect((await sourcesOf('dog ran home!')).toSorted()).toEqual(['a.txt', 'c.txt']);
  });

  test('embeds a changed passage again', async () => {
    await writeFile(at('docs/a.txt'), 'the dog sat on the mat.\n');
    expect((await update()).json()).toMatchObject([{ kept: 1, removed: 1, added: 1 }]);
    const before = await readFile(target);
    expect((await update()).json()).toMatchObject([{ kept: 2, removed: 0, added: 0 }]);
    expect(await readFile(target)).toEqual(before);
  });

  test.each([
    ['--vectors', 'f32'],
    ['--prompt', 'dog '],
  ])('%s %s that differs from the index fails with 2, and the index stays', async (...option) => {
    const before = await readFile(target);
    const { code, json } = await update(...option);
    expect(code).toBe(2);
    expect(json()).toMatchObject([{ error: { code: 'BadValue', path: option[0] } }]);
    expect(await readFile(target)).toEqual(before);
  });

  test('an index of another model and a damaged index fail with 1', async () => {
    await writeFile(at('other.weights'), await smallModel(2));
    const args = [at('docs'), target, '--update', '--json'];
    const foreign = await ambryCli(['index', at('other.weights'), ...args]);
    expect(foreign.code).toBe(1);
    expect(foreign.json()).toMatchObject([{ error: { code: 'Mismatch', path: 'model' } }]);
    const file = await readFile(target);
    await writeFile(target, file.subarray(0, file.length - 20));
    const damaged = await update();
    expect(damaged.code).toBe(1);
    expect(damaged.json()).toMatchObject([{ error: { byteOffset: expect.any(Number) } }]);
    expect((await ambryCli(['index', model, at('docs'), target])).code).toBe(0);
  });

  test('standard output cannot be updated: 2', async () => {
    expect((await ambryCli(['index', model, at('docs'), '-', '--update'])).code).toBe(2);
  });
});
