// `ambry index` and `ambry search`: making, finding, and what fails.
import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { cliArgs } from '../../support/cli/cli.ts';
import { cliFolder } from '../../support/cli/cli-folder.ts';
import { ambryCli } from '../../support/cli/shared-cli.ts';
import { smallModel } from '../../support/package.ts';

const { at, model } = await cliFolder();

describe('index and search', () => {
  beforeAll(async () => {
    await mkdir(at('docs/inner'), { recursive: true });
    await writeFile(at('docs/a.md'), '# Cats\n\nthe cat sat on the mat.\n');
    await writeFile(at('docs/inner/b.jsonl'), '{"id":"dog","text":"dog ran home!"}\n');
    await writeFile(at('docs/c.xyz'), 'x');
    await writeFile(at('docs/d.rtf'), 'x');
    await writeFile(at('docs/inner/e.PNG'), 'x');
    await writeFile(at('docs/inner/f.jpg'), 'x');
  });

  test('find the passages of a folder by meaning', async () => {
    const made = await ambryCli(['index', model, at('docs'), at('docs.ambryindex'), '--json']);
    expect(made.code).toBe(0);
    expect(made.err).toMatch(/docs: left out 2 pictures \(\.jpg, \.png\)\. Write what it shows/);
    expect(made.err).toMatch(/docs: left out 1 RTF document \(\.rtf\)\. Save it as \.docx/);
    expect(made.err).toMatch(/docs: left out 1 file of the type \.xyz\.$/m);
    expect(made.json()).toMatchObject([{ files: 2, passages: 2, dim: 32 }]);
    const args = ['search', at('docs.ambryindex'), 'dog ran home!', '-k', '1'];
    const { code, json } = await ambryCli([...args, '--json']);
    expect(code).toBe(0);
    const [hits] = json() as [{ id: string; score: number; text: string }[]];
    expect(hits).toMatchObject([{ id: 'dog', text: 'dog ran home!' }]);
    expect(hits[0]?.score).toBeCloseTo(1, 2);
    expect((await ambryCli(args)).out).toMatch(/^(0\.99|1\.00)\d\d {2}dog\n/);
  });

  test('--vectors f32 gives the exact cosine', async () => {
    await ambryCli(['index', model, at('docs'), at('f32.ambryindex'), '--vectors', 'f32']);
    const args = ['search', at('f32.ambryindex'), 'dog ran home!', '-k', '1'];
    expect((await ambryCli(args)).out).toMatch(/^1\.0000 {2}dog\n/);
    const wrong = ['index', model, at('docs'), at('x.ambryindex'), '--vectors', 'f16'];
    expect((await ambryCli(wrong)).code).toBe(2);
  });

  test('other weights than those of the index are noted', async () => {
    const folder = at('docs');
    await ambryCli(['index', model, folder, at('noted.ambryindex')]);
    const args = ['search', at('noted.ambryindex'), 'dog', '--model'];
    expect((await ambryCli([...args, model])).err).toBe('');
    await ambryCli(['quantize', model, at('int8.weights'), '--type', 'int8']);
    const { code, err } = await ambryCli([...args, at('int8.weights')]);
    expect(code).toBe(0);
    expect(err).toContain('computed with other weights or by another version');
  });

  test('--hybrid finds by words', async () => {
    await ambryCli(['index', model, at('docs'), at('words.ambryindex')]);
    const args = ['search', at('words.ambryindex'), 'zebra MAT', '--hybrid', '-k', '1'];
    expect((await ambryCli(args)).out).toContain('the cat sat on the mat.');
  });

  test('several workers make the same index, without duplicates', async () => {
    await mkdir(at('many'));
    const texts = Array.from({ length: 40 }, (_, i) => `the cat number ${i % 30} ran home`);
    const records = texts.map((text, id) => `${JSON.stringify({ id, text })}\n`).join('');
    await writeFile(at('many/a.jsonl'), records);
    const one = await ambryCli(['index', model, at('many'), at('one.ambryindex')]);
    expect(one.out).toMatch(
      /30 passages from 1 file, 10 duplicates left out, 30 embedded at \d+ passages\/s/,
    );
    const args = ['index', model, at('many'), at('two.ambryindex'), '--workers', '2', '--json'];
    expect((await ambryCli(args)).json()).toMatchObject([{ passages: 30, duplicates: 10 }]);
    expect(await readFile(at('two.ambryindex'))).toEqual(await readFile(at('one.ambryindex')));
  });

  test('--keep uses the vectors of an earlier run', async () => {
    const args = (target: string) => ['index', model, at('docs'), at(target), '--keep', at('kept')];
    expect((await ambryCli(args('first.ambryindex'))).code).toBe(0);
    const { size } = await stat(at('kept'));
    expect(size).toBeGreaterThan(2 * 32 * 4);
    expect((await ambryCli(args('second.ambryindex'))).code).toBe(0);
    expect((await stat(at('kept'))).size).toBe(size);
    expect(await readFile(at('second.ambryindex'))).toEqual(await readFile(at('first.ambryindex')));
  });

  test('a document that cannot be read fails with 1, or is skipped with a warning', async () => {
    await mkdir(at('broken'));
    await writeFile(at('broken/good.txt'), 'the cat sat on the mat.\n');
    await writeFile(at('broken/bad.json'), '{"text": ');
    const args = ['index', model, at('broken'), at('broken.ambryindex'), '--json'];
    const failed = await ambryCli(args);
    expect(failed.code).toBe(1);
    expect(failed.json()).toMatchObject([{ error: { code: 'BadValue' } }]);
    const { code, err, json } = await ambryCli([...args, '--skip-bad']);
    expect(code).toBe(0);
    expect(err).toMatch(/^warning {2}\S*bad\.json: BadValue/m);
    expect(json()).toMatchObject([{ files: 1, passages: 1 }]);
  });

  test('the old index stays until the new one is complete', async () => {
    await mkdir(at('limited'));
    await writeFile(at('limited/docs.ambryindex'), 'before');
    const args = ['index', model, at('docs'), at('limited/docs.ambryindex'), '--json'];
    // No file may be larger than 512 bytes.
    const limited = ['-c', 'trap "" XFSZ; ulimit -f 1; exec "$@"', 'sh', process.execPath];
    const failed = spawnSync('sh', [...limited, ...cliArgs, ...args]);
    expect(failed.status).toBe(1);
    expect(JSON.parse(String(failed.stdout))).toMatchObject({ error: { code: 'BadValue' } });
    expect(await readFile(at('limited/docs.ambryindex'), 'utf8')).toBe('before');
    expect(await readdir(at('limited'))).toEqual(['docs.ambryindex']);
  });

  test('index and model can be moved together, or --model names the model', async () => {
    await mkdir(at('moved'));
    await ambryCli(['index', model, at('docs/a.md'), at('moving.ambryindex')]);
    await rename(at('moving.ambryindex'), at('moved/moving.ambryindex'));
    const args = ['search', at('moved/moving.ambryindex'), 'cat', '--json'];
    const lost = await ambryCli(args);
    expect(lost.code).toBe(2);
    expect((await ambryCli([...args, '--model', model])).code).toBe(0);
  });

  test('another model fails with 1', async () => {
    await writeFile(at('other.weights'), await smallModel(2));
    await ambryCli(['index', model, at('docs'), at('own.ambryindex')]);
    const args = ['search', at('own.ambryindex'), 'cat', '--model', at('other.weights'), '--json'];
    const { code, json } = await ambryCli(args);
    expect(code).toBe(1);
    expect(json()).toMatchObject([{ error: { code: 'Mismatch', path: 'model' } }]);
  });

  test('a corpus without text fails with 2', async () => {
    await mkdir(at('nothing'));
    expect((await ambryCli(['index', model, at('nothing'), at('x.ambryindex')])).code).toBe(2);
  });
});
