// The options of `ambry search`: --source, --explain, --markdown and --jsonl.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { beforeAll, describe, expect, test } from 'vitest';
import { cliArgs } from '../../support/cli/cli.ts';
import { cliFolder } from '../../support/cli/cli-folder.ts';
import { ambryCli } from '../../support/cli/shared-cli.ts';

const { at, model } = await cliFolder();
const indexFile = at('docs.ambryindex');

interface Hit {
  readonly id: string | number;
  readonly score: number;
  readonly source: string;
  readonly text: string;
  readonly pieces: readonly { readonly token: string; readonly score: number }[];
}
interface Answer {
  readonly id?: string | number;
  readonly query: string;
  readonly hits: readonly Hit[];
}

beforeAll(async () => {
  await mkdir(at('docs/inner'), { recursive: true });
  await writeFile(at('docs/a.txt'), 'the cat sat on the mat.\n');
  await writeFile(at('docs/b.txt'), 'dog ran home!\n');
  await writeFile(at('docs/inner/c.md'), 'the mat, the mat\n');
  expect((await ambryCli(['index', model, at('docs'), indexFile])).code).toBe(0);
}, 60_000);

const search = (...args: string[]) => ambryCli(['search', indexFile, ...args]);

describe('search', () => {
  test('joins its arguments to one query', async () => {
    const { json } = await search('dog', 'ran', 'home!', '-k', '1', '--json');
    const [[hit]] = json() as [[Hit]];
    expect(hit).toMatchObject({ text: 'dog ran home!' });
    expect(hit.score).toBeCloseTo(1, 2);
  });

  test.each([
    [['*.md'], ['inner/c.md']],
    [['inner/**'], ['inner/c.md']],
    [['?.txt'], ['a.txt', 'b.txt']],
    [
      ['b.*', '*.md'],
      ['b.txt', 'inner/c.md'],
    ],
    [['nothing'], []],
  ])('--source %j finds the files that match', async (globs, sources) => {
    const args = globs.flatMap((glob) => ['--source', glob]);
    const [hits] = (await search('dog', ...args, '--json')).json() as [Hit[]];
    expect(hits.map(({ source }) => source).toSorted()).toEqual(sources);
  });

  test('--explain gives word pieces that add up to the score', async () => {
    const [hits] = (await search('the cat', '--explain', '--json')).json() as [Hit[]];
    expect(hits).toHaveLength(3);
    for (const { score, pieces } of hits) {
      expect(pieces.reduce((sum, piece) => sum + piece.score, 0)).toBeCloseTo(score, 2);
    }
    const tokens = hits.find(({ source }) => source === 'b.txt')?.pieces.map(({ token }) => token);
    expect(tokens).toEqual(['[CLS]', 'dog', 'ran', 'home', '!', '[SEP]']);
    expect((await search('the cat', '--explain')).out).toMatch(/\n {8}pieces: \S+ [+−]0\.\d{3}, /);
  });

  test('--markdown prints a list', async () => {
    const { code, out } = await search('dog ran home!', '--markdown', '-k', '2');
    expect(code).toBe(0);
    expect(out).toMatch(
      /^## dog ran home!\n\n1\. \*\*b\.txt\*\* \(\d\.\d{4}\)\n\n {3}> dog ran home!\n\n2\. /,
    );
  });

  test.each([
    [[]],
    [['cat', '--json', '--markdown']],
    [['cat', '--jsonl']],
    [['-', '--jsonl', '--json']],
    [['cat', '--skip-bad']],
    [['cat', '--source', '']],
  ])('%j is bad usage: 2', async (args) => {
    expect((await search(...args)).code).toBe(2);
  });
});

describe('search --jsonl', () => {
  test('answers each line like a single query', async () => {
    const input = 'dog ran home!\n\n{"id":"q2","query":"the cat"}\n';
    const { code, json } = await ambryCli(['search', indexFile, '-', '--jsonl', '-k', '2'], input);
    expect(code).toBe(0);
    const answers = json() as Answer[];
    expect(answers.map(({ id, query }) => [id, query])).toEqual([
      [undefined, 'dog ran home!'],
      ['q2', 'the cat'],
    ]);
    for (const { query, hits } of answers) {
      expect(hits).toEqual((await search(query, '-k', '2', '--json')).json()[0]);
    }
  });

  test('a broken line fails with its number, or is skipped', async () => {
    const input = 'dog\n{"query":\ncat\n';
    const stopped = await ambryCli(['search', indexFile, '-', '--jsonl'], input);
    expect(stopped.code).toBe(1);
    expect(stopped.err).toMatch(/BadValue line 2: Line 2 is not JSON/);
    expect((stopped.json() as Answer[]).map(({ query }) => query)).toEqual(['dog']);
    const skipped = await ambryCli(['search', indexFile, '-', '--jsonl', '--skip-bad'], input);
    expect(skipped.code).toBe(0);
    expect((skipped.json() as Answer[]).map(({ query }) => query)).toEqual(['dog', 'cat']);
  });

  test('a query is answered before the next one arrives', async () => {
    const child = spawn(process.execPath, [...cliArgs, 'search', indexFile, '-', '--jsonl'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    for (const query of ['dog', 'cat']) {
      child.stdin.write(`${query}\n`);
      const { value } = await answers.next();
      expect((JSON.parse(value as string) as Answer).query).toBe(query);
    }
    child.stdin.end();
    expect((await once(child, 'close'))[0]).toBe(0);
  });
});
