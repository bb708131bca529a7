// The commands of packages that few users need, and that are installed beside `ambry`.
import { importCompanion } from '../../runtime/node-companion.ts';
import {
  type Command,
  type CommandOptions,
  defineCommand,
  type LoadCommand,
} from '../shared/command.ts';
import { jsonOption } from '../shared/common-options.ts';
import { UnreadableError } from '../shared/failure.ts';
import type { Terminal } from '../shared/terminal.ts';
import { hostOf, type OpeningValues, openingOptionsOf } from './command-host.ts';
import type { PackageCommand } from './package-command.ts';

/** Where a command is, and what the list of commands says of it. */
interface PackageRow {
  readonly name: string;
  readonly package: string;
  readonly summary: string;
  /** Runs the command line where the package is not installed. By default that is an error. */
  readonly runWithout?: (args: readonly string[], terminal: Terminal) => Promise<number>;
  /** What happens then, for the help. */
  readonly without?: string;
}

/** Loads the command of a package from its entry `command`. Where the package is not installed, the command says so. */
export function fromPackage(row: PackageRow): LoadCommand {
  return async () => {
    const found = await importCompanion<{ command: PackageCommand }>(`${row.package}/command`);
    return { command: found ? commandOf(row, found.command) : missingCommand(row) };
  };
}

function commandOf({ summary }: PackageRow, command: PackageCommand): Command {
  const { argumentCount, opensModels = false } = command;
  const options: CommandOptions = {
    ...command.options,
    ...openingOptionsOf(opensModels),
    ...jsonOption,
  };
  const help = { ...command, summary, options };
  if (argumentCount === undefined) {
    return { ...help, run: (args, terminal) => command.run(args, {}, hostOf(terminal, {})) };
  }
  return defineCommand({
    ...help,
    argumentCount,
    run: (args, values, terminal) =>
      command.run(args, values, hostOf(terminal, values as OpeningValues)),
  });
}

function missingCommand({ name, summary, runWithout, without, ...row }: PackageRow): Command {
  const install = `npm install ${row.package}`;
  const details = [
    `The package ${row.package} has this command and its options. Install it beside ambry: ${install} (with --global if ambry was installed so).`,
  ];
  const refuse = async () => {
    throw new UnreadableError(
      `"ambry ${name}" needs the package ${row.package}. Install it: ${install}`,
    );
  };
  return {
    usage: '[ARGUMENT...]',
    summary,
    details: without === undefined ? details : [...details, without],
    options: { ...jsonOption },
    json: 'what the package states.',
    examples: [name],
    run: runWithout ?? refuse,
  };
}
