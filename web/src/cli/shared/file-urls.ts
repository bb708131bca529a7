// `file://` addresses of files on this machine, which a command takes wherever it takes a path. The words of its help say
// where that is.
import { fileURLToPath } from 'node:url';
import { UsageError } from './failure.ts';

/** The arguments and values that name a file or a folder. Others, such as TEXT, are taken as they are. */
const placeWord = /\b(MODEL|SRC|DST|FILE|DIR|OUT|CORPUS|INDEX|INPUT|QUESTIONS|WORDS|DIST)\b/;
/** `ambry serve` takes names before models. */
const fileUrl = /^([\w.-]+=)?(file:\/.*)$/is;

/** The arguments with paths in the place of `file://` addresses. `usage` is that of the help, such as `MODEL [TEXT...]`. */
export function withPaths(usage: string, positionals: readonly string[]): string[] {
  const [first = ''] = usage.split(' | ');
  const names = first.split(/ --/)[0]?.split(' ') ?? [];
  return positionals.map((argument, i) => {
    const name = names[Math.min(i, names.length - 1)] ?? '';
    return placeWord.test(name) ? pathFor(argument) : argument;
  });
}

/** How the help names the value of each option. */
type ValueNames = Readonly<Record<string, { readonly value?: string }>>;

/** The values of options with paths in the place of `file://` addresses. */
export function valuesWithPaths<Values extends object>(
  options: ValueNames,
  values: Values,
): Values {
  const changed = Object.entries(values).map(([name, value]) => {
    const takesPlace = placeWord.test(options[name]?.value ?? '');
    const flag = `--${name}`;
    if (!takesPlace) {
      return [name, value];
    }
    const given: unknown = value;
    const path = (one: unknown) => (typeof one === 'string' ? pathFor(one, flag) : one);
    return [name, Array.isArray(given) ? given.map(path) : path(given)];
  });
  return Object.fromEntries(changed) as Values;
}

/** The path that a `file://` address means; any other text as it is. */
export function pathFor(argument: string, option?: string): string {
  const [, name = '', address] = fileUrl.exec(argument) ?? [];
  if (address === undefined) {
    return argument;
  }
  try {
    return name + fileURLToPath(address);
  } catch (error) {
    const host = URL.canParse(address) ? new URL(address).host : '';
    const why =
      host === ''
        ? (error as Error).message.replace(/\.$/, '')
        : `it names the machine ${host}, and files of other machines are not read`;
    throw new UsageError(
      `${argument} is no address of a file on this machine: ${why}. Write file:/// and the whole path, or only the path.`,
      option,
    );
  }
}
