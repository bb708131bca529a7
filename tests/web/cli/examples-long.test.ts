// The examples in the help and in the documentation: every command line runs, in order, on the files that it names. They
// are the built-in models, or stand-ins for files that users have, or were made by a line before.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandGroups } from '../../../web/src/cli/commands.ts';
import { makeReader, type Reader } from '../../docs/support/reader.ts';
import { cliArgs, type Run } from '../support/cli/cli.ts';
import { cliIn } from '../support/cli/shared-cli.ts';
import { commandPages } from './command-pages.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
let reader: Reader;
afterAll(() => reader?.close());
const at = (name: string) => join(reader.folder, name);

/** The lines of the blocks that call the command line, without comments. */
function linesOf(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8');
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block ?? '');
  return blocks
    .filter((block) => block.includes('npx ambry '))
    .flatMap((block) => block.trimEnd().split('\n'))
    .map((line) => line.replace(/\s+# .*$/, '').replaceAll('npx ambry ', 'ambry '));
}

/** Servers run until a signal (demo.test.ts, serve.test.ts, packages/mcp/tests), and workers need a queue (tests/scale). */
const isRun = (line: string) => !/^ambry (demo|mcp|serve|worker)/.test(line);

async function examplesOfHelp(): Promise<string[]> {
  const loads = commandGroups.flatMap(({ commands }) => Object.values(commands));
  const commands = await Promise.all(loads.map((load) => load()));
  return commands.flatMap(({ command }) => command.examples).map((example) => `ambry ${example}`);
}

const cli = cliIn(() => ({ cwd: reader.folder, env: reader.environment }));

/** Hosts that a line names are servers of this test, so its process must not wait for the line. */
async function run(line: string): Promise<void> {
  const { code, err } = /[|<>&;$`]/.test(line) ? await runInShell(line) : await cli(wordsOf(line));
  expect(code, `${line}\n${err}`).toBe(0);
}

async function runInShell(line: string): Promise<Pick<Run, 'code' | 'err'>> {
  const env = { ...reader.environment, PATH: `${at('bin')}:${process.env['PATH']}` };
  const child = spawn('bash', ['-o', 'pipefail', '-c', line], { cwd: reader.folder, env });
  child.stdin.end();
  child.stdout.resume();
  const [err] = await Promise.all([text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, err };
}

/** The arguments as a shell takes them from a line that needs nothing else of it. */
function wordsOf(line: string): string[] {
  const print = `ambry() { printf '%s\\0' "$@"; }; ${line}`;
  const words = execFileSync('bash', ['-c', print], { cwd: reader.folder, encoding: 'utf8' });
  return words.split('\0').slice(0, -1);
}

beforeAll(async () => {
  reader = await makeReader();
  mkdirSync(at('bin'));
  const program = [process.execPath, ...cliArgs].map((word) => `'${word}'`).join(' ');
  await writeFile(at('bin/ambry'), `#!/bin/sh\nexec ${program} "$@"\n`);
  chmodSync(at('bin/ambry'), 0o755);
  cpSync(join(root, 'docs'), at('docs'), {
    recursive: true,
    filter: (path) => !/node_modules/.test(path),
  });
  await writeFile(at('my.jinja'), "{% for m in messages %}{{ m['content'] }} {% endfor %}");
  await writeFile(at('docs/bread.txt'), 'Dough grows because yeast makes gas.');
});

const known = new Set<string>();

/** The lines that are run, without those that ran before: pages repeat lines of help. */
function linesToRun(lines: readonly string[]): string[] {
  const fresh = lines.filter((line) => isRun(line) && !known.has(line));
  for (const line of fresh) {
    known.add(line);
  }
  return fresh;
}

const groups = [
  ['the examples of help', linesToRun(await examplesOfHelp())] as const,
  ...commandPages.map((page) => [page, linesToRun(linesOf(page))] as const),
];

describe.each(groups.filter(([, lines]) => lines.length > 0))('%s', (_, lines) => {
  test.each(lines)('%s', run);
});

test('the pages have command lines', () => {
  expect(linesOf('docs/command-line.md').length).toBeGreaterThan(20);
});
