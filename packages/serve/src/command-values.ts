// The values of the command's options.
import { AmbryError } from 'ambry';

interface OptionForm {
  readonly type: 'string' | 'boolean';
  readonly multiple?: boolean;
}

/** The values of options by name, as `parseArgs` of Node gives them. */
export type OptionTexts<Options extends Readonly<Record<string, OptionForm>>> = {
  readonly [Name in keyof Options]?:
    | (Options[Name]['type'] extends 'boolean'
        ? boolean
        : Options[Name] extends { readonly multiple: true }
          ? string[]
          : string)
    | undefined;
};

/** Bad usage of the command line. */
export function usageError(option: string, message: string): AmbryError {
  return new AmbryError('BadValue', `${option} ${message}`, { path: option });
}

/** Numbers by the names of the settings; `options` has the name of the option of each. */
export function integers<Name extends string>(
  values: Readonly<Record<string, unknown>>,
  options: Readonly<Record<Name, string>>,
): Record<Name, number | undefined> {
  const entries = Object.entries<string>(options).map(([name, option]) => [
    name,
    integer(values[option] as string | undefined, `--${option}`),
  ]);
  return Object.fromEntries(entries) as Record<Name, number | undefined>;
}

export function integer(text: string | undefined, option: string): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw usageError(option, `must be an integer of 0 or more, not "${text}".`);
}

export function seconds(text: string | undefined, option: string): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value > 0) return value;
  throw usageError(option, `must be a number of seconds above 0, not "${text}".`);
}

const units: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, g: 1e9 };

/** Of a size such as `8MB` or `4096`. */
export function sizeOf(text: string | undefined, option: string): number | undefined {
  if (text === undefined) return undefined;
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)\s*([kmg]?)b?$/i.exec(text) ?? [];
  const bytes = Math.floor(Number(digits) * (units[unit.toLowerCase()] ?? 1));
  if (bytes > 0 && Number.isSafeInteger(bytes)) return bytes;
  throw usageError(option, `must be a size in bytes, such as 8MB, not "${text}".`);
}

export function oneOf<const T extends string>(
  text: string | undefined,
  option: string,
  choices: readonly T[],
): T | undefined {
  if (text === undefined) return undefined;
  const choice = choices.find((candidate) => candidate === text);
  if (choice !== undefined) return choice;
  throw usageError(option, `must be one of ${choices.join(', ')}, not "${text}".`);
}
