// `ambry index`: targets that it would read, and two runs with one target.
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { cliFolder } from '../../support/cli/cli-folder.ts';
import { ambryCli } from '../../support/cli/shared-cli.ts';

const { at, model } = await cliFolder();

beforeAll(async () => {
  await mkdir(at('docs/.hidden'), { recursive: true });
  await writeFile(at('docs/a.txt'), 'the cat sat on the mat.');
  await symlink(at('docs'), at('link'));
  await symlink(at('docs/b.txt'), at('out.ambryindex'));
});

describe('a target in the folder', () => {
  test.each([
    ['docs', 'docs/index.json'],
    ['docs', 'docs/../docs/INDEX.TXT'],
    ['docs', 'link/index.md'],
    ['link', 'docs/index.md'],
    ['docs', 'out.ambryindex'],
  ])('%s, %s is refused: 2', async (corpus, target) => {
    const { code, json } = await ambryCli(['index', model, at(corpus), at(target), '--json']);
    expect(code).toBe(2);
    const message = expect.stringContaining(
      `${at(target)} lies in ${at(corpus)} and would be indexed`,
    );
    expect(json()).toEqual([{ error: { code: 'BadValue', path: 'OUT', message } }]);
    const keep = ['--keep', at(target)];
    const kept = await ambryCli(['index', model, at(corpus), at('x.ambryindex'), ...keep]);
    expect([kept.code, kept.err]).toEqual([2, expect.stringContaining('BadValue --keep: ')]);
    expect(await readdir(at('docs'))).toEqual(['.hidden', 'a.txt']);
  });

  test.each([
    'docs/docs.ambryindex',
    'docs/.hidden/index.json',
    'docs-index.json',
  ])('%s is no document, and is written', async (target) => {
    const { code, err } = await ambryCli(['index', model, at('docs'), at(target)]);
    expect(code, err).toBe(0);
  });
});

test('two runs with one target: it is one of the two indexes', async () => {
  const target = at('both.ambryindex');
  const corpora = ['cat', 'dog'].map((animal) => ({ animal, path: at(`${animal}s.jsonl`) }));
  for (const { animal, path } of corpora) {
    const lines = Array.from({ length: 300 }, (_, i) => `{"text":"the ${animal} ran home ${i}"}\n`);
    await writeFile(path, lines.join(''));
    await ambryCli(['index', model, path, at(`${animal}.ambryindex`)]);
  }
  const runs = await Promise.all(
    corpora.map(({ path }) => ambryCli(['index', model, path, target])),
  );
  expect(runs.map(({ code, err }) => [code, err])).toEqual([
    [0, ''],
    [0, ''],
  ]);
  const alone = corpora.map(({ animal }) => readFile(at(`${animal}.ambryindex`)));
  expect(await Promise.all(alone)).toContainEqual(await readFile(target));
  const left = (await readdir(at('.'))).filter((name) => name.endsWith('.partial'));
  expect(left).toEqual([]);
});

describe('100,000 bad lines', () => {
  beforeAll(() => writeFile(at('bad.jsonl'), '{"id": 1, "text"\n'.repeat(100_000)));

  test.each([
    ['index', model, at('bad.jsonl'), at('bad.ambryindex')],
    ['embed', model, '--jsonl', '--file', at('bad.jsonl')],
  ])('end %s with one line that names the first', async (...args) => {
    const { code, out, err } = await ambryCli(args);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^ambry: BadValue [^\n]*line 1: [^\n]*JSON[^\n]*\n$/i);
    expect(err.length).toBeLessThan(400);
  });

  test('with --skip-bad are counted, and the first of them named', async () => {
    const args = ['embed', model, '--jsonl', '--file', at('bad.jsonl'), '--skip-bad'];
    const { code, out, err } = await ambryCli(args);
    expect([code, out]).toEqual([0, '']);
    const lines = err.trimEnd().split('\n');
    expect(lines).toHaveLength(11);
    expect(lines[0]).toMatch(/^warning {2}BadValue line 1: /);
    expect(lines[10]).toBe('skipped 100,000 invalid lines; the first is line 1');
  });
});
