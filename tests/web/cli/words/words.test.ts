// The commands for word vectors: their output, and what fails.
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ambryCli, succeed } from '../../support/cli/shared-cli.ts';
import { unitRow, wordFile } from '../../support/files/word-files.ts';

let folder = '';
const at = (name: string) => join(folder, name);

const directions = ['east', 'north', 'west', 'south'];
const coordinates = [1, 0, 0, 1, -1, 0, 0, -1];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ambry-words-'));
  const compass = {
    words: directions,
    dim: 2,
    row: (i: number) => coordinates.slice(2 * i, 2 * i + 2),
  };
  await writeFile(
    at('compass.fifu'),
    wordFile({ ...compass, norms: [1, 2, 3, 4], metadata: 'rate = 1.0\n[made]\nby = "hand"\n' }),
  );
  await writeFile(at('plain.fifu'), wordFile(compass));
  const pieces = { words: ['one', 'two'], dim: 4, exponent: 5 };
  await writeFile(at('pieces.fifu'), wordFile({ ...pieces, row: (i) => unitRow(i, 4) }));
});
afterAll(() => rm(folder, { recursive: true }));

describe('embed', () => {
  test('a text without a known word is not silent: zeros, a note and 1', async () => {
    const texts = ['--text', 'east', '--text', 'xyzzy'];
    const run = await ambryCli(['embed', at('compass.fifu'), ...texts]);
    expect(run.out).toBe('1 0\n0 0\n');
    expect(run.err).toMatch(/no vector for: xyzzy/);
    expect(run.code).toBe(1);
    const lines = '{"text":"xyzzy"}\n';
    const answered = await ambryCli(['embed', at('compass.fifu'), '--jsonl'], lines);
    expect(answered.code).toBe(1);
    expect(answered.err).toMatch(/NotFound.*No word of this text is known/);
  });

  test('takes the methods of pooling that word vectors have', async () => {
    const vectorBy = async (...pooling: string[]) =>
      (await succeed(['embed', at('compass.fifu'), '--text', 'east east north', ...pooling])).out;
    const mean = await vectorBy();
    expect(await vectorBy('--pooling', 'mean')).toBe(mean);
    expect(await vectorBy('--pooling', 'sif')).not.toBe(mean);
    const args = ['embed', at('compass.fifu'), '--text', 'east', '--pooling', 'cls'];
    expect((await ambryCli(args)).err).toContain('must be mean or sif');
  });
});

describe('similar', () => {
  test('prints word, tab, score', async () => {
    const { out } = await succeed(['similar', at('compass.fifu'), 'east', '-k', '3']);
    expect(out).toBe('north\t0\nsouth\t0\nwest\t-1\n');
    const angular = await succeed([
      'similar',
      at('compass.fifu'),
      'east',
      '-s',
      'angular',
      '-k',
      '1',
    ]);
    expect(angular.out).toBe('north\t0.5\n');
  });

  test('reads lines, and continues after an unknown word', async () => {
    const input = ' east \n\nup\nwest\n';
    const { out, err } = await succeed(['similar', at('compass.fifu'), '-k', '1'], input);
    expect(out).toBe('north\t0\nnorth\t0\n');
    expect(err).toContain('up');
  });

  test('--json prints a document for each query, also for an unknown word', async () => {
    const args = ['similar', at('compass.fifu'), '-k', '1', '--json'];
    const lines = await succeed([...args, '-'], 'east\nwest\n');
    const north = [{ word: 'north', score: 0 }];
    expect(lines.json()).toEqual([north, north]);
    const some = await ambryCli([...args, '-'], 'east\nup\nwest\n');
    expect([some.code, some.err]).toEqual([1, '']);
    const error = { code: 'NotFound', message: expect.stringContaining('up'), path: 'word' };
    expect(some.json()).toEqual([north, { error }, north]);
    const [, file = '', ...rest] = args;
    expect((await ambryCli(['similar', file, 'up', ...rest])).json()).toEqual([{ error }]);
  });

  test('fails for an unknown WORD and for bad usage', async () => {
    expect((await ambryCli(['similar', at('compass.fifu'), 'up'])).code).toBe(1);
    expect((await ambryCli(['similar', at('compass.fifu'), 'east', '-k', '0'])).code).toBe(2);
    expect((await ambryCli(['similar', at('compass.fifu'), 'a', '-s', 'dot'])).code).toBe(2);
    expect((await ambryCli(['similar', at('none.fifu'), 'east'])).code).toBe(2);
  });

  test('--from text reads text', async () => {
    await writeFile(at('v.txt'), 'east 2 0\nnorth 0 3\nsteep 1 9\n');
    const { out } = await succeed(['similar', at('v.txt'), 'north', '-f', 'text', '-k', '1']);
    expect(out).toMatch(/^steep\t0\.99/);
  });
});

