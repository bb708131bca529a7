// `ambry worker` where the package `ambry-worker` is installed and where it is not. tests/scale runs it with real servers.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { loadCommand } from '../../../../web/src/cli/commands.ts';
import { ambryCli, runProgram } from '../../support/cli/cli.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'ambry-alone-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('with the package', () => {
  test('its commands run', async () => {
    const { code, err } = await ambryCli(['worker', 'status', '--redis', 'redis://127.0.0.1:1']);
    expect(code).toBe(2);
    expect(err).toMatch(/^Http --redis: No connection to Redis at redis:\/\/127\.0\.0\.1:1/);
  });

  test('its commands print their own help, and its choices are these commands', async () => {
    const { out } = await ambryCli(['worker', 'run', '--help']);
    expect(out).toMatch(/^ambry-worker run .*--lock-ms/s);
    const { code, err } = await ambryCli(['worker', 'bogus']);
    expect(code).toBe(2);
    const choices = (await loadCommand('worker'))?.choices;
    expect(err).toContain(`Give a command first: ${choices?.join(', ')}.`);
  });
});

test('without the package, an error says how to install it', async () => {
  // A copy far from the node_modules of the repository.
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true });
  cpSync(join(root, 'package.json'), join(folder, 'package.json'));
  const main = join(folder, 'dist/cli/main.js');
  const { code, err } = await runProgram([main, 'worker', 'status']);
  expect(code).toBe(2);
  expect(err).toMatch(/needs the package ambry-worker. Install it: npm install ambry-worker\n$/);
  const help = await runProgram([main, 'help', 'worker']);
  expect(help.code).toBe(0);
  expect(help.out).toContain('npm install ambry-worker');
});
