// `ambry tokenize --jsonl`: each form of a line, and lines that are none.
import { describe, expect, test } from 'vitest';
import { cliFolder } from '../../support/cli/cli-folder.ts';
import { ambryCli } from '../../support/cli/shared-cli.ts';

const { model } = await cliFolder();
const args = ['tokenize', model, '--jsonl'];

const lines = (...values: unknown[]) =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('');

describe('tokenize --jsonl', () => {
  test('takes a text, a pair, and an object', async () => {
    const object = { id: 'b', text: 'cat', pair: 'dogs', more: 1 };
    const input = lines('the\ncat', ['cat', 'mat'], object, { text: 'cat' });
    const { code, json, err } = await ambryCli(args, `\n${input}`);
    expect(code, err).toBe(0);
    const ids = expect.any(Array);
    const pair = ['[CLS]', 'cat', '[SEP]'];
    expect(json()).toEqual([
      { id: 2, ids, tokens: ['[CLS]', 'the', 'cat', '[SEP]'] },
      { id: 3, ids, tokens: [...pair, 'mat', '[SEP]'], typeIds: [0, 0, 0, 1, 1] },
      { id: 'b', ids, tokens: [...pair, 'dog', '##s', '[SEP]'], typeIds: [0, 0, 0, 1, 1, 1] },
      { id: 5, ids, tokens: pair },
    ]);
  });

  test('takes the other options', async () => {
    const more = ['--no-special', '--offsets'];
    expect((await ambryCli([...args, ...more], '"a cat"\n')).json()).toMatchObject([
      { id: 1, offsets: [expect.any(Array), [2, 5]] },
    ]);
  });

  test.each([
    ['is not JSON', '{"text": '],
    ['is neither a string', '7'],
    ['is neither a string', 'null'],
    ['has a list that is not two strings', '["cat"]'],
    ['has a list that is not two strings', '["cat", "mat", "rat"]'],
    ['needs a string in the field "text"', '{"id": 3}'],
    ['needs a string in the field "pair"', '{"text": "cat", "pair": null}'],
    ['has an "id" that is neither', '{"id": {}, "text": "cat"}'],
  ])('a line that %s: those before are answered, then 1', async (message, bad) => {
    const input = `${lines('cat')}${bad}\n${lines('mat')}`;
    const stopped = await ambryCli(args, input);
    expect(stopped.code).toBe(1);
    expect(stopped.err).toMatch(`ambry: BadValue line 2: Line 2 ${message}`);
    expect(stopped.json()).toMatchObject([{ id: 1 }]);
    const skipped = await ambryCli([...args, '--skip-bad'], input);
    expect(skipped.code).toBe(0);
    expect(skipped.err).toMatch(`warning  BadValue line 2: Line 2 ${message}`);
    expect(skipped.json()).toMatchObject([{ id: 1 }, { id: 3 }]);
  });

  test.each([
    [[...args, '--text', 'cat'], '--jsonl'],
    [[...args, '--pair', 'cat'], '--jsonl'],
    [['tokenize', model, '--text', 'cat', '--skip-bad'], '--skip-bad'],
    [['tokenize', '-', '--jsonl'], undefined],
    [['tokenize', '-', '--file', '-'], undefined],
  ])('%j is bad usage: 2', async (all, path) => {
    const { code, json } = await ambryCli([...all, '--json']);
    expect(code).toBe(2);
    expect(json()).toMatchObject([{ error: { code: 'BadValue', ...(path && { path }) } }]);
  });
});
