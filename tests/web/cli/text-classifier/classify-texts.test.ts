// `ambry classify` with a model of fastText.
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ambryCli } from '../../support/cli/shared-cli.ts';
import {
  answersOf,
  classifierPath,
  classifierTexts,
} from '../../support/files/classifier-files.ts';

const model = classifierPath('softmax.bin');
const [answers] = answersOf('softmax.bin');

interface Answer {
  readonly id: string | number;
  readonly input: string;
  readonly labels: readonly { label: string; index: number; score: number }[];
}

describe('classify with texts', () => {
  test('prints a line for each text', async () => {
    const args = ['--text', 'maus haus', '--text', 'über', '-k', '2'];
    const { code, out } = await ambryCli(['classify', model, ...args]);
    expect(code).toBe(0);
    const lines = out.trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      expect(line).toMatch(/^__label__\S+\t0\.\d{6}\t__label__\S+\t0\.\d{6}$/);
    }
  });

  test('reads lines of a file and says what fastText says', async () => {
    const input = classifierTexts.map((text) => text.replaceAll('\r', ' ')).join('\n');
    const run = await ambryCli(
      ['classify', model, '--file', '-', '-k', '1', '--json'],
      `${input}\n`,
    );
    const found = run.json() as Answer[];
    expect(found.map(({ labels }) => labels.map(({ label }) => label))).toEqual(
      answers?.predictions.map((own) => own.map(([label]) => label)),
    );
  });

  test('answers lines of JSON with their ids', async () => {
    const input = '{"id":"a","text":"maus"}\n{"text":"haus"}\n';
    const run = await ambryCli(['classify', model, '--jsonl', '-k', '3'], input);
    const found = run.json() as Answer[];
    expect(found.map(({ id }) => id)).toEqual(['a', 2]);
    for (const { labels } of found) {
      expect(labels).toHaveLength(3);
    }
  });

  test('leaves out labels with a score below the threshold', async () => {
    const args = ['--text', 'maus', '-k', '11', '--threshold', '0.99', '--json'];
    const [found] = (await ambryCli(['classify', model, ...args])).json() as Answer[];
    expect(found?.labels).toEqual([]);
  });

  test.each([
    ['-k', '0'],
    ['--threshold', '1.5'],
  ])('refuses %s %s', async (option, value) => {
    const run = await ambryCli(['classify', model, '--text', 'a', option, value]);
    expect(run.code).toBe(2);
    expect(run.err).toContain(option);
  });

  test('gives 5 labels when nothing else is said', async () => {
    const [found] = (await ambryCli(['classify', model, 'maus', '--json'])).json() as Answer[];
    expect(found?.input).toBe('maus');
    expect(found?.labels).toHaveLength(5);
  });

  test('refuses what is for images by name', async () => {
    for (const args of [['--plan', 'plan.json'], ['--fast'], ['--against', 'other.bin']]) {
      const run = await ambryCli(['classify', model, '--text', 'a', ...args]);
      expect(run.code).toBe(2);
      expect(run.err).toContain(`${args[0]} for images`);
    }
    const picture = fileURLToPath(new URL('../../../fixtures/digits/sheet.png', import.meta.url));
    const alone = await ambryCli(['classify', model, picture, '--fast']);
    expect(alone.code).toBe(2);
    expect(alone.err).toContain('--fast is for an image classifier');
  });

  test('predict is an unknown command that names this one', async () => {
    const run = await ambryCli(['predict', model, 'maus']);
    expect(run.code).toBe(2);
    expect(run.err).toContain('There is no command "predict". Did you mean "classify"?');
  });

  test('refuses a model of another kind by name', async () => {
    const run = await ambryCli(['embed', model, '--text', 'a']);
    expect(run.code).not.toBe(0);
    expect(run.err).toContain('holds a text classifier (fasttext)');
  });
});
