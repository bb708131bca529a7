// `ambry tokenize` with a model, a directory and a vocabulary.
import { describe, expect, test } from 'vitest';
import { ambryCli } from '../../support/cli.ts';
import { cliFolder } from '../../support/cli-folder.ts';

const { at, model } = await cliFolder();

describe('tokenize', () => {
  test('splits texts and lines, with and without special tokens', async () => {
    const args = ['tokenize', model, '--text', 'The cat', '--file', '-', '--json'];
    const { code, json } = await ambryCli(args, 'dogs\n\n');
    expect(code).toBe(0);
    expect(json()).toMatchObject([
      { text: 'The cat', tokens: ['[CLS]', 'the', 'cat', '[SEP]'] },
      { text: 'dogs', tokens: ['[CLS]', 'dog', '##s', '[SEP]'] },
      { text: '', ids: [2, 3] },
    ]);
    const bare = await ambryCli([
      'tokenize',
      at('tiny/vocab.txt'),
      '--text',
      'cat',
      '--no-special',
    ]);
    expect(bare.out).toMatch(/^\d+\tcat\n$/);
    const folderOf = await ambryCli(['tokenize', at('tiny'), '--text', 'cat', '--json']);
    expect(folderOf.json()).toMatchObject([{ tokens: ['[CLS]', 'cat', '[SEP]'] }]);
  });
});
