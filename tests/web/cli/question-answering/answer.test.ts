// `ambry answer`.
import { writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ExtractedAnswer, IndexAnswer } from '../../../../web/src/entries/types.ts';
import { cliFolder } from '../../support/cli/cli-folder.ts';
import { writeDirectory } from '../../support/cli/reader-files.ts';
import { ambryCli } from '../../support/cli/shared-cli.ts';
import { headDirectory } from '../../support/directories/head-directories.ts';
import { questionDirectory } from '../../support/directories/token-head-directories.ts';
import { ambry } from '../../support/package.ts';

const { at, model: encoder } = await cliFolder();
const reader = at('reader');
const question = 'where is the cat?';
const text = 'the dog ran home.\nthe cat sat on the mat 🐈 a mat\n';

beforeAll(async () => {
  await writeDirectory(reader, questionDirectory());
  await ambry.convert(headDirectory(), { output: at('reranker.weights') });
  await writeFile(at('notes.txt'), text);
  await ambryCli(['index', encoder, at('notes.txt'), at('notes.ambryindex')]);
});

async function expected(k: number): Promise<ExtractedAnswer[]> {
  await using model = await ambry.open({ path: reader } as never, { kind: 'questionAnswering' });
  return await model.answer(question, text, { k });
}

describe('answer', () => {
  test('prints the answers of a file, the best first', async () => {
    const run = await ambryCli(['answer', reader, question, at('notes.txt'), '-k', '3']);
    expect(run).toMatchObject({ code: 0, err: '' });
    const lines = (await expected(3)).map(
      ({ text, start, end, score }) =>
        `${score.toFixed(4)}\t${start}\t${end}\t${text.replaceAll('\n', ' ')}`,
    );
    expect(run.out.trimEnd().split('\n')).toEqual(lines);
  });

  test('reads standard input, and --context', async () => {
    const named = await ambryCli(['answer', reader, question, at('notes.txt'), '--json']);
    const piped = await ambryCli(['answer', reader, question, '-', '--json'], text);
    const given = await ambryCli(['answer', reader, question, '--context', text, '--json']);
    expect([piped.out, given.out]).toEqual([named.out, named.out]);
    const [[answer]] = named.json() as [[ExtractedAnswer]];
    const [best] = await expected(1);
    expect(answer).toEqual({ ...best, score: expect.closeTo(best?.score ?? 0, 8) as number });
  });

  test('may say that there is none', async () => {
    const args = ['answer', reader, question, '--context', 'cat', '--no-answer', '-k', '2'];
    const [answers] = (await ambryCli([...args, '--json'])).json() as [ExtractedAnswer[]];
    expect(answers.map((one) => one.text).toSorted()).toEqual(['', 'cat']);
    const empty = await ambryCli(['answer', reader, question, '--context', '']);
    expect(empty).toMatchObject({ code: 0, out: '', err: '' });
  });

  test('reads the passages of an index', async () => {
    const args = ['answer', reader, question, '--index', at('notes.ambryindex'), '-k', '2'];
    const run = await ambryCli([...args, '--passages', '3', '--hybrid', '--json']);
    expect(run).toMatchObject({ code: 0, err: '' });
    const [answers] = run.json() as [(IndexAnswer & { readonly source: string })[]];
    expect(answers).toHaveLength(2);
    for (const { text, passage, start, end, source, retrievalScore } of answers) {
      expect(passage.slice(start, end)).toBe(text);
      expect(source).toBe(at('notes.txt'));
      expect(retrievalScore).toBeGreaterThan(-1);
    }
    const printed = await ambryCli([...args, '--encoder', encoder]);
    expect(printed.code).toBe(0);
    expect(printed.out).toMatch(/^0\.\d{4}\t\S*notes\.txt\S*\t/);
  });
});

test('an index that does not name its model says which option does', async () => {
  await using model = await ambry.open({ path: encoder } as never, { kind: 'encoder' });
  await using index = await ambry.createIndex(model, [{ text: 'the cat sat' }]);
  const unnamed = at('unnamed.ambryindex');
  await writeFile(unnamed, Buffer.from(await (await index.save()).arrayBuffer()));
  const run = await ambryCli(['answer', reader, question, '--index', unnamed]);
  expect(run.code).toBe(2);
  expect(run.err).toContain('--encoder MODEL');
  const found = await ambryCli([
    'answer',
    reader,
    question,
    '--index',
    unnamed,
    '--encoder',
    encoder,
  ]);
  expect(found.code).toBe(0);
  expect(found.out).toMatch(/^0\.\d{4}\t0\t/);
});

describe('answer refuses', () => {
  test.each([
    [[], /No text was given/],
    [[at('notes.txt'), '--context', 'a'], /one of FILE, --context and --index/],
    [['--context', 'a', '--passages', '3'], /--passages needs --index/],
    [['--context', 'a', '-k', '0'], /-k must be an integer of at least 1/],
    [['--context', 'a', '--overlap', 'x'], /--overlap must be an integer of at least 0/],
    [[at('none.txt')], /No such file/],
  ])('%j', async (args, message) => {
    const run = await ambryCli(['answer', reader, question, ...args]);
    expect(run.code).toBe(2);
    expect(run.err).toMatch(message);
  });

  test('a model and a text that are both standard input', async () => {
    const run = await ambryCli(['answer', '-', question, '-'], 'x');
    expect(run).toMatchObject({ code: 2 });
  });

  test('an empty question', async () => {
    const run = await ambryCli(['answer', reader, ' ', '--context', 'a cat', '--json']);
    expect(run.code).toBe(1);
    expect(run.json()).toMatchObject([{ error: { code: 'BadValue', path: 'question' } }]);
  });

  test.each([encoder, at('reranker.weights')])('a model of another kind', async (other) => {
    const run = await ambryCli(['answer', other, question, '--context', 'a cat']);
    expect(run.code).toBe(1);
    expect(run.err).toContain('this command needs a model that answers questions from a text');
  });
});