describe('analogy', () => {
  test('answers a query of three words', async () => {
    const query = ['analogy', at('compass.fifu'), 'east', 'north', 'north'];
    expect((await succeed([...query, '-k', '1'])).out).toMatch(/^west\t0\.44/);
    const included = await succeed([...query, '--include', 'b,c', '-k', '1']);
    expect(included.out).toMatch(/^north\t0\.89/);
    const [found] = (await succeed([...query, '-k', '1', '--json'])).json();
    expect(found).toEqual([{ word: 'west', score: expect.closeTo(0.447, 3) }]);
  });

  test('reads lines, and names all unknown words', async () => {
    const input = 'east north north\nup north down\n';
    const { out, err } = await succeed(['analogy', at('compass.fifu'), '-k', '1'], input);
    expect(out.split('\n')).toHaveLength(2);
    expect(err).toContain('up, down');
  });

  test('goes on after a line that is not a query, and says so', async () => {
    const input = 'east north\neast north north\n';
    const { code, out, err } = await ambryCli(['analogy', at('compass.fifu'), '-k', '1'], input);
    expect(code).toBe(1);
    expect(err).toContain('A query must be three words: east north');
    expect(out).toMatch(/^west\t0\.44/);
    const json = await ambryCli(['analogy', at('compass.fifu'), '-k', '1', '--json'], input);
    expect(json.code).toBe(1);
    expect(json.json()).toEqual([
      { error: expect.objectContaining({ code: 'BadValue', path: 'query' }) },
      [{ word: 'west', score: expect.closeTo(0.447, 3) }],
    ]);
    expect((await ambryCli(['analogy', at('compass.fifu'), 'a', 'b'])).code).toBe(2);
    expect((await ambryCli(['analogy', at('compass.fifu'), '--include', 'd'], '')).code).toBe(2);
  });
});

describe('files as people have them', () => {
  const row = (word: string) => `${word} 0.5 1.5 2.5\n`;

  test('words with spaces, repeated words, and lines that are no rows', async () => {
    const rows = [row('the'), row('. . .'), row('cat'), row('the'), '\n'];
    await writeFile(at('published.txt'), rows.join(''));
    const { out, err } = await succeed(['similar', at('published.txt'), '. . .', '-k', '5']);
    expect(out.trim().split('\n')).toHaveLength(2);
    expect(err).toMatch(/1 word has spaces/);
    expect(err).toMatch(/1 row repeats a word/);
    expect(err).toMatch(/1 empty line left out/);
  });

  const foreign: readonly (readonly [string, Uint8Array, RegExp])[] = [
    ['vectors.kv', Buffer.from('\x80\x04\x95aaaaaaaa}.', 'latin1'), /a Python pickle.*gensim/],
    ['vectors.npy', Buffer.from('\x93NUMPY\x01\x00v\x00{}', 'latin1'), /a NumPy array/],
    ['v.magnitude', Buffer.from('SQLite format 3\0', 'latin1'), /an SQLite database/],
    ['vectors.bz2', Buffer.from('BZh91AY&SY', 'latin1'), /a bzip2 file/],
    ['utf16.vec', Buffer.from('\uFEFF2 8\na 1 2 3 4 5 6 7 8\n', 'utf16le'), /text in UTF-16/],
  ];
  test.each(
    foreign,
  )('%s is named by every command, with what the command opens', async (name, bytes, kind) => {
    await writeFile(at(name), bytes);
    for (const [command, ...more] of [
      ['similar', 'a'],
      ['analogy', 'a', 'b', 'c'],
      ['embed', '--text', 'a'],
      ['generate', '--prompt', 'a'],
      ['classify', 'a'],
    ] as const) {
      const { code, err } = await ambryCli([command, at(name), ...more]);
      expect(code, command).toBe(1);
      expect(err, command).toMatch(kind);
      expect(err, command).not.toContain('(embd)');
    }
    const { err } = await ambryCli(['similar', at(name), 'a']);
    expect(err).toMatch(/This command opens word vectors \(.*fastText.*\)/);
  });
});

