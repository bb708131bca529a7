// `ambry index` and `ambry search`.
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { ambryCli } from '../support/cli.ts';
import { cliFolder } from '../support/cli-folder.ts';
import { smallModel } from '../support/package.ts';

const { at, model } = await cliFolder();

describe('index and search', () => {
  beforeAll(async () => {
    await mkdir(at('docs/inner'), { recursive: true });
    await writeFile(at('docs/a.md'), '# Cats\n\nthe cat sat on the mat.\n');
    await writeFile(at('docs/inner/b.jsonl'), '{"id":"dog","text":"dog ran home!"}\n');
    await writeFile(at('docs/c.bin'), 'x');
  });

  test('a folder, found again by meaning', async () => {
    const made = await ambryCli(['index', model, at('docs'), at('docs.ambryindex'), '--json']);
    expect(made.code).toBe(0);
    expect(made.err).toMatch(/left out 1 files/);
    expect(made.json()).toMatchObject([{ files: 2, passages: 2, dim: 32 }]);
    const args = ['search', at('docs.ambryindex'), 'dog ran home!', '-k', '1'];
    const { code, json } = await ambryCli([...args, '--json']);
    expect(code).toBe(0);
    const [hits] = json() as [{ id: string; score: number; text: string }[]];
    expect(hits).toMatchObject([{ id: 'dog', text: 'dog ran home!' }]);
    expect(hits[0]?.score).toBeCloseTo(1, 2);
    expect((await ambryCli(args)).out).toMatch(/^(0\.99|1\.00)\d\d {2}dog\n/);
  });

  test('vectors kept as floats give the very cosine', async () => {
    await ambryCli(['index', model, at('docs'), at('f32.ambryindex'), '--vectors', 'f32']);
    const args = ['search', at('f32.ambryindex'), 'dog ran home!', '-k', '1'];
    expect((await ambryCli(args)).out).toMatch(/^1\.0000 {2}dog\n/);
    const wrong = ['index', model, at('docs'), at('x.ambryindex'), '--vectors', 'f16'];
    expect((await ambryCli(wrong)).code).toBe(2);
  });

  test('--hybrid finds by words', async () => {
    await ambryCli(['index', model, at('docs'), at('words.ambryindex')]);
    const args = ['search', at('words.ambryindex'), 'zebra MAT', '--hybrid', '-k', '1'];
    expect((await ambryCli(args)).out).toContain('the cat sat on the mat.');
  });

  test('index and model move together; another place is given with --model', async () => {
    await mkdir(at('moved'));
    await ambryCli(['index', model, at('docs/a.md'), at('moving.ambryindex')]);
    await rename(at('moving.ambryindex'), at('moved/moving.ambryindex'));
    const args = ['search', at('moved/moving.ambryindex'), 'cat', '--json'];
    const lost = await ambryCli(args);
    expect(lost.code).toBe(2);
    expect((await ambryCli([...args, '--model', model])).code).toBe(0);
  });

  test('the wrong model is refused: 1', async () => {
    await writeFile(at('other.weights'), await smallModel(2));
    await ambryCli(['index', model, at('docs'), at('own.ambryindex')]);
    const args = ['search', at('own.ambryindex'), 'cat', '--model', at('other.weights'), '--json'];
    const { code, json } = await ambryCli(args);
    expect(code).toBe(1);
    expect(json()).toMatchObject([{ error: { code: 'Mismatch', path: 'model' } }]);
  });

  test('a corpus without text: 2', async () => {
    await mkdir(at('nothing'));
    expect((await ambryCli(['index', model, at('nothing'), at('x.ambryindex')])).code).toBe(2);
  });
});
