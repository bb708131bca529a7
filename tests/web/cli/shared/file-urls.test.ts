// `file://` addresses wherever a command takes a path.
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { pathFor, valuesWithPaths, withPaths } from '../../../../web/src/cli/shared/file-urls.ts';
import { cliFolder } from '../../support/cli/cli-folder.ts';
import { ambryCli } from '../../support/cli/shared-cli.ts';

const { at, model, file } = await cliFolder();
const urlOf = (name: string) => pathToFileURL(at(name)).href;

beforeAll(async () => {
  await mkdir(at('a folder'));
  await copyFile(model, at('a folder/ä #1%20.weights'));
  await writeFile(at('words of mine.txt'), 'the cat\nwater\n');
  await mkdir(at('documents here'));
  await writeFile(at('documents here/one.md'), '# Water\n\nThe water is deep.\n');
});

test.each([
  ['a folder/ä #1%20.weights'],
  ['tiny.weights'],
])('%s opens by its address', async (name) => {
  for (const address of [urlOf(name), urlOf(name).replace('file:///', 'file://localhost/')]) {
    expect((await ambryCli(['inspect', address])).code).toBe(0);
    expect((await ambryCli(['validate', address, address.replace('file:', 'FILE:')])).code).toBe(0);
    expect((await ambryCli(['embed', address, 'a cat', '--json'])).code).toBe(0);
  }
});

test('directories, targets and values of options are taken, and texts stay', async () => {
  const convert = await ambryCli(['convert', urlOf('tiny'), urlOf('made here.weights')]);
  expect(convert.code, convert.err).toBe(0);
  expect((await readFile(at('made here.weights'))).length).toBeGreaterThan(file.length / 2);
  const embed = ['embed', urlOf('tiny.weights'), '--file', urlOf('words of mine.txt'), '--json'];
  expect((await ambryCli(embed)).json()).toHaveLength(2);
  const index = ['index', urlOf('tiny.weights'), urlOf('documents here/'), urlOf('i.ambryindex')];
  const made = await ambryCli(index);
  expect(made.code, made.err).toBe(0);
  const found = await ambryCli(['search', urlOf('i.ambryindex'), 'water']);
  expect([found.code, found.out]).toEqual([0, expect.stringContaining('The water is deep.')]);
  const tokens = await ambryCli(['tokenize', urlOf('tiny'), urlOf('x'), '--json']);
  expect(JSON.stringify(tokens.json())).toContain('file');
});

test.each([
  ['file://tiny.weights', 'names the machine tiny.weights'],
  ['file:///a%2Fb', 'no address of a file'],
])('%s says how to write it', async (address, words) => {
  const { code, err } = await ambryCli(['inspect', address]);
  expect([code, err]).toEqual([2, expect.stringContaining(words)]);
  expect(err).toContain('Write file:/// and the whole path');
});

test('a file that is missing is named by its path', async () => {
  const { code, err } = await ambryCli(['inspect', 'file:///no/such%20model']);
  expect([code, err]).toEqual([2, expect.stringContaining('No such file: /no/such model')]);
});

test('the words of the help say what is a path', () => {
  const [url, path] = ['file:///a%20b', '/a b'];
  expect(withPaths('MODEL [TEXT...]', [url, url, url])).toEqual([path, url, url]);
  expect(withPaths('MODEL QUERY [FILE]', [url, url, url])).toEqual([path, url, path]);
  expect(withPaths('MODEL...', [url, url])).toEqual([path, path]);
  expect(withPaths('MODEL [PROMPT] | MODEL --batch FILE', [url, url])).toEqual([path, url]);
  expect(withPaths('[NAME=]MODEL...', [`tiny=${url}`])).toEqual([`tiny=${path}`]);
  const option = { type: 'string', help: '' } as const;
  const options = { file: { ...option, value: 'FILE' }, text: { ...option, value: 'TEXT' } };
  expect(valuesWithPaths(options, { file: [url, 'x'], text: url })).toEqual({
    file: [path, 'x'],
    text: url,
  });
  expect(pathFor('C:\\x')).toBe('C:\\x');
});
