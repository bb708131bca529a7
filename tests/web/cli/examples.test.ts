// The examples in the help and in the documentation: every command line runs, in order, on the files that it names. They
// are the built-in models, or stand-ins for files that users have, or were made by a line before.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandGroups } from '../../../web/src/cli/commands.ts';
import { cliArgs } from '../support/cli.ts';
import { writeReaderFiles } from '../support/reader-files.ts';
import { commandPages } from './command-pages.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'ambry-examples-'));
afterAll(() => rm(folder, { recursive: true }));
const at = (name: string) => join(folder, name);

/** The lines of the blocks that call the command line, without comments. */
function linesOf(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8');
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block ?? '');
  return blocks
    .filter((block) => block.includes('npx ambry '))
    .flatMap((block) => block.trimEnd().split('\n'))
    .map((line) => line.replace(/\s+# .*$/, '').replaceAll('npx ambry ', 'ambry '));
}

/** Servers run until a signal (demo.test.ts, serve.test.ts), workers need a queue (tests/scale), and nothing outside this
 *  machine is asked. */
const isRun = (line: string) => !/^ambry (demo|serve|worker)|https:|hf:/.test(line);

async function examplesOfHelp(): Promise<string[]> {
  const loads = commandGroups.flatMap(({ commands }) => Object.values(commands));
  const commands = await Promise.all(loads.map((load) => load()));
  return commands.flatMap(({ command }) => command.examples).map((example) => `ambry ${example}`);
}

function run(line: string): void {
  const path = `${at('bin')}:${process.env.PATH}`;
  const options = { cwd: folder, env: { ...process.env, PATH: path }, encoding: 'utf8' } as const;
  const { status, stderr } = spawnSync('bash', ['-o', 'pipefail', '-c', line], options);
  expect(status, `${line}\n${stderr}`).toBe(0);
}

beforeAll(async () => {
  mkdirSync(at('bin'));
  const program = [process.execPath, ...cliArgs].map((word) => `'${word}'`).join(' ');
  await writeFile(at('bin/ambry'), `#!/bin/sh\nexec ${program} "$@"\n`);
  chmodSync(at('bin/ambry'), 0o755);
  cpSync(join(root, 'docs'), at('docs'), {
    recursive: true,
    filter: (path) => !/node_modules/.test(path),
  });
  await writeFile(at('docs/bread.txt'), 'Dough grows because yeast makes gas.');
  await writeReaderFiles(folder);
});

describe('the examples of help', async () => {
  test.each((await examplesOfHelp()).filter(isRun))('%s', run);
});

describe.each(commandPages.filter((page) => linesOf(page).length > 0))('%s', (page) => {
  test.each(linesOf(page).filter(isRun))('%s', run);
});

test('the pages have command lines', () => {
  expect(linesOf('README.md').length).toBeGreaterThan(20);
});
