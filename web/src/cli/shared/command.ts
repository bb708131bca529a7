// Defines a command: its arguments, its options with their help, and what it does.
import { type ParseArgsOptionDescriptor, parseArgs } from 'node:util';
import { UsageError } from './failure.ts';
import { valuesWithPaths, withPaths } from './file-urls.ts';
import { plural } from './format.ts';
import type { Terminal } from './terminal.ts';
import { flagOf, otherOption, unknownOption } from './unknown-option.ts';

/** An option as `parseArgs` takes it, with its help. */
export interface CommandOption extends ParseArgsOptionDescriptor {
  /** Stands for the option's value in the help, such as `N`. Default: the choices. */
  readonly value?: string;
  /** All values that the option takes. */
  readonly choices?: readonly string[];
  readonly help: string;
  /** Makes the value of an option of a call (call-options.ts). `flag` is the option as it was typed, such as `--top-k`. */
  readonly read?: (value: never, flag: string) => unknown;
  /** The name of that option of the call. Default: the option's own name in camel case. */
  readonly as?: string;
}

export type CommandOptions = Readonly<Record<string, CommandOption>>;

/** The values of the options by name. An option that was not given is absent. */
export type OptionValues<Options extends CommandOptions> = ReturnType<
  typeof parseArgs<{ options: Options; strict: true; allowPositionals: true }>
>['values'];

/** The parts of a command that its help page shows. */
export interface CommandHelp {
  /** The arguments and the required options, such as `MODEL --prompt TEXT`. */
  readonly usage: string;
  /** One line without a full stop, for the list of commands. */
  readonly summary: string;
  /** Paragraphs below the summary. */
  readonly details?: readonly string[];
  /** All words that the first argument may be. Default: a file or any text. */
  readonly choices?: readonly string[];
  readonly options: CommandOptions;
  /** The shape of what `--json` prints, such as `{file, warnings?}`. */
  readonly json: string;
  /** Command lines without the leading `ambry`. */
  readonly examples: readonly string[];
  /** The first argument is a command that has options and a help of its own. */
  readonly hasCommands?: boolean;
}

export interface CommandSpec<Options extends CommandOptions> extends CommandHelp {
  readonly options: Options;
  /** The minimum and the maximum number of arguments. Options do not count. */
  readonly argumentCount: readonly [number, number];
  /** Resolves to the exit code. */
  readonly run: (
    positionals: readonly string[],
    values: OptionValues<Options>,
    terminal: Terminal,
  ) => Promise<number>;
}

export interface Command extends CommandHelp {
  /** Resolves to the exit code. */
  readonly run: (args: readonly string[], terminal: Terminal) => Promise<number>;
}

export type LoadCommand = () => Promise<{ readonly command: Command }>;

/** Commands under one title of the overview. */
export interface CommandGroup {
  readonly title: string;
  readonly commands: Readonly<Record<string, LoadCommand>>;
}

export function defineCommand<const Options extends CommandOptions>(
  spec: CommandSpec<Options>,
): Command {
  const { usage, options, argumentCount, run } = spec;
  return {
    ...spec,
    run: async (args, terminal) => {
      const { values, positionals } = parse(spec, args);
      const [min, max] = argumentCount;
      const { length } = positionals;
      if (length < min || length > max) {
        throw new UsageError(`${plural(length, 'argument')} given. The command takes: ${usage}`);
      }
      const paths = withPaths(usage, positionals);
      return run(paths, valuesWithPaths(options, values), terminal);
    },
  };
}

/** The path of an error in the words of the command line: `options.maxTokens` of a call is its option `--max-tokens`. */
export function inOwnWords(path: string | undefined, options: CommandOptions): string | undefined {
  const [, name, rest = ''] = /^options\.(\w+)(.*)$/s.exec(path ?? '') ?? [];
  const found = Object.entries(options).find(([own, { as }]) => (as ?? camelCase(own)) === name);
  return found ? `--${found[0]}${rest}` : path;
}

export const camelCase = (name: string): string =>
  name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

function parse<Options extends CommandOptions>(
  command: CommandSpec<Options>,
  args: readonly string[],
) {
  const { options } = command;
  const given = withValues(command, args);
  try {
    return parseArgs({ options, args: given, strict: true, allowPositionals: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const option = /'(-[^']*)'/.exec(message)?.[1]?.replace(/^-\w, |[ =].*$/g, '');
    if (option === undefined) {
      throw new UsageError(message);
    }
    if (code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
      const takesValue = Object.entries(options).some(
        ([name, { type }]) => `--${name}` === option && type === 'string',
      );
      throw new UsageError(`${option} ${takesValue ? 'needs' : 'takes no'} value.`, option);
    }
    throw unknownOption(option, command);
  }
}

/** Joins each option that takes a value and a value that begins with a hyphen, which `parseArgs` refuses: a negative number is
 *  judged by who reads the option. */
function withValues(command: CommandHelp, args: readonly string[]): string[] {
  const { options } = command;
  const joined: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] as string;
    if (arg === '--') {
      return [...joined, ...args.slice(i)];
    }
    const found = optionTaking(options, arg);
    if (!found) {
      const wrong = otherOption(arg, command);
      if (wrong) {
        throw wrong;
      }
      joined.push(arg);
      continue;
    }
    const value = args[++i];
    if (value === undefined || (/^-./.test(value) && !/^-\.?\d/.test(value))) {
      throw needsValue(found, value, options);
    }
    joined.push(`--${found[0]}=${value}`);
  }
  return joined;
}

/** The option that is written without its value, which then follows. */
function optionTaking(
  options: CommandOptions,
  arg: string,
): readonly [string, CommandOption] | undefined {
  return Object.entries(options).find(
    ([name, { type, short }]) =>
      type === 'string' && (arg === `--${name}` || (short !== undefined && arg === `-${short}`)),
  );
}

function needsValue(
  [name, { value = 'VALUE', choices }]: readonly [string, CommandOption],
  next: string | undefined,
  options: CommandOptions,
): UsageError {
  const flag = flagOf(name);
  const wanted = choices ? `one of ${choices.join(', ')}` : `${flag} ${value}`;
  const known = Object.entries(options).flatMap(([own, { short }]) => [`--${own}`, `-${short}`]);
  const isOption = next === undefined || known.includes(next.replace(/=.*$/s, ''));
  const found = next === undefined ? '' : `, and ${next} follows`;
  const advice = isOption ? '' : ` If that is the value, write ${flag}=${next}.`;
  return new UsageError(`${flag} needs a value${found}: ${wanted}.${advice}`, flag);
}
