// A folder with models in it that is none: every command lists them and says what to type.
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { cliFolder } from '../../support/cli/cli-folder.ts';
import { ambryCli } from '../../support/cli/shared-cli.ts';
import { ambry } from '../../support/package.ts';

const { at, model } = await cliFolder();

beforeAll(async () => {
  for (const folder of ['many', 'many/other', 'one', 'folders', 'folders/a', 'folders/b', 'none']) {
    await mkdir(at(folder));
  }
  for (const name of ['many/a.weights', 'many/b.weights', 'one/only.weights']) {
    await copyFile(model, at(name));
  }
  for (const part of [1, 2]) {
    await writeFile(at(`many/split-0000${part}-of-00002.gguf`), 'GGUF');
  }
  await writeFile(at('many/notes.txt'), 'none of them');
  await writeFile(at('none/notes.txt'), 'no model');
});

describe.each([
  ['inspect', []],
  ['validate', []],
  ['convert', ['made.weights']],
  ['embed', ['text']],
  ['tokenize', ['text']],
  ['generate', ['text']],
] as const)('%s', (name, more) => {
  test('lists the models of a folder', async () => {
    const { code, err } = await ambryCli([name, at('many'), ...more]);
    expect(code, err).toBe(2);
    const names = ['a.weights', 'b.weights', 'other/', 'split-00001-of-00002.gguf'];
    expect(err).toContain(names.map((each) => at(`many/${each}`)).join(', '));
    expect(err).toContain('Name one of them in place of the folder.');
    expect(err).not.toContain('00002-of-00002');
  });

  test('names the only model of a folder', async () => {
    const { code, err } = await ambryCli([name, at('one'), ...more]);
    expect(code, err).toBe(2);
    expect(err).toContain(`a model that is one file: ${at('one/only.weights')}. Name this file`);
  });
});

test('folders in a folder are named, and a folder without models has none', async () => {
  const folders = await ambryCli(['inspect', at('folders')]);
  expect(folders.err).toContain(`name that one: ${at('folders/a/')}, ${at('folders/b/')}.`);
  const none = await ambryCli(['inspect', at('none')]);
  expect(none.err).toContain('The directory has no model.safetensors.');
  expect(none.err).not.toContain('Name');
});

test('open says the same', async () => {
  await expect(ambry.open(at('many'))).rejects.toMatchObject({
    code: 'NotFound',
    path: 'source',
    message: expect.stringContaining(at('many/a.weights')),
  });
});
