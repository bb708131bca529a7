// `ambry tag` and `ambry redact`.
import { openSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TextEntity, TokenClassifier } from '../../../../web/src/index.ts';
import { ambryCli as ambryProcess, runWithStreams } from '../../support/cli/cli.ts';
import { cliFolder } from '../../support/cli/cli-folder.ts';
import { writeDirectory } from '../../support/cli/reader-files.ts';
import { ambryCli, succeed } from '../../support/cli/shared-cli.ts';
import { taggerDirectory } from '../../support/directories/tagger-directories.ts';
import { forAllTests } from '../../support/for-all-tests.ts';
import { openTokenClassifier } from '../../support/open-kinds.ts';
import { ambry } from '../../support/package.ts';

const { at, model: encoder } = await cliFolder();
const file = at('ner.weights');
await ambry.convert(taggerDirectory(), { output: file });
const model: TokenClassifier = await forAllTests(openTokenClassifier({ path: file } as never));
const sentence = 'the cat sat on the mat. dog ran home!';

interface Answer {
  readonly id?: string | number;
  readonly text?: string;
  readonly entities: readonly TextEntity[];
}

const rounded = (entities: readonly TextEntity[]) =>
  entities.map(({ score, ...entity }) => ({
    ...entity,
    score: expect.closeTo(score, 6) as number,
  }));

describe('tag', () => {
  test('prints a line for each entity', async () => {
    const { out } = await succeed(['tag', file, 'cat', '--text', sentence]);
    const all = await model.tag(['cat', sentence]);
    const lines = all.flatMap((entities, place) =>
      entities.map(({ start, end, label, score, text }) =>
        [place, start, end, label, score.toFixed(4), text].join('\t'),
      ),
    );
    expect(lines.length).toBeGreaterThan(0);
    expect(out.split('\n').slice(0, -1)).toEqual(lines);
  });

  test('prints JSON, with the options of the call', async () => {
    const options = { aggregation: 'first', threshold: 0.3, stride: 5, labels: ['PER'] } as const;
    const args = ['--aggregation', 'first', '--threshold', '0.3', '--stride', '5'];
    const run = await succeed(['tag', file, sentence, ...args, '--labels', ' PER', '--json']);
    const expected = rounded(await model.tag(sentence, options));
    expect(run.json()).toEqual([{ text: sentence, entities: expected }]);
    const all = await succeed([
      'tag',
      file,
      'cat',
      '--labels',
      'PER,LOC',
      '--labels',
      'O',
      '--json',
    ]);
    expect(all.json()).toHaveLength(1);
  });

  test('reads lines as they are, and lines of JSON', async () => {
    const lines = ['  the cat\r', '', '🙂 dog ran'];
    const run = await succeed(['tag', file, '--json'], `${lines.join('\n')}\n`);
    const found = run.json() as Answer[];
    const texts = ['  the cat', '', '🙂 dog ran'];
    const expected = (await model.tag(texts)).map(rounded);
    expect(found).toEqual(texts.map((text, i) => ({ text, entities: expected[i] })));
    const input = '{"id":"a","text":"the cat"}\n{"text":"dog"}\n';
    const answered = await succeed(['tag', file, '--jsonl'], input);
    const own = (await model.tag(['the cat', 'dog'])).map(rounded);
    expect(answered.json()).toEqual([
      { id: 'a', entities: own[0] },
      { id: 2, entities: own[1] },
    ]);
  });

  test('reads any number of lines', async () => {
    const path = at('many.txt');
    await writeFile(path, `${sentence}\n`.repeat(2000));
    const { out } = await succeed(['tag', file, '--file', path, '--json']);
    expect(out.split('\n')).toHaveLength(2001);
  });

  test.each([
    [['--aggregation', 'fist'], '--aggregation', /Did you mean "first"/],
    [['--stride', 'x'], '--stride', /integer/],
    [['--stride', '1000'], '--stride', /below the/],
    [['--threshold', '2'], '--threshold', /from 0 to 1/],
    [['--labels', 'LOC,PR'], '--labels[1]', /Did you mean "PER"/],
    [['--jsonl', '--text', 'a'], '--jsonl', /cannot be used/],
  ])('%j ends with 2', async (args, path, message) => {
    const run = await ambryCli(['tag', file, sentence, ...args, '--json']);
    expect(run.code).toBe(2);
    const [{ error }] = run.json() as [{ error: { path: string; message: string } }];
    expect(error.path).toBe(path);
    expect(error.message).toMatch(message);
  });

  test('refuses a model of another kind', async () => {
    const { code, err } = await ambryCli(['tag', encoder, 'cat']);
    expect(code).toBe(1);
    expect(err).toMatch(/token classif/);
    const none = await ambryCli(['tag', at('none'), 'cat']);
    expect(none.code).toBe(2);
  });
});

