// `ambry fill`.
import { writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import type { MaskFill } from '../../../../web/src/entries/types.ts';
import { cliFolder } from '../../support/cli/cli-folder.ts';
import { writeDirectory } from '../../support/cli/reader-files.ts';
import { ambryCli } from '../../support/cli/shared-cli.ts';
import { maskDirectory } from '../../support/directories/token-head-directories.ts';
import { ambry } from '../../support/package.ts';

const { at, model: encoder } = await cliFolder();
const filler = at('filler');
const text = 'the [MASK] sat on the [MASK].';

interface Printed {
  readonly input: string;
  readonly masks: readonly (readonly MaskFill[])[];
}

beforeAll(() => writeDirectory(filler, maskDirectory()));

describe('fill', () => {
  test('prints a line for each mask', async () => {
    const run = await ambryCli(['fill', filler, text, '-k', '2']);
    expect(run).toMatchObject({ code: 0, err: '' });
    await using model = await ambry.open(maskDirectory(), { kind: 'fillMask' });
    const lines = (await model.fill(text, { k: 2 })).map((words) =>
      words.map(({ text, score }) => `${text}\t${score.toFixed(6)}`).join('\t'),
    );
    expect(run.out.trimEnd().split('\n')).toEqual(lines);
  });

  test('takes texts in three places, and prints JSON', async () => {
    const after = await ambryCli(['fill', filler, text, 'a [MASK]', '--json', '-k', '1']);
    const named = await ambryCli([
      'fill',
      filler,
      '--json',
      '-k1',
      '--text',
      text,
      '--text',
      'a [MASK]',
    ]);
    const piped = await ambryCli(['fill', filler, '--json', '-k1'], `${text}\na [MASK]\n`);
    expect([named.out, piped.out]).toEqual([after.out, after.out]);
    const [first, second, ...others] = after.json() as Printed[];
    expect(others).toEqual([]);
    expect(first?.masks).toHaveLength(2);
    expect(second?.input).toBe('a [MASK]');
    const word = second?.masks[0]?.[0];
    expect(word?.filled).toBe(`a ${word?.text}`);
  });

  test('chooses among candidates', async () => {
    const args = [
      'fill',
      filler,
      'a [MASK]',
      '--json',
      '--candidates',
      'cat, dog',
      '--candidates',
      'mat',
    ];
    const [found] = (await ambryCli(args)).json() as Printed[];
    const words = found?.masks[0]?.map(({ text }) => text);
    expect(words?.toSorted()).toEqual(['cat', 'dog', 'mat']);
  });

  test('answers lines of JSON, and names a bad one', async () => {
    const lines = [
      '{"id": "x", "text": "a [MASK]"}',
      '{"text": "no mask"}',
      '{"text": "[MASK] sat"}',
    ];
    await writeFile(at('texts.jsonl'), lines.join('\n'));
    const args = ['fill', filler, '--jsonl', '--file', at('texts.jsonl'), '-k', '1'];
    const skipped = await ambryCli([...args, '--skip-bad']);
    expect(skipped.code).toBe(0);
    expect((skipped.json() as { id: unknown }[]).map(({ id }) => id)).toEqual(['x', 3]);
    expect(skipped.err).toContain('Line 2: The text has no [MASK].');
    const stopped = await ambryCli(args);
    expect(stopped.code).toBe(1);
    expect((stopped.json() as { id: unknown }[]).map(({ id }) => id)).toEqual(['x']);
  });

  test.each([
    [['a [MASK]', '-k', '0'], 2, /-k must be an integer of at least 1/],
    [['a cat'], 1, /The text has no \[MASK\]/],
    [['a [MASK]', '--candidates', 'kitten'], 1, /"kitten" is 6 tokens of the model/],
    [['a [MASK]', '--jsonl'], 2, /--jsonl cannot be used with --text/],
  ])('refuses %j', async (args, code, message) => {
    const run = await ambryCli(['fill', filler, ...args]);
    expect(run.code).toBe(code);
    expect(run.err).toMatch(message);
  });

  test('takes a file that convert --head makes, and no other', async () => {
    const kept = at('kept.weights');
    const made = await ambryCli(['convert', filler, kept, '--head', 'fillMask']);
    expect(made).toMatchObject({ code: 0 });
    const run = await ambryCli(['fill', kept, text]);
    expect(run.out).toBe((await ambryCli(['fill', filler, text])).out);
    expect(await ambryCli(['convert', filler, at('left.weights')])).toMatchObject({ code: 0 });
    expect(await ambryCli(['fill', at('left.weights'), text])).toMatchObject({ code: 1 });
    const wrong = await ambryCli(['convert', filler, kept, '--force', '--head', 'fillmasks']);
    expect(wrong.code).toBe(2);
    expect(wrong.err).toContain('--head must be one of fillMask');
  });

  test('refuses a model without such a head', async () => {
    const run = await ambryCli(['fill', encoder, 'a [MASK]']);
    expect(run.code).toBe(1);
    expect(run.err).toMatch(/Unsupported/);
  });
});