describe('compute-accuracy', () => {
  test('prints a line for each section and the totals', async () => {
    const questions =
      ': compass\neast north north west\nnorth west west east\n: gaps\neast up east up\n';
    await writeFile(at('questions.txt'), questions);
    const run = await succeed(['compute-accuracy', at('compass.fifu'), at('questions.txt')]);
    expect(run.out).toBe(
      [
        'compass: 1/2 correct, accuracy: 50.00, avg cos: 0.45, skipped: 0',
        'Total: 1/2 correct, accuracy: 50.00, avg cos: 0.45',
        'Skipped: 1/3 (33.33333333333333%)',
        '',
      ].join('\n'),
    );
    expect(run.err).toContain('gaps');
    const json = await succeed(['compute-accuracy', at('compass.fifu'), '-', '--json'], questions);
    expect(json.json()).toMatchObject([{ total: { correct: 1, count: 2, skipped: 1 } }]);
  });
});

describe('select', () => {
  test('writes each word of a list once, in the order of the list', async () => {
    await writeFile(at('list.txt'), 'west\neast\nwest\n');
    await succeed(['select', at('compass.fifu'), at('few.fifu'), at('list.txt')]);
    const [info] = (await succeed(['inspect', '--json', at('few.fifu')])).json();
    expect(info).toMatchObject({ tensors: [{ shape: [2, 2] }, { shape: [2] }], metadata: {} });
    await succeed(['select', at('compass.fifu'), at('few.txt')], 'west\neast\n');
    expect(await readFile(at('few.txt'), 'utf8')).toBe('west -3 0\neast 1 0\n');
  });

  test('reads and writes other formats', async () => {
    await writeFile(at('all.txt'), 'east 2 0\nnorth 0 3\n');
    await succeed(['select', at('all.txt'), at('one.txt'), '-f', 'text'], 'north\n');
    expect(await readFile(at('one.txt'), 'utf8')).toBe('north 0 3\n');
  });

  test('fails for unknown words unless --ignore-unknown is given', async () => {
    const args = ['select', at('compass.fifu'), at('some.txt')];
    const { code, err } = await ambryCli(args, 'up\neast\n');
    expect(code).toBe(1);
    expect(err).toContain('up');
    expect(existsSync(at('some.txt'))).toBe(false);
    await succeed([...args, '-i'], 'up\neast\n');
    expect(await readFile(at('some.txt'), 'utf8')).toBe('east 1 0\n');
  });
});

describe('bucket-to-explicit', () => {
  test('stores n-grams one by one', async () => {
    await succeed(['bucket-to-explicit', at('pieces.fifu'), at('explicit.fifu')]);
    const [info] = (await succeed(['inspect', '--json', at('explicit.fifu')])).json();
    expect(info).toMatchObject({ config: { vocabulary: { kind: 'explicit', n_words: 2 } } });
    const before = await succeed(['similar', at('pieces.fifu'), 'one']);
    expect((await succeed(['similar', at('explicit.fifu'), 'one'])).out).toBe(before.out);
    const { code, err } = await ambryCli(['bucket-to-explicit', at('compass.fifu'), at('no.fifu')]);
    expect(code).toBe(1);
    expect(err).toContain('simple');
  });
});

describe('metadata', () => {
  test('is printed as TOML', async () => {
    const { out } = await succeed(['metadata', at('compass.fifu')]);
    expect(out).toBe('rate = 1.0\n\n[made]\nby = "hand"\n');
    expect((await succeed(['metadata', at('plain.fifu')])).out).toBe('');
    await succeed(['metadata', at('compass.fifu'), at('meta.toml')]);
    expect(await readFile(at('meta.toml'), 'utf8')).toBe(out);
  });

  test('is replaced by a TOML file', async () => {
    await writeFile(at('new.toml'), '[made]\nby = "us"\n');
    await succeed(['convert', at('compass.fifu'), at('new.fifu'), '-m', at('new.toml')]);
    expect((await succeed(['metadata', at('new.fifu')])).out).toBe('[made]\nby = "us"\n');
    await writeFile(at('bad.toml'), 'by = ');
    const bad = await ambryCli([
      'convert',
      at('compass.fifu'),
      at('no.fifu'),
      '-m',
      at('bad.toml'),
    ]);
    expect(bad.code).toBe(1);
    expect(bad.err).toContain('options.metadataToml');
  });
});
