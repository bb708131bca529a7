#!/usr/bin/env node
// The `ambry` command line. Exit codes: 0 done or valid, 1 invalid file or failed job, 2 bad usage or unreadable
// input, 128 and the signal's number after a signal.
import { didYouMean } from '../base/did-you-mean.ts';
import { isAbort } from '../base/errors.ts';
import { commandGroups, commandNames, loadCommand } from './commands.ts';
import { type Command, inOwnWords } from './shared/command.ts';
import { describeProblem, exitCodeOf, problemOf, UsageError } from './shared/failure.ts';
import { definitions, helpJson, helpPage } from './shared/help.ts';
import { otherCommands } from './shared/other-words.ts';
import { Terminal } from './shared/terminal.ts';
import { ownVersion } from './shared/version.ts';

const terminal = new Terminal();
const [name = 'help', ...rest] = process.argv.slice(2);
/** What follows `--` is no option. */
const flags = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest;
const wantsJson = [name, ...flags].includes('--json');

try {
  process.exitCode = await run();
} catch (error) {
  await reportError(error);
}

async function run(): Promise<number> {
  if (['version', '--version', '-V'].includes(name)) {
    return printVersion();
  }
  if (['help', '--help', '-h'].includes(name)) {
    return printHelp(topicOf(rest, 1));
  }
  const command = await findCommand(name);
  const isInner = command.hasCommands && rest[0] !== undefined && !rest[0].startsWith('-');
  if (!isInner && (flags.includes('--help') || flags.includes('-h'))) {
    return printHelp(name);
  }
  return command.run(rest, terminal);
}

async function findCommand(given: string): Promise<Command> {
  const command = await loadCommand(given);
  if (command) {
    return command;
  }
  const names = [...commandNames, 'help', 'version', '--help', '--version'];
  const advice = didYouMean(given.replace(/_/g, '-'), names, otherCommands);
  throw new UsageError(
    `There is no command "${given}".${advice} Run "ambry help" for the list.`,
    given.startsWith('-') ? given : undefined,
  );
}

/** The first argument of `help` and `version`, which take the option `--json` and nothing else. */
function topicOf(args: readonly string[], max: number): string | undefined {
  const topics = args.filter((arg) => arg !== '--json');
  const excess = topics.find((topic) => topic.startsWith('-')) ?? topics[max];
  if (excess === undefined) {
    return topics[0];
  }
  throw new UsageError(`"ambry ${name}" does not take ${excess}.`);
}

async function reportError(error: unknown): Promise<void> {
  const problem = problemOf(error);
  if (wantsJson) {
    terminal.printJson({ error: problem });
  } else {
    const command = await loadCommand(name);
    const path = inOwnWords(problem.path, command?.options ?? {});
    terminal.note(`ambry: ${describeProblem({ ...problem, ...(path !== undefined && { path }) })}`);
    if (error instanceof UsageError && command) {
      terminal.note(`Run "ambry help ${name}" for the options of the command.`);
    }
  }
  process.exitCode = (isAbort(error) ? terminal.stopCode : undefined) ?? exitCodeOf(error);
}

function printVersion(): number {
  topicOf(rest, 0);
  const version = ownVersion();
  if (wantsJson) {
    terminal.printJson({ version });
  } else {
    terminal.print(version);
  }
  return 0;
}

async function printHelp(topic: string | undefined): Promise<number> {
  if (topic === undefined || topic === 'help') {
    return printOverview();
  }
  const command = await findCommand(topic);
  if (wantsJson) {
    terminal.printJson(helpJson(topic, command));
  } else {
    for (const line of helpPage(topic, command)) {
      terminal.print(line);
    }
  }
  return 0;
}

async function printOverview(): Promise<number> {
  const groups = [];
  for (const { title, commands } of commandGroups) {
    const rows: [string, string][] = [];
    for (const [command, load] of Object.entries(commands)) {
      rows.push([command, (await load()).command.summary]);
    }
    groups.push({ title, commands: rows });
  }
  if (wantsJson) {
    const entries = groups.flatMap(({ commands }) => commands);
    terminal.printJson({ commands: entries.map(([name, summary]) => ({ name, summary })) });
  } else {
    for (const line of overview(groups)) {
      terminal.print(line);
    }
  }
  return 0;
}

interface OverviewGroup {
  readonly title: string;
  readonly commands: readonly [name: string, summary: string][];
}

function overview(groups: readonly OverviewGroup[]): string[] {
  return [
    'ambry opens, checks, converts and runs small models.',
    '',
    'Usage: ambry COMMAND [ARGUMENT...] [OPTION...]',
    ...groups.flatMap(({ title, commands }) => ['', `${title}:`, ...definitions(commands)]),
    '',
    'A model is a file, a URL, or a name at the hub of Hugging Face: hf:owner/name,',
    'hf:owner/name@revision or hf:owner/name/file.',
    'Run "ambry help COMMAND" for the arguments and options of a command,',
    '"ambry --version" for the version. With --json every command prints JSON, also',
    'its errors: {"error": {code, message, byteOffset?, path?}}.',
    'Exit codes: 0 done or valid, 1 invalid file or failed job, 2 bad usage or',
    'unreadable input.',
    'The package ambry-demo has the documentation: "ambry demo" serves it at /docs/.',
  ];
}
