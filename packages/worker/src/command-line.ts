// Finds the command, runs it and reports its error.
import { type CommandSpec, helpOf, parseArguments } from './arguments.ts';
import { AmbryError, messageOf, OutageError, UsageError } from './failure.ts';
import {
  enqueueCommand,
  failedCommand,
  retryCommand,
  runCommand,
  statusCommand,
  verifyCommand,
} from './queue-commands.ts';
import { exportCommand, searchCommand } from './table-commands.ts';
import { openTerminal, type Terminal } from './terminal.ts';

const commands: Readonly<Record<string, CommandSpec>> = {
  enqueue: enqueueCommand,
  run: runCommand,
  status: statusCommand,
  failed: failedCommand,
  retry: retryCommand,
  verify: verifyCommand,
  search: searchCommand,
  export: exportCommand,
};

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
      ([one, { summary }]) => `  ${one.padEnd(9)}${summary}`,
    );
    terminal.print(`ambry-worker COMMAND\n\n${lines.join('\n')}`);
    return 0;
  }
  const spec = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!spec) {
    const known = Object.keys(commands).join(', ');
    const isOption = name.startsWith('-');
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
  if (asJson) terminal.print(JSON.stringify({ error: problem }));
  const isUsage = error instanceof UsageError || error instanceof OutageError;
  return isUsage || problem.code === 'NotFound' ? 2 : 1;
}

function problemOf(error: unknown, { aborted }: AbortSignal) {
  if (aborted) return { code: 'Cancelled', message: 'Stopped.' };
  if (error instanceof AmbryError) return error.toJSON();
  return { code: 'Crashed', message: messageOf(error) };
}
