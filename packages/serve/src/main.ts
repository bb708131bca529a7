#!/usr/bin/env node
// The program `ambry-serve`. Exit codes: 0 after a signal to stop, 1 for a model that cannot be opened, 2 for bad usage or a
// port that is taken.
import { parseArgs } from 'node:util';
import { AmbryError } from 'ambry';
import { command } from './command.ts';

const end = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.once(name, () => {
    end.abort();
    // A second signal ends the program at once.
    process.once(name, () => process.exit(1));
  });
}

const output = {
  signal: end.signal,
  print: (line: string) => void process.stdout.write(`${line}\n`),
  printJson: (value: unknown) => void process.stdout.write(`${JSON.stringify(value)}\n`),
  note: (line: string) => void process.stderr.write(`${line}\n`),
};

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const { message, code } = error as AmbryError;
  output.note(`ambry-serve: ${error instanceof AmbryError ? `${code}: ` : ''}${message}`);
  process.exitCode = 2;
}

async function main(args: string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    output.print(helpText());
    return 0;
  }
  const { options, argumentCount } = command;
  const { values, positionals } = parseArgs({
    args,
    options,
    strict: true,
    allowPositionals: true,
  });
  const [least, most] = argumentCount;
  if (positionals.length < least || positionals.length > most) {
    const message = `${positionals.length} models were given; the program takes ${least} to ${most}. Run ambry-serve --help.`;
    throw new AmbryError('BadValue', message);
  }
  return command.run(positionals, values, output);
}

function helpText(): string {
  const rows = Object.entries(command.options).map(([name, option]) => {
    const value =
      'value' in option
        ? ` ${option.value}`
        : 'choices' in option
          ? ` ${option.choices.join('|')}`
          : '';
    return `  --${name}${value}\n      ${option.help}`;
  });
  return [
    `Usage: ambry-serve ${command.usage}`,
    '',
    `${command.summary}.`,
    '',
    ...command.details,
    '',
    ...rows,
  ].join('\n');
}
