import { didYouMean } from '../../base/did-you-mean.ts';
import { type Command, type CommandGroup, defineCommand } from '../shared/command.ts';
import { jsonOption } from '../shared/common-options.ts';
import { UsageError } from '../shared/failure.ts';
import { bashScript } from './bash.ts';
import { completedCommands } from './completed-commands.ts';
import { fishScript } from './fish.ts';
import { zshScript } from './zsh.ts';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;
const shells = Object.keys(scripts) as readonly (keyof typeof scripts)[];

/** The command for the table of all commands, of which it is one itself. */
export function completionsOf(groups: readonly CommandGroup[]): Command {
  return defineCommand({
    usage: shells.join('|'),
    summary: 'Print a script that completes commands and options in a shell',
    details: [
      'bash: add source <(ambry completions bash) to ~/.bashrc. zsh: the same after compinit in ~/.zshrc. fish: write it to ~/.config/fish/completions/ambry.fish.',
    ],
    choices: shells,
    options: { ...jsonOption },
    json: '{shell, script}.',
    examples: ['completions bash', 'completions fish > ambry.fish'],
    argumentCount: [1, 1],
    run: async ([given = ''], { json }, terminal) => {
      const shell = shells.find((name) => name === given);
      if (shell === undefined) {
        const advice = `There are ${shells.join(', ')}.${didYouMean(given, shells)}`;
        throw new UsageError(`There are no completions for "${given}". ${advice}`);
      }
      const script = scripts[shell](await completedCommands(groups));
      if (json) {
        terminal.printJson({ shell, script });
      } else {
        terminal.printText(script.trimEnd());
      }
      return 0;
    },
  });
}
