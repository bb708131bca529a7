// Finds the command, runs it and reports its error.
import { type CommandSpec, helpOf, parseArguments } from './arguments.ts';
import { AmbryError, messageOf, OutageError, UsageError } from './failure.ts';
import { openTerminal, type Terminal } from './terminal.ts';

const queueCommands = () => import('./queue-commands.ts');
const inspectCommands = () => import('./inspect-commands.ts');
const tableCommands = () => import('./table-commands.ts');

/** A command is loaded only when it is needed. */
const commands: Readonly<Record<string, () => Promise<CommandSpec>>> = {
  enqueue: async () => (await queueCommands()).enqueueCommand,
  run: async () => (await queueCommands()).runCommand,
  status: async () => (await inspectCommands()).statusCommand,
  failed: async () => (await inspectCommands()).failedCommand,
  retry: async () => (await inspectCommands()).retryCommand,
  verify: async () => (await queueCommands()).verifyCommand,
  search: async () => (await tableCommands()).searchCommand,
  export: async () => (await tableCommands()).exportCommand,
};

export const commandNames: readonly string[] = Object.keys(commands);

/**
 * Runs a command line, without the name of the program, on the streams of this process.
 *
 * @param signal Stops the command. `run` then ends its current job.
 * @returns The exit code: 0 done, 1 failed or stopped, 2 a wrong command line, an input that cannot be read or a server
 *   that does not answer.
 */
export async function runCommandLine(
  args: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  const terminal = openTerminal(signal);
  try {
    return await dispatch(args, terminal);
  } catch (error) {
    return report(error, terminal, args.includes('--json'));
  }
}

async function dispatch(given: readonly string[], terminal: Terminal): Promise<number> {
  const at = given.findIndex((arg) => arg !== '--json');
  const name = given[at] ?? '--help';
  const args = given.toSpliced(at, 1);
  if (name === '--help' || name === '-h') {
    const lines = Object.entries(commands).map(
      async ([one, load]) => `  ${one.padEnd(9)}${(await load()).summary}`,
    );
    terminal.print(`ambry-worker COMMAND\n\n${(await Promise.all(lines)).join('\n')}`);
    return 0;
  }
  const spec = Object.hasOwn(commands, name) ? await commands[name]?.() : undefined;
  if (!spec) {
    const isOption = name.startsWith('-');
    const known = commandNames.join(', ');
    const message = `There is no ${isOption ? 'option' : 'command'} "${name}" here. Give a command first: ${known}.`;
    throw new UsageError(message, isOption ? name : undefined);
  }
  if (args.includes('--help') || args.includes('-h')) {
    terminal.print(helpOf(name, spec));
    return 0;
  }
  const { positionals, values } = parseArguments(spec, args);
  return spec.run(positionals, values, terminal);
}

function report(error: unknown, terminal: Terminal, asJson: boolean): number {
  const problem = problemOf(error, terminal.signal);
  const place = 'path' in problem && problem.path ? ` ${problem.path}` : '';
  terminal.note(`${problem.code}${place}: ${problem.message}`);
  if (asJson) {
    terminal.print(JSON.stringify({ error: problem }));
  }
  const isUsage = error instanceof UsageError || error instanceof OutageError;
  return isUsage || problem.code === 'NotFound' ? 2 : 1;
}

function problemOf(error: unknown, { aborted }: AbortSignal) {
  if (aborted) {
    return { code: 'Cancelled', message: 'Stopped.' };
  }
  if (error instanceof AmbryError) {
    return error.toJSON();
  }
  return { code: 'Crashed', message: messageOf(error) };
}
