// Parses the command line of a command.
import { type ParseArgsOptionDescriptor, parseArgs } from 'node:util';
import { UsageError } from './failure.ts';
import type { Terminal } from './terminal.ts';

export interface Option extends ParseArgsOptionDescriptor {
  /** Stands for the option's value in the help. */
  readonly value?: string;
  readonly help: string;
}

export type Values = Readonly<Record<string, string | boolean | undefined>>;

export interface CommandSpec {
  readonly usage: string;
  readonly summary: string;
  readonly options: Readonly<Record<string, Option>>;
  /** The options without which the command cannot run. */
  readonly required: readonly string[];
  /** The minimum and the maximum number of arguments. */
  readonly argumentCount: readonly [number, number];
  readonly run: (args: readonly string[], values: Values, terminal: Terminal) => Promise<number>;
}

export function parseArguments(
  spec: CommandSpec,
  args: readonly string[],
): { readonly positionals: readonly string[]; readonly values: Values } {
  let parsed: ReturnType<typeof parseArgs>;
  try {
    const { options } = spec;
    parsed = parseArgs({ args: [...args], options, strict: true, allowPositionals: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const option = /'(-[^']*)'/.exec(message)?.[1];
    if (code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
      throw new UsageError(message, option);
    }
    const known = Object.keys(spec.options).map((name) => `--${name}`);
    throw new UsageError(`There is no option ${option}. There are: ${known.join(', ')}.`, option);
  }
  const { positionals } = parsed;
  const [min, max] = spec.argumentCount;
  if (positionals.length < min || positionals.length > max) {
    throw new UsageError(
      `The command takes: ${spec.usage}. Arguments given: ${positionals.length}.`,
    );
  }
  const values = parsed.values as Values;
  for (const name of spec.required) {
    if (values[name] === undefined) {
      throw new UsageError(`--${name} is missing.`, `--${name}`);
    }
  }
  return { positionals, values };
}

export function integerOption(values: Values, name: string, fallback: number): number {
  const text = values[name];
  if (text === undefined) {
    return fallback;
  }
  const value = Number(text);
  if (/^\d+$/.test(String(text)) && Number.isSafeInteger(value) && value > 0) {
    return value;
  }
  throw new UsageError(`--${name} must be an integer of at least 1, not "${text}".`, `--${name}`);
}

export function choiceOption<const T extends string>(
  values: Values,
  name: string,
  choices: readonly T[],
): T | undefined {
  const text = values[name];
  if (text === undefined) {
    return undefined;
  }
  const choice = choices.find((candidate) => candidate === text);
  if (choice !== undefined) {
    return choice;
  }
  throw new UsageError(
    `--${name} must be one of ${choices.join(', ')}, not "${text}".`,
    `--${name}`,
  );
}

export function helpOf(name: string, spec: CommandSpec): string {
  const lines = Object.entries(spec.options).map(
    ([option, { value, help }]) => `  --${option}${value ? ` ${value}` : ''}\n      ${help}`,
  );
  return `ambry-worker ${name} ${spec.usage}\n\n${spec.summary}.\n\n${lines.join('\n')}`;
}
