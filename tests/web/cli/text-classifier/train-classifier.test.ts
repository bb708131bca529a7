// `ambry train-classifier`, and `ambry classify` with what it makes.
import { copyFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { cliFolder } from '../../support/cli/cli-folder.ts';
import { ambryCli } from '../../support/cli/shared-cli.ts';

const root = path.resolve(import.meta.dirname, '../../../..');
const csv = path.join(root, 'tests/fixtures/classifier/examples.csv');
const { at, model: other } = await cliFolder();
const model = at('models/english.weights');
const made = at('made/topics.safetensors');

interface Trained {
  readonly labels: readonly { label: string; examples: number }[];
  readonly examples: number;
  readonly heldOut: { correct: number; count: number } | null;
  readonly bytes: number;
}

const train = async (file: string, target: string, ...more: readonly string[]) => {
  const run = await ambryCli(['train-classifier', model, file, target, '--json', ...more]);
  return run.json()[0] as Trained;
};
const labelOf = async (...args: readonly string[]) => {
  const { json } = await ambryCli(['classify', ...args, '--text', 'My card was stolen.', '--json']);
  return json()[0] as { labels: { label: string; score: number }[]; error?: object };
};

beforeAll(async () => {
  await mkdir(at('models'));
  await mkdir(at('made'));
  const built = path.join(root, 'web/demo/public/models/english-static-336.weights');
  await copyFile(built, model);
});

test('prints labels, counts and the score, and writes a file', async () => {
  const { code, out, err } = await ambryCli(['train-classifier', model, csv, made]);
  expect([code, err]).toEqual([0, '']);
  const lines = out.trimEnd().split('\n');
  expect(lines[0]).toMatch(/^card: 10 examples, [012] of 2 held out right$/);
  expect(lines).toHaveLength(5);
  expect(lines[4]).toMatch(
    /topics\.safetensors: 4 labels, 40 examples, \d of 8 held out right \(\d+\.\d %\), [\d.]+ kB$/,
  );
  const { valid } = (await ambryCli(['validate', made, '--json'])).json()[0] as { valid: boolean };
  expect(valid).toBe(true);
});

describe('examples', () => {
  const texts = [
    ['lines.jsonl', '{"text":"my card","label":"card"}\n{"text":"my money","label":"money"}\n'],
    ['list.json', '[{"text":"my card","label":"card"},{"text":"my money","label":"money"}]'],
    ['table.tsv', 'label\ttext\ncard\tmy card\nmoney\tmy money\n'],
    ['fasttext.txt', '__label__card my card\n\n__label__money my money\n'],
    ['lines', '\ufeff{"label":"card","text":"my card"}\r\n{"label":"money","text":"my money"}\r\n'],
    ['table', '"text","label"\n"my card","card"\n"my money","money"\n'],
  ] as const;

  test.each(texts)('%s', async (name, content) => {
    await writeFile(at(name), content);
    const { labels, heldOut } = await train(at(name), at('few.safetensors'));
    expect(labels).toEqual([
      { label: 'card', examples: 1 },
      { label: 'money', examples: 1 },
    ]);
    expect(heldOut).toBeNull();
  });

  test('all ways to write them give the same file', async () => {
    const files = new Set<string>();
    for (const [name] of texts) {
      await train(at(name), at('same.safetensors'));
      files.add((await readFile(at('same.safetensors'))).toString('base64'));
    }
    expect(files.size).toBe(1);
  });

  test('from standard input, to standard output', async () => {
    const [[, lines]] = texts;
    const { code, stdout } = await ambryCli(['train-classifier', model, '-', '-'], lines);
    expect(code).toBe(0);
    expect(stdout.includes('ambry-classifier')).toBe(true);
  });

  test.each([
    ['no-label.csv', 'text,topic\nmy card,card\n', 'examples[0].label'],
    ['no-text.jsonl', '{"text":"a","label":"b"}\n{"label":"c"}\n', 'examples[1].text'],
    ['one.txt', '__label__card my card\n', 'examples'],
    ['bare.txt', '__label__card my card\nmy money\n', 'examples[1].label'],
    ['broken.jsonl', '{"text":"a","label":"b"}\n{', 'line 2'],
  ])('%s is refused', async (name, content, where) => {
    await writeFile(at(name), content);
    const { code, json } = await ambryCli([
      'train-classifier',
      model,
      at(name),
      at('none.safetensors'),
      '--json',
    ]);
    expect(code).not.toBe(0);
    expect(json()).toEqual([{ error: expect.objectContaining({ code: 'BadValue' }) }]);
    expect(JSON.stringify(json())).toContain(where);
  });

  test('that are not there, and a target that is read: 2', async () => {
    const none = await ambryCli(['train-classifier', model, at('none.csv'), at('a')]);
    expect(none.code).toBe(2);
    const same = await ambryCli(['train-classifier', model, csv, csv]);
    expect(same.code).toBe(2);
    await writeFile(at('empty.csv'), 'text,label\n');
    const empty = await ambryCli(['train-classifier', model, at('empty.csv'), at('a')]);
    expect([empty.code, empty.err]).toEqual([2, expect.stringContaining('no examples')]);
  });
});

describe('classify', () => {
  test('finds the encoder beside the file, also after both were moved', async () => {
    expect((await labelOf(made)).labels[0]?.label).toBe('card');
    await mkdir(at('moved'));
    await rename(at('made'), at('moved/made'));
    await rename(at('models'), at('moved/models'));
    try {
      expect((await labelOf(at('moved/made/topics.safetensors'))).labels[0]?.label).toBe('card');
    } finally {
      await rename(at('moved/made'), at('made'));
      await rename(at('moved/models'), at('models'));
    }
  });

  test('takes the encoder that is given, also with the file on standard input', async () => {
    expect((await labelOf(made, '--encoder', model)).labels[0]?.label).toBe('card');
    const args = ['classify', '-', '--encoder', model, '--text', 'My card was stolen.', '-k', '1'];
    const { out } = await ambryCli(args, await readFile(made));
    expect(out).toMatch(/^card\t0\.\d{6}\n$/);
  });

  test('refuses another encoder, and asks for one that is not named', async () => {
    expect((await labelOf(made, '--encoder', other)).error).toMatchObject({ code: 'Mismatch' });
    const { stdout } = await ambryCli(['train-classifier', '-', csv, '-'], await readFile(model));
    await writeFile(at('nameless.safetensors'), stdout);
    expect((await labelOf(at('nameless.safetensors'))).error).toMatchObject({
      code: 'BadValue',
      path: '--encoder',
    });
  });

  test('options of the training change what is learned', async () => {
    const plain = (await labelOf(made)).labels[0]?.score ?? 0;
    await train(csv, at('made/vague.safetensors'), '--l2', '10', '--balanced');
    const vague = (await labelOf(at('made/vague.safetensors'))).labels[0]?.score ?? 1;
    expect(vague).toBeLessThan(plain);
    const wrong = await ambryCli(['train-classifier', model, csv, at('a'), '--l2', '0']);
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('--l2')]);
  });
});
