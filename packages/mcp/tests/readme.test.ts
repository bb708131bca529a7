import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { runReadmeExample } from '../../../tests/web/support/cli/readme-example.ts';
import { smallModel } from '../../../tests/web/support/package.ts';
import { loadCommand } from '../../../web/src/cli/commands.ts';
import { localClient } from './support/clients.ts';
import { testFolder } from './support/test-folder.ts';

const readme = new URL('../README.md', import.meta.url);
const { at } = await testFolder();

test('the example of the README runs', async () => {
  const printed = await runReadmeExample(readme, { 'minilm.weights': await smallModel() });
  expect(printed).toContain('passages');
  expect(printed).toContain('score');
});

test('the README names the tools that there are', async () => {
  const page = await readFile(readme, 'utf8');
  const never = () => Promise.reject(new Error('is not opened'));
  await using all = await localClient({
    indexes: { a: never },
    classifiers: { a: never },
    files: { folders: [at('allowed')] },
  });
  const { tools } = await all.client.listTools();
  const rows = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(rows).toEqual(tools.map(({ name }) => name));
});

test('the configurations of the README start the command with options that it has', async () => {
  const page = await readFile(readme, 'utf8');
  const configurations = [...page.matchAll(/^```json\n(.*?)^```$/gms)].map(
    ([, code = '']) => JSON.parse(code) as Record<string, Record<string, { args: string[] }>>,
  );
  expect(configurations).toHaveLength(2);
  const options = Object.keys((await loadCommand('mcp'))?.options ?? {});
  for (const configuration of configurations) {
    const [servers = {}] = Object.values(configuration);
    const { args = [] } = servers['ambry'] ?? {};
    expect(args[0]).toBe('mcp');
    const given = args.filter((arg) => arg.startsWith('--')).map((arg) => arg.slice(2));
    expect(options).toEqual(expect.arrayContaining(given));
  }
});
