// `ambry tokenize` with a model, a directory and a vocabulary.
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { cliFolder } from '../../support/cli/cli-folder.ts';
import { ambryCli } from '../../support/cli/shared-cli.ts';
import { languageFile } from '../../support/files/language-file.ts';
import { tekkenFile, tiktokenFile } from '../../tokenizer/support/ranked-files.ts';

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

  test('encodes pairs and says which text a token is of', async () => {
    const args = ['tokenize', model, '--text', 'the cat', '--text', 'mat', '--pair', 'dogs'];
    expect((await ambryCli([...args, '--json'])).json()).toEqual([
      {
        text: 'the cat',
        pair: 'dogs',
        ids: expect.any(Array),
        tokens: ['[CLS]', 'the', 'cat', '[SEP]', 'dog', '##s', '[SEP]'],
        typeIds: [0, 0, 0, 0, 1, 1, 1],
      },
      expect.objectContaining({ text: 'mat', typeIds: [0, 0, 0, 1, 1, 1] }),
    ]);
    const [line = ''] = (await ambryCli(args)).out.split('\n');
    expect(line.split('\t').at(-1)).toBe('0 0 0 0 1 1 1');
    // What follows the ids is no matter for detokenize.
    const back = await ambryCli(['detokenize', model, '--skip-special'], `${line}\n`);
    expect(back.out).toBe('the cat dogs\n');
  });

  test('counts offsets in UTF-16 code units', async () => {
    const text = '\u{1F600} Th\u0301e cat';
    const args = ['tokenize', model, '--text', text, '--offsets'];
    const [found] = (await ambryCli([...args, '--json'])).json() as [
      { tokens: string[]; offsets: [number, number][] },
    ];
    const slices = found.offsets.map(([begin, end]) => text.slice(begin, end));
    expect(slices).toEqual(['', '\u{1F600}', 'Th\u0301e', 'cat', '']);
    expect(found).not.toHaveProperty('typeIds');
    expect((await ambryCli(args)).out).toMatch(/\t0-0 0-2 3-7 8-11 0-0\n$/);
  });

  test('refuses a pair where the tokenizer has none, by name', async () => {
    await writeFile(at('language.amb'), languageFile());
    const args = ['tokenize', at('language.amb'), '--text', 'a'];
    expect((await ambryCli(args)).code).toBe(0);
    const { code, json } = await ambryCli([...args, '--pair', 'a', '--json']);
    expect(code).toBe(1);
    expect(json()).toMatchObject([{ error: { code: 'Unsupported', path: 'pair' } }]);
    const lines = ['tokenize', at('language.amb'), '--jsonl'];
    const { err, out } = await ambryCli(lines, '"a"\n["a", "a"]\n');
    expect(err).toMatch(/^ambry: Unsupported line 2: Line 2: .*pair/);
    expect(out).toMatch(/^\{"id":1,.*\}\n$/);
  });
});

describe('tokenize with a vocab.txt', () => {
  const text = ['--text', 'Cat', '--no-special', '--json'];

  test('says that it assumes an uncased model, unless told', async () => {
    const args = ['tokenize', at('tiny/vocab.txt'), ...text];
    const assumed = await ambryCli([...args, '--text', 'dog']);
    const warning = { code: 'NotFound', path: 'vocab.txt', message: expect.any(String) };
    const [first, second] = assumed.json();
    expect(first).toMatchObject({ tokens: ['cat'], warnings: [warning] });
    expect(second).not.toHaveProperty('warnings');
    expect(assumed.err).toMatch(/^warning {2}NotFound vocab\.txt: .*assuming.*--cased/);
    const uncased = await ambryCli([...args, '--uncased']);
    expect(uncased).toMatchObject({ code: 0, err: '' });
    expect(uncased.json()).toEqual([{ text: 'Cat', ids: [expect.any(Number)], tokens: ['cat'] }]);
    const cased = await ambryCli([...args, '--cased']);
    expect(cased.json()).toMatchObject([{ tokens: ['[UNK]'] }]);
  });

  test('takes what its folder says', async () => {
    await mkdir(at('folder'));
    await copyFile(at('tiny/vocab.txt'), at('folder/vocab.txt'));
    const args = ['tokenize', at('folder'), ...text];
    expect((await ambryCli(args)).err).toMatch(/^warning .*assuming/);
    const settings = at('folder/tokenizer_config.json');
    await writeFile(settings, '{"do_lower_case": false}');
    const stated = await ambryCli(args);
    expect(stated).toMatchObject({ code: 0, err: '' });
    expect(stated.json()).toMatchObject([{ tokens: ['[UNK]'] }]);
    const refused = await ambryCli([...args, '--uncased']);
    expect(refused.code).toBe(2);
    expect(refused.json()).toMatchObject([{ error: { code: 'BadValue', path: '--uncased' } }]);
    await writeFile(settings, '{"do_lower_case": 1}');
    const path = 'tokenizer_config.json.do_lower_case';
    expect((await ambryCli(args)).json()).toMatchObject([{ error: { code: 'BadValue', path } }]);
    await writeFile(settings, '{');
    expect((await ambryCli(args)).json()).toMatchObject([
      { error: { code: 'Truncated', path: 'tokenizer_config.json', byteOffset: 1 } },
    ]);
  });

  test('refuses both options, and either where a file states it', async () => {
    const both = await ambryCli(['tokenize', model, ...text, '--cased', '--uncased']);
    expect(both.code).toBe(2);
    expect(both.json()).toMatchObject([{ error: { code: 'BadValue', path: '--cased' } }]);
    const stated = await ambryCli(['tokenize', model, ...text, '--cased']);
    expect(stated.code).toBe(1);
    expect(stated.json()).toMatchObject([{ error: { code: 'BadValue', path: 'lowercase' } }]);
  });
});

test('tokenize and detokenize take a tekken.json, and say which encodings of tiktoken there are', async () => {
  await writeFile(at('tekken.json'), tekkenFile());
  const { out } = await ambryCli(['tokenize', at('tekken.json'), '--text', 'the', '--json']);
  const { ids } = JSON.parse(out) as { readonly ids: readonly number[] };
  expect(ids).toHaveLength(2);
  const back = ['detokenize', at('tekken.json'), ...ids.map(String), '--skip-special'];
  expect((await ambryCli(back)).out).toBe('the\n');
  await writeFile(at('own.tiktoken'), tiktokenFile());
  const args = ['tokenize', at('own.tiktoken'), '--text', 'a', '--encoding', 'cl200k', '--json'];
  const { code, json } = await ambryCli(args);
  expect(code).toBe(1);
  const message = expect.stringContaining('o200k_base');
  expect(json()).toMatchObject([{ error: { code: 'BadValue', path: 'encoding', message } }]);
});

test('tokenize and detokenize take a directory without weights, with the tokens that its files add', async () => {
  const tokens = { a: 0, b: 1, ab: 2 };
  await mkdir(at('pair'));
  await writeFile(at('pair/config.json'), '{"model_type": "gpt2"}');
  await writeFile(at('pair/vocab.json'), JSON.stringify(tokens));
  await writeFile(at('pair/merges.txt'), '#version: 0.2\na b\n');
  await writeFile(at('pair/added_tokens.json'), '{"<x>": 3}');
  const { code, out, err } = await ambryCli(['tokenize', at('pair'), '--text', 'ab<x>b']);
  expect(code, err).toBe(0);
  expect(out).toBe('2 3 1\tab <x> b\n');
  expect((await ambryCli(['detokenize', at('pair'), '2', '3', '1'])).out).toBe('ab<x>b\n');
});
