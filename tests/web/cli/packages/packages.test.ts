// The commands of other packages: what they state is what the command line takes, and it knows them by name only.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Model, SearchIndex } from 'ambry';
import { command as demo } from 'ambry-demo/command';
import { command as mcp } from 'ambry-mcp/command';
import { command as serve } from 'ambry-serve/command';
import { command as siteIndex } from 'ambry-site-search/command';
import { command as worker } from 'ambry-worker/command';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadCommand } from '../../../../web/src/cli/commands.ts';
import type { PackageCommand } from '../../../../web/src/cli/packages/package-command.ts';
import { ambryCli, runProgram } from '../../support/cli/cli.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'ambry-packages-'));
const main = join(folder, 'dist/cli/main.js');

/** The compiler compares what each uses of the command line with what that hands over. */
const commands: Readonly<Record<string, PackageCommand<Model, SearchIndex>>> = {
  'site-index': siteIndex,
  worker,
  serve,
  mcp,
  demo,
};

beforeAll(() => {
  // A copy far from the node_modules of the repository.
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true });
  cpSync(join(root, 'package.json'), join(folder, 'package.json'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each(Object.entries(commands))('%s has the options of its package', async (name, command) => {
  const loaded = await loadCommand(name);
  const options = Object.keys(loaded?.options ?? {});
  expect(options).toEqual(expect.arrayContaining([...Object.keys(command.options), 'json']));
  expect(options.includes('endpoint')).toBe(Boolean(command.opensModels));
  const { out } = await ambryCli(['help', name]);
  for (const option of options) {
    expect(out).toContain(`--${option}`);
  }
});

test.each(Object.keys(commands))('without its package, %s says how to install it', async (name) => {
  const help = await runProgram([main, name, '--help']);
  expect(help.code).toBe(0);
  expect(help.out).toMatch(new RegExp(`^Usage: ambry ${name} `));
  expect(help.out).toMatch(/npm\s+install\s+ambry-[\w-]+/);
  expect(help.out).toContain('--json');
});

test('without packages, the list of commands and the completions are whole', async () => {
  const alone = await runProgram([main, 'help']);
  expect(alone.out).toBe((await ambryCli(['help'])).out);
  const { code, out } = await runProgram([main, 'completions', 'bash']);
  expect(code).toBe(0);
  for (const name of Object.keys(commands)) {
    expect(out).toContain(name);
  }
});
