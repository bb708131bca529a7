// The completion script for fish.
import type { CompletedCommand, CompletedOption } from './completed-commands.ts';

export function fishScript(commands: readonly CompletedCommand[]): string {
  return [
    '# Completes ambry in fish. Write it to ~/.config/fish/completions/ambry.fish',
    'function __ambry_runs; set -l words (commandline -opc); test "$words[2]" = $argv[1]; end',
    ...commands.map(
      ({ name, summary }) =>
        `complete -c ambry -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
    ),
    ...commands.flatMap(commandLines),
    '',
  ].join('\n');
}

function commandLines({ name, options, choices }: CompletedCommand): string[] {
  const begin = `complete -c ambry -n '__ambry_runs ${name}'`;
  const lines = options.map((option) => `${begin} ${optionSpec(option)}`);
  if (choices) {
    lines.push(`${begin} -f -a ${quoted(choices.join(' '))}`);
  }
  return lines;
}

/** -x takes a value that is no file, -r one that may be. */
function optionSpec({ long, short, help, value }: CompletedOption): string {
  const parts = [];
  if (long !== undefined) {
    parts.push(`-l ${long.slice(2)}`);
  }
  if (short !== undefined) {
    parts.push(`-s ${short.slice(1)}`);
  }
  if (value === 'file') {
    parts.push('-r -F');
  } else if (value === 'text') {
    parts.push('-x');
  } else if (value !== undefined) {
    parts.push(`-x -a ${quoted(value.join(' '))}`);
  }
  return [...parts, `-d ${quoted(help)}`].join(' ');
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
