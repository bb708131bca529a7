// The help of every command, and arguments that commands cannot use.
import { describe, expect, test } from 'vitest';
import { cliFolder } from '../support/cli/cli-folder.ts';
import { ambryCli } from '../support/cli/shared-cli.ts';
import { startServer } from '../support/servers/server.ts';

const { folder, at, model, file } = await cliFolder();
const server = await startServer(file);

describe('usage', () => {
  test.each([
    [[]],
    [['help']],
    [['--help']],
    [['help', 'embed']],
    [['embed', '--help']],
  ])('%j prints the help', async (args) => {
    const { code, out } = await ambryCli(args);
    expect(code).toBe(0);
    expect(out).toMatch(/embed/);
  });

  test.each([
    [['bogus']],
    [['inspect']],
    [['inspect', 'a', 'b']],
    [['inspect', 'a', '--bogus']],
    [['search', 'a', 'b', '--hybrids']],
    [['search', 'a', 'b', '-k', 'many']],
    [['convert', 'a', 'b', '--dtype', 'int8']],
    [['quantize', 'a', 'b']],
    [['quantize', 'a', 'b', '--type', 'q3_x']],
    [['quantize', 'a', 'b', '--type', 'int8', '--block', '33']],
    [['quantize', 'a', 'b', '--type', 'int8', '--keep', '(']],
    [['quantize', 'a', 'b', '--type', 'adaptive', '--bits', '0']],
    [['embed', 'a', '--pooling', 'sum', '--text', 'x']],
    [['embed', 'a', '--npy', 'x', '--file', 'y', '--dim', '0']],
    [['tokenize', 'a']],
    [['demo', '--port', 'x']],
  ])('%j is bad usage: 2', async (args) => {
    const { code, out, err } = await ambryCli(args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/^ambry: BadValue/);
    const json = await ambryCli([...args, '--json']);
    expect(json.code).toBe(2);
    expect(json.json()).toMatchObject([{ error: { code: 'BadValue' } }]);
  });

  test.each([
    [['generate', model, 'a', '--max-tokens', '0'], '--max-tokens'],
    [['embed', model, 'a', '--dim', '100000'], '--dim'],
    [['convert', model, at('out.weights'), '--from', 'amb'], '--from'],
    [['convert', model, at('out.xyz')], '--to'],
  ])('%j names the option as it is typed', async (args, option) => {
    const { code, err } = await ambryCli(args);
    expect(code).not.toBe(0);
    expect(err).toContain(` ${option}: `);
    expect(err).not.toContain('options.');
  });

  test.each([
    [['serach'], undefined, 'There is no command "serach". Did you mean "search"?'],
    [['help', 'tokenise'], undefined, 'There is no command "tokenise". Did you mean "tokenize"?'],
    [['--verison'], '--verison', 'There is no command "--verison". Did you mean "--version"?'],
    [['xylophone'], undefined, 'There is no command "xylophone". Run "ambry help" for the list.'],
    [['embed', 'a', '--colour'], '--colour', 'There is no option --colour. Put -- '],
    [
      ['embed', 'a', '--poling=x'],
      '--poling',
      'There is no option --poling. Did you mean "--pooling"?',
    ],
    [['version', 'x'], undefined, '"ambry version" does not take x.'],
    [['help', 'embed', '--all'], undefined, '"ambry help" does not take --all.'],
  ])('%j names the fault and what was meant', async (args, path, message) => {
    const { code, json } = await ambryCli([...args, '--json']);
    expect(code).toBe(2);
    const [{ error }] = json() as [{ error: { path?: string; message: string } }];
    expect(error.message).toContain(message);
    expect(error.path).toBe(path);
  });

  test('what follows -- is no option', async () => {
    const { code, out } = await ambryCli(['search', at('none'), '--', '--help', '--json']);
    expect([code, out]).toEqual([2, '']);
  });

  test.each([
    ['inspect'],
    ['validate'],
    ['tokenize', '--text', 'x'],
    ['embed', '--text', 'x'],
    ['convert', 'out'],
    ['search', 'x'],
  ])('%s with an input that cannot be read fails with 2', async (command, ...rest) => {
    for (const input of [at('none'), folder, server.url('missing'), server.url('html')]) {
      if (input === folder && ['convert', 'embed', 'inspect', 'validate'].includes(command)) {
        continue;
      }
      const { code, json } = await ambryCli([command, input, ...rest, '--json']);
      expect(code).toBe(2);
      const error = expect.objectContaining({ code: expect.stringMatching(/^(NotFound|Http)$/) });
      expect(json()).toMatchObject([{ error }]);
    }
  });

  test.each([
    ['classify', model, folder, '--fast'],
    ['classify', model, model, '--plan', folder],
    ['convert', model, at('out'), '--metadata', folder],
    ['embed', model, '--file', folder],
    ['quantize', model, at('out'), '--type', 'sq8', '--images', folder],
    ['select', model, at('out'), folder],
  ])('%s with a folder in place of a file fails with 2', async (...args) => {
    const { code, json } = await ambryCli([...args, '--json']);
    expect(code).toBe(2);
    expect(json()).toMatchObject([{ error: { code: 'NotFound' } }]);
  });

  test.each([
    ['convert', model],
    ['embed', model, '--text', 'x', '--npy'],
    ['index', model, at('tiny/vocab.txt')],
    ['metadata', model],
  ])('%s fails with 1 if the target cannot be written', async (...args) => {
    const { code, err } = await ambryCli([...args, at('none/out')]);
    expect(code).toBe(1);
    expect(err).toMatch(/^ambry: BadValue: Cannot write/);
  });

  test.each([
    ['classify', model],
    ['similar', 'x'],
  ])('%s with a model of another kind fails with 1', async (command, ...rest) => {
    const { code, json } = await ambryCli([command, model, ...rest, '--json']);
    expect(code).toBe(1);
    expect(json()).toMatchObject([{ error: { code: 'Unsupported' } }]);
  });
});
