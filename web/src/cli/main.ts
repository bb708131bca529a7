#!/usr/bin/env node
// The `ambry` command line. Exit codes: 0 done or valid, 1 invalid file or failed job, 2 bad usage or unreadable
// input, 128 and the signal's number after a signal.
import { readFileSync } from 'node:fs';
import { isAbort } from '../errors.ts';
import { commandGroups, loadCommand } from './commands.ts';
import { describeProblem, exitCodeOf, problemOf, UsageError } from './shared/failure.ts';
import { definitions, helpPage } from './shared/help.ts';
import { Terminal } from './shared/terminal.ts';

const terminal = new Terminal();
const [name = 'help', ...rest] = process.argv.slice(2);

try {
  process.exitCode = await run();
} catch (error) {
  await reportError(error);
}

async function run(): Promise<number> {
  if (name === 'version' || name === '--version') return printVersion();
  if (name === 'help' || name === '--help' || name === '-h') return printHelp(rest[0]);
  const command = await loadCommand(name);
  if (!command) {
    throw new UsageError(`There is no command "${name}". Run "ambry help" for the list.`);
  }
  if (rest.includes('--help') || rest.includes('-h')) return printHelp(name);
  return command.run(rest, terminal);
}

async function reportError(error: unknown): Promise<void> {
  const problem = problemOf(error);
  if ([name, ...rest].includes('--json')) terminal.printJson({ error: problem });
  else {
    terminal.note(`ambry: ${describeProblem(problem)}`);
    if (error instanceof UsageError && (await loadCommand(name))) {
      terminal.note(`Run "ambry help ${name}" for the options of the command.`);
    }
  }
  process.exitCode = (isAbort(error) ? terminal.stopCode : undefined) ?? exitCodeOf(error);
}

function printVersion(): number {
  const file = new URL('../../package.json', import.meta.url);
  terminal.print((JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version);
  return 0;
}

async function printHelp(topic: string | undefined): Promise<number> {
  const command = topic === undefined ? undefined : await loadCommand(topic);
  const lines = topic !== undefined && command ? helpPage(topic, command) : await overview();
  for (const line of lines) terminal.print(line);
  return 0;
}

async function overview(): Promise<string[]> {
  const lines = [
    'ambry opens, checks, converts and runs small models.',
    '',
    'Usage: ambry COMMAND [ARGUMENT...] [OPTION...]',
  ];
  for (const { title, commands } of commandGroups) {
    lines.push('', `${title}:`);
    const rows: [string, string][] = [];
    for (const [command, load] of Object.entries(commands)) {
      rows.push([command, (await load()).command.summary]);
    }
    lines.push(...definitions(rows));
  }
  return [
    ...lines,
    '',
    'Run "ambry help COMMAND" for the arguments and options of a command.',
    'Exit codes: 0 done or valid, 1 invalid file or failed job, 2 bad usage or',
    'unreadable input.',
  ];
}
