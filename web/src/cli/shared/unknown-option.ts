// The error for an option that a command does not have: what was meant, also in words of other programs.
import { didYouMean, type OtherWords } from '../../base/did-you-mean.ts';
import { UsageError } from './failure.ts';
import { needless, otherOptions } from './other-words.ts';

/** What the help of a command says. */
interface Described {
  readonly usage: string;
  readonly options: Readonly<Record<string, { readonly short?: string | undefined }>>;
}

/** An option as it is typed: `-k`, `--top-k`. */
export const flagOf = (name: string): string => (name.length === 1 ? `-${name}` : `--${name}`);

export function unknownOption(option: string, command: Described): UsageError {
  const known = Object.keys(command.options).map(flagOf);
  const advice =
    adviceFor(option, command) ??
    (didYouMean(option, known) || ' Put -- before an argument that begins with a hyphen.');
  return new UsageError(`There is no option ${option}.${advice}`, option);
}

/** The error for a word of another program. `parseArgs` would read `-ngl` as several short options. Undefined for an option that
 *  the command has, and for other words. */
export function otherOption(arg: string, command: Described): UsageError | undefined {
  const option = arg.replace(/=.*$/s, '');
  const isOwn = Object.entries(command.options).some(
    ([name, { short }]) => option === `--${name}` || option === `-${short}`,
  );
  return isOwn || adviceFor(option, command) === undefined
    ? undefined
    : unknownOption(option, command);
}

function adviceFor(option: string, { options, usage }: Described): string | undefined {
  const words = spellings(option);
  const own = Object.keys(options).map(flagOf);
  const spelled = words.slice(1).find((word) => own.includes(word));
  const has = (name: string) => own.includes(name) || usage.split(/[^A-Z]+/).includes(name);
  const meant = spelled ?? rowsWith(words, otherOptions).find(has);
  if (meant !== undefined) {
    const isOption = meant.startsWith('-');
    return isOption
      ? ` Did you mean "${meant}"?`
      : ` Give ${meant} as an argument. The command takes: ${usage}`;
  }
  const [reason] = rowsWith(words, needless);
  return reason && ` ${reason}`;
}

const rowsWith = (words: readonly string[], table: OtherWords): string[] =>
  Object.keys(table).filter((name) => table[name]?.some((word) => words.includes(word)));

/** The option, and how it would be written here: `--top_k` and `--topK` are `--top-k`, `-temp` is `--temp`. */
function spellings(option: string): readonly string[] {
  const dashed = option
    .replace(/_/g, '-')
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return [option, dashed, dashed.replace(/^-(?=[a-z]{2})/, '--')];
}
