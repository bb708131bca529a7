#!/usr/bin/env node
// The command `ambry-worker`.
import { AmbryError, messageOf } from './ambry-errors.ts';
import { type CommandSpec, helpOf, parseArguments, type Terminal } from './arguments.ts';
import { UsageError } from './failure.ts';
import {
  enqueueCommand,
  failedCommand,
  retryCommand,
  runCommand,
  statusCommand,
  verifyCommand,
} from './queue-commands.ts';
import { exportCommand, searchCommand } from './table-commands.ts';

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

function openTerminal(): Terminal {
  const controller = new AbortController();
  // The second signal ends the process at once, as if there were no handler.
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort());
  const isTerminal = process.stderr.isTTY === true;
  const clear = isTerminal ? '\r\x1b[K' : '';
  return {
    signal: controller.signal,
    print: (line) => process.stdout.write(`${line}\n`),
    note: (line) => process.stderr.write(`${clear}${line}\n`),
    progress: (line) => {
      if (isTerminal) process.stderr.write(`${clear}${line}`);
    },
  };
}

async function main([name = '--help', ...args]: readonly string[]): Promise<number> {
  const terminal = openTerminal();
  // The reader of the output may end first, as `head` does.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
  try {
    if (name === '--help' || name === '-h') {
      const lines = Object.entries(commands).map(([one, { summary }]) => `  ${one}  ${summary}`);
      terminal.print(`ambry-worker COMMAND\n\n${lines.join('\n')}`);
      return 0;
    }
    const spec = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!spec) {
      const known = Object.keys(commands).join(', ');
      throw new UsageError(`There is no command "${name}". There are: ${known}.`);
    }
    if (args.includes('--help')) {
      terminal.print(helpOf(name, spec));
      return 0;
    }
    const { positionals, values } = parseArguments(spec, args);
    return await spec.run(positionals, values, terminal);
  } catch (error) {
    return report(error, terminal);
  }
}

/** Exit code 2 is a wrong command line or an input that cannot be read. Exit code 1 is a failed job. */
function report(error: unknown, terminal: Terminal): number {
  if (terminal.signal.aborted) {
    terminal.note('stopped');
    return 1;
  }
  const problem =
    error instanceof AmbryError ? error.toJSON() : { code: 'Crashed', message: messageOf(error) };
  const place = 'path' in problem && problem.path ? ` ${problem.path}` : '';
  terminal.note(`${problem.code}${place}: ${problem.message}`);
  if (process.argv.includes('--json')) terminal.print(JSON.stringify({ error: problem }));
  const isUsage = error instanceof UsageError || problem.code === 'NotFound';
  return isUsage || problem.code === 'Http' ? 2 : 1;
}

process.exitCode = await main(process.argv.slice(2));