const story = `\ufeffThe cat sat.\r\n\r\ndog ran home!\n${sentence}\n\n\n\tthe end \u00e9 🙂`;

describe('redact', () => {
  beforeAll(() => writeFile(at('story.txt'), story));

  test('keeps all that is no entity', async () => {
    const { stdout } = await succeed(['redact', file, at('story.txt')]);
    const parts = story.split(/(?<=\r\n\r\n|home!\n\n)/);
    expect(stdout.toString()).toBe((await model.redact(parts)).join(''));
    const same = await succeed(['redact', file, at('story.txt'), '--threshold', '1']);
    expect(same.stdout.equals(Buffer.from(story))).toBe(true);
    const piped = await succeed(['redact', file, '-'], story);
    expect(piped.stdout.equals(stdout)).toBe(true);
    const odd = 'a\0b\u001b[31m\u2028\r\rno end';
    const raw = await succeed(['redact', file, '--threshold', '1'], odd);
    expect(raw.out).toBe(odd);
    expect((await succeed(['redact', file], '')).out).toBe('');
  });

  test('writes a file, and says how much was replaced', async () => {
    const out = at('redacted.txt');
    const args = ['redact', file, at('story.txt'), '-o', out, '--replacement', '<{label}>'];
    const { json } = await succeed([...args, '--json']);
    const text = await readFile(out, 'utf8');
    expect(json()).toEqual([{ out, replaced: text.split(/<(?:PER|LOC)>/).length - 1 }]);
    expect((await succeed(args)).out).toMatch(/redacted.txt: \d+ replacements?\n$/);
    const same = await ambryCli(['redact', file, out, '-o', out]);
    expect(same.code).toBe(2);
    expect(await readFile(out, 'utf8')).toBe(text);
  });

  test('shows hidden characters of labels, and leaves those of the text', async () => {
    const odd = at('odd');
    await writeDirectory(odd, taggerDirectory({ labels: ['\u001b[31mX'], bias: [0] }));
    const { out } = await succeed(['redact', odd], 'cat \u001b[0m\n');
    expect(out).toBe('[\\u001b[31mX]\n');
    const kept = await succeed(
      ['redact', odd, '--threshold', '1', '--replacement', ''],
      '\u202e\n',
    );
    expect(kept.out).toBe('\u202e\n');
  });

  test('cuts after each line with --lines', async () => {
    const lines = ['the cat\n', '\n', 'dog ran home'];
    const { out } = await succeed(['redact', file, '--lines'], lines.join(''));
    expect(out).toBe((await model.redact(lines)).join(''));
    const json = await succeed(['redact', file, '--lines', '--json'], lines.join(''));
    expect(json.json()).toEqual((await model.redact(lines)).map((text) => ({ text })));
  });

  test('replaces in the texts of keys in lines of JSON', async () => {
    const input = `{"n": 1.0, "text" : "${sentence}", "other":"the cat"}\n\n{"list":["the cat",{"a":"dog"}],"text":null}\n`;
    const { out } = await succeed(['redact', file, '--jsonl', 'text', '--jsonl', 'list'], input);
    const [own, cat, dog] = await model.redact([sentence, 'the cat', 'dog']);
    expect(out).toBe(
      `{"n": 1.0, "text" : ${JSON.stringify(own)}, "other":"the cat"}\n\n{"list":[${JSON.stringify(cat)},{"a":${JSON.stringify(dog)}}],"text":null}\n`,
    );
  });

  test('fails for a key that no line has, and for a line that is no object', async () => {
    const input = '{"text":"the cat"}\n';
    const missing = await ambryCli(['redact', file, '--jsonl', 'texts'], input);
    expect(missing.code).toBe(1);
    expect(missing.err).toMatch(/No line has the key "texts"/);
    const bad = await ambryCli(['redact', file, '--jsonl', 'text'], `${input}[1]\n`);
    expect(bad.code).toBe(1);
    expect(bad.err).toMatch(/Line 2 is not a JSON object/);
    expect(bad.out).toBe(`{"text":${JSON.stringify(await model.redact('the cat'))}}\n`);
    const out = at('never.jsonl');
    const kept = await ambryCli(['redact', file, '--jsonl', 'text', '-o', out], '[1]\n');
    expect(kept.code).toBe(1);
    await expect(stat(out)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test.each([
    [['redact', '-'], /cannot both be standard input/],
    [['redact', file, at('none.txt')], /No such file/],
    [['redact', file, at('story.txt'), '--lines', '--jsonl', 'a'], /cannot be used with/],
    [['redact', file, at('story.txt'), '--labels', 'PR'], /Did you mean "PER"/],
    [['redact', file, at('story.txt'), 'more'], /arguments given/],
  ])('%j ends with 2', async (args, message) => {
    const { code, err } = await ambryCli(args, 'x');
    expect(err).toMatch(message);
    expect(code).toBe(2);
  });

  test('a text that is not UTF-8 is refused with its line', async () => {
    const { code, err } = await ambryCli(['redact', file], Buffer.from([97, 10, 98, 0xff, 10]));
    expect(code).toBe(1);
    expect(err).toMatch(/Line 2 is not valid UTF-8/);
  });
});

describe('as filters', () => {
  test('end when their reader leaves', async () => {
    const path = at('large.txt');
    await writeFile(path, `${sentence}\n\n`.repeat(20_000));
    const input = openSync(path, 'r');
    const { code, err } = await runWithStreams(
      ['redact', file, '-'],
      [input, 'pipe', 'pipe'],
      (child) => {
        child.stdout?.once('data', () => child.stdout?.destroy());
      },
    );
    expect(err).toBe('');
    expect(code).toBe(0);
  });

  test('answer a line before the next one comes', async () => {
    const lines: string[] = [];
    const { code } = await runWithStreams(
      ['redact', file, '--lines'],
      ['pipe', 'pipe', 'pipe'],
      (child) => {
        child.stdin?.write('the cat\n');
        child.stdout?.on('data', (chunk: Buffer) => {
          lines.push(chunk.toString());
          if (lines.length === 1) {
            child.stdin?.write('dog ran\n');
          } else {
            child.stdin?.end();
          }
        });
      },
    );
    expect(code).toBe(0);
    expect(lines).toEqual(await model.redact(['the cat\n', 'dog ran\n']));
  });

  test('need memory for a part of a text only', async () => {
    const path = at('long.txt');
    const paragraph = `${sentence} `.repeat(30);
    await writeFile(path, `${paragraph}\n`.repeat(2000));
    const run = await ambryProcess(
      ['redact', file, path, '-o', at('long-redacted.txt'), '--threshold', '1', '--json'],
      '',
      { NODE_OPTIONS: '--max-old-space-size=64' },
    );
    expect(run.code, run.err).toBe(0);
    expect(run.json()).toEqual([{ out: at('long-redacted.txt'), replaced: 0 }]);
    expect(await readFile(at('long-redacted.txt'), 'utf8')).toBe(await readFile(path, 'utf8'));
  });
});
