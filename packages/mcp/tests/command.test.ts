// Command lines that `ambry mcp` refuses.
import { expect, test } from 'vitest';
import { ambryCli } from '../../../tests/web/support/cli/cli.ts';
import { testFolder } from './support/test-folder.ts';

const { at } = await testFolder();
const notes = at('notes.ambryindex');

test.each([
  [[], undefined, /nothing to offer/],
  [[at('none.ambryindex')], undefined, /No such file/],
  [[notes, '--model', at('none.weights')], undefined, /No such file/],
  [[notes, `notes=${notes}`], undefined, /Two indexes have the name notes/],
  [[notes, '--classifier', at('none.bin')], undefined, /No such file/],
  [[notes, '--files', at('none')], '--files', /no folder/],
  [[notes, '--port', '1'], '--port', /needs --http/],
  [[notes, '--allow-addresses'], '--allow-addresses', /needs --files/],
  [[notes, '--max-result', '1'], '--max-result', /1000/],
  [[notes, '--http', '--host', '0.0.0.0'], '--host', /Give it a key/],
  [[notes, '--http', '--allowed-host', 'a:1'], '--allowed-host[0]', /host name/],
  [[notes, '--moddel', 'a'], '--moddel', /Did you mean "--model"/],
])('%j ends with 2', async (args, path, message) => {
  const { code, json } = await ambryCli(['mcp', ...args, '--json']);
  const [{ error }] = json() as [{ error: { path?: string; message: string } }];
  expect(error.path).toBe(path);
  expect(error.message).toMatch(message);
  expect(code).toBe(2);
});
