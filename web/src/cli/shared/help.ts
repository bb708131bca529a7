// Prints the list of commands and the help page of a command.
import type { Command, CommandOption, CommandOptions } from './command.ts';

const pageWidth = 80;
const indent = '  ';
/** Help of an option begins in this column at most. Longer option names get a line of their own. */
const maxNameWidth = 25;

/** The lines of `ambry help NAME`. */
export function helpPage(
  name: string,
  { usage, summary, details = [], options, json, examples }: Command,
): string[] {
  const synopsis = ['ambry', name, usage, '[OPTION...]'].filter(Boolean).join(' ');
  const lines = [`Usage: ${synopsis}`, '', `${summary}.`];
  for (const paragraph of details) {
    lines.push('', ...wrap(paragraph, pageWidth));
  }
  lines.push('', 'Options:', ...definitions(optionRows(options)));
  lines.push('', ...wrap(`--json prints ${json}`, pageWidth));
  lines.push('', 'Examples:', ...examples.map((example) => `${indent}ambry ${example}`));
  return lines;
}

/** The document of `ambry help NAME --json`. */
export function helpJson(
  name: string,
  { usage, summary, details = [], options, json, examples }: Command,
): Readonly<Record<string, unknown>> {
  return { name, usage, summary, details, options, json, examples };
}

/** Formats rows of a name and its help in two columns. */
export function definitions(rows: readonly (readonly [name: string, help: string])[]): string[] {
  const widths = rows.map(([name]) => name.length).filter((width) => width <= maxNameWidth);
  const column = indent.length + Math.max(...widths, 0) + 2;
  return rows.flatMap(([name, help]) => {
    const [first = '', ...rest] = wrap(help, pageWidth - column);
    const head = indent + name;
    const begin =
      head.length + 2 <= column
        ? [head.padEnd(column) + first]
        : [head, ' '.repeat(column) + first];
    return [...begin, ...rest.map((line) => ' '.repeat(column) + line)];
  });
}

function optionRows(options: CommandOptions): [string, string][] {
  const hasPairs = Object.entries(options).some(([name, { short }]) => short && short !== name);
  return Object.entries(options).map(([name, option]) => {
    const isAligned = hasPairs && option.short === undefined;
    return [`${isAligned ? '    ' : ''}${optionName(name, option)}`, option.help];
  });
}

/** `-t, --to FORMAT` */
function optionName(
  name: string,
  { short, choices, value = choices?.join('|') }: CommandOption,
): string {
  const names = short === undefined ? `--${name}` : `-${short}`;
  const both = short === undefined || short === name ? names : `${names}, --${name}`;
  return value === undefined ? both : `${both} ${value}`;
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
