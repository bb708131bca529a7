// `ambry detokenize`: ids as arguments, ids in lines, and what fails.
import { describe, expect, test } from 'vitest';
import { cliFolder } from '../../support/cli/cli-folder.ts';
import { ambryCli } from '../../support/cli/shared-cli.ts';

const { model, at } = await cliFolder();

async function idsOf(text: string): Promise<number[]> {
  const { json } = await ambryCli(['tokenize', model, '--text', text, '--json']);
  return (json() as [{ ids: number[] }])[0].ids;
}

describe('detokenize', () => {
  test('turns ids into text, with and without special tokens', async () => {
    const ids = await idsOf('The cat');
    const args = ['detokenize', model, ...ids.map(String)];
    expect((await ambryCli(args)).out).toBe('[CLS] the cat [SEP]\n');
    const bare = await ambryCli([...args, '--skip-special', '--json']);
    expect(bare.json()).toEqual([{ ids, text: 'the cat' }]);
    const list = ['detokenize', at('tiny/vocab.txt'), ids.join(','), '--skip-special'];
    expect((await ambryCli(list)).out).toBe('the cat\n');
  });

  test('reads what tokenize prints, line by line', async () => {
    const lines = await ambryCli(['tokenize', model, '--file', '-'], 'the cat\n\nthe dogs\n');
    const args = ['detokenize', model, '--skip-special'];
    expect((await ambryCli(args, lines.out)).out).toBe('the cat\n\nthe dogs\n');
    expect((await ambryCli([...args, '-', '--json'], '\n2, 3')).json()).toEqual([
      { ids: [], text: '' },
      { ids: [2, 3], text: '' },
    ]);
  });

  test.each([
    [['2', 'x'], '', 2, 'ids[1]', /must be an integer.*"x"/],
    [['2.5'], '', 2, 'ids[0]', /must be an integer.*"2\.5"/],
    [['99999999'], '', 1, 'ids[0]', /./],
    [[], '2 3\n2 999999999999\n', 1, 'line 2', /^Line 2: /],
    [[], '2\n2 x\n', 1, 'line 2', /^Line 2: A token id .*"x"/],
  ])('%j with the input %j fails with %i at %s', async (ids, input, exit, path, message) => {
    const { code, json } = await ambryCli(['detokenize', model, ...ids, '--json'], input);
    expect(code).toBe(exit);
    expect(json().at(-1)).toEqual({
      error: expect.objectContaining({ path, message: expect.stringMatching(message) }),
    });
  });
});
