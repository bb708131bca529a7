// What the scripts of all shells complete, made of the table of commands.
import type { CommandGroup, CommandOption } from '../shared/command.ts';

export interface CompletedOption {
  /** `--to`, or nothing for an option with one letter only. */
  readonly long?: string;
  /** `-t` */
  readonly short?: string;
  /** The first sentence of the help. */
  readonly help: string;
  /** What stands after the option: nothing, one of these words, a file, or a text that nobody can guess. */
  readonly value?: readonly string[] | 'file' | 'text';
}

export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly CompletedOption[];
  /** The words that the first argument may be. Without them it is a file. */
  readonly choices?: readonly string[];
}

/** Placeholders in the help that stand for files. */
const filePlaceholders = ['FILE', 'OUT', 'MODEL', 'OTHER'];

export async function completedCommands(
  groups: readonly CommandGroup[],
): Promise<readonly CompletedCommand[]> {
  const found: CompletedCommand[] = [];
  for (const { commands } of groups) {
    for (const [name, load] of Object.entries(commands)) {
      const { summary, options, choices } = (await load()).command;
      const completed = Object.entries(options).map(([option, how]) =>
        completedOption(option, how),
      );
      found.push({ name, summary, options: completed, ...(choices && { choices }) });
    }
  }
  const names = found.map(({ name }) => name);
  const json: CompletedOption = { long: '--json', help: 'Print JSON' };
  return [
    ...found,
    { name: 'help', summary: 'Show the help of a command', options: [json], choices: names },
    { name: 'version', summary: 'Print the version', options: [json], choices: [] },
  ];
}

function completedOption(name: string, option: CommandOption): CompletedOption {
  const { short, help, type, choices, value = '' } = option;
  const guess = choices ?? (filePlaceholders.includes(value) ? 'file' : 'text');
  return {
    ...(name !== short && { long: `--${name}` }),
    ...(short !== undefined && { short: `-${short}` }),
    help: (help.split(/\. /)[0] ?? '').replace(/\.$/, ''),
    ...(type === 'string' && { value: guess }),
  };
}

export function namesOf({ long, short }: CompletedOption): string[] {
  return [short, long].filter((name) => name !== undefined);
}
