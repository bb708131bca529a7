// `ambry predict`.
import { describe, expect, test } from 'vitest';
import { answersOf, classifierPath, classifierTexts } from '../../support/classifier-files.ts';
import { ambryCli } from '../../support/shared-cli.ts';

const model = classifierPath('softmax.bin');
const [answers] = answersOf('softmax.bin');

interface Answer {
  readonly id: string | number;
  readonly predictions: readonly { label: string; probability: number }[];
}

describe('predict', () => {
  test('prints a line for each text', async () => {
    const args = ['--text', 'maus haus', '--text', 'über', '-k', '2'];
    const { code, out } = await ambryCli(['predict', model, ...args]);
    expect(code).toBe(0);
    const lines = out.trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      expect(line).toMatch(/^__label__\S+\t0\.\d{6}\t__label__\S+\t0\.\d{6}$/);
    }
  });

  test('reads lines of a file and says what fastText says', async () => {
    const input = classifierTexts.map((text) => text.replaceAll('\r', ' ')).join('\n');
    const run = await ambryCli(['predict', model, '--file', '-', '--json'], `${input}\n`);
    const found = run.json() as Answer[];
    expect(found.map(({ predictions }) => predictions.map(({ label }) => label))).toEqual(
      answers?.predictions.map((own) => own.map(([label]) => label)),
    );
  });

  test('answers lines of JSON with their ids', async () => {
    const input = '{"id":"a","text":"maus"}\n{"text":"haus"}\n';
    const run = await ambryCli(['predict', model, '--jsonl', '-k', '3'], input);
    const found = run.json() as Answer[];
    expect(found.map(({ id }) => id)).toEqual(['a', 2]);
    for (const { predictions } of found) {
      expect(predictions).toHaveLength(3);
    }
  });

  test('leaves out what is less probable than the threshold', async () => {
    const args = ['--text', 'maus', '-k', '11', '--threshold', '0.99', '--json'];
    const [found] = (await ambryCli(['predict', model, ...args])).json() as Answer[];
    expect(found?.predictions).toEqual([]);
  });

  test.each([
    ['-k', '0'],
    ['--threshold', '1.5'],
  ])('refuses %s %s', async (option, value) => {
    const run = await ambryCli(['predict', model, '--text', 'a', option, value]);
    expect(run.code).toBe(2);
    expect(run.err).toContain(option);
  });

  test('refuses a model of another kind by name', async () => {
    const run = await ambryCli(['embed', model, '--text', 'a']);
    expect(run.code).not.toBe(0);
    expect(run.err).toContain('holds a classifier of texts (fasttext)');
  });
});
