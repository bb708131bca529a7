// What a command is, and what it is given.
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { UsageError } from './failure.ts';
import type { Terminal } from './terminal.ts';

/** The options' values by their types; never present and undefined at once. */
export type Values<O extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: O; strict: true; allowPositionals: true }>
>['values'];

export interface CommandSpec<O extends ParseArgsOptionsConfig> {
  /** `FILE|URL [--json]`, after the command's name. */
  readonly usage: string;
  /** One line. */
  readonly summary: string;
  /** What each option does, for the help of the command. */
  readonly details?: readonly string[];
  readonly options: O;
  /** The least and the most arguments that are not options. */
  readonly takes: readonly [number, number];
  /** Gives the exit code. */
  readonly run: (
    positionals: readonly string[],
    values: Values<O>,
    terminal: Terminal,
  ) => Promise<number>;
}

export interface Command {
  readonly usage: string;
  readonly summary: string;
  readonly details: readonly string[];
  readonly run: (args: readonly string[], terminal: Terminal) => Promise<number>;
}

export function defineCommand<const O extends ParseArgsOptionsConfig>(
  spec: CommandSpec<O>,
): Command {
  const { usage, summary, details = [] } = spec;
  return {
    usage,
    summary,
    details,
    run: async (args, terminal) => {
      const { values, positionals } = parse(spec.options, args);
      const [least, most] = spec.takes;
      if (positionals.length < least || positionals.length > most) {
        throw new UsageError(`${positionals.length} arguments given; wanted: ${usage}`);
      }
      return spec.run(positionals, values, terminal);
    },
  };
}

function parse<O extends ParseArgsOptionsConfig>(options: O, args: readonly string[]) {
  try {
    return parseArgs({ options, args: [...args], strict: true, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** A whole number from `least` on. */
export function wholeNumber(
  text: string | undefined,
  option: string,
  least = 1,
): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(number) && number >= least) return number;
  throw new UsageError(`${option} takes a whole number from ${least} on, not ${text}`, option);
}

/** One of a few words. */
export function oneOf<const T extends string>(
  text: string | undefined,
  option: string,
  choices: readonly T[],
): T | undefined {
  if (text === undefined) return undefined;
  const choice = choices.find((candidate) => candidate === text);
  if (choice !== undefined) return choice;
  throw new UsageError(`${option} takes ${choices.join(', ')}, not ${text}`, option);
}

/** A number above 0. */
export function positive(text: string | undefined, option: string): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (Number.isFinite(number) && number > 0) return number;
  throw new UsageError(`${option} takes a number above 0, not ${text}`, option);
}

/** A number from `least` to `most`. */
export function decimal(
  text: string | undefined,
  option: string,
  least: number,
  most = Number.POSITIVE_INFINITY,
): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  const isNumber = text.trim() !== '' && Number.isFinite(number);
  if (isNumber && number >= least && number <= most) return number;
  const range = most === Number.POSITIVE_INFINITY ? `from ${least} on` : `from ${least} to ${most}`;
  throw new UsageError(`${option} takes a number ${range}, not ${text}`, option);
}

const kUnits: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, g: 1e9 };

/** `512MB`, `1.5G`, or bare bytes. */
export function byteCount(text: string | undefined, option: string): number | undefined {
  if (text === undefined) return undefined;
  const match = /^(\d+(?:\.\d+)?)\s*([kmg]?)b?$/i.exec(text);
  const bytes = Math.floor(Number(match?.[1]) * (kUnits[(match?.[2] ?? '').toLowerCase()] ?? 1));
  if (match && Number.isSafeInteger(bytes) && bytes > 0) return bytes;
  throw new UsageError(`${option} takes a number of bytes, such as 512MB, not ${text}`, option);
}
