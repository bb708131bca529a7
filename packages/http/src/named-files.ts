// The files that the arguments of a command name.
import { basename } from 'node:path';

export interface NamedFile {
  readonly name: string;
  readonly file: string;
}

/** The files with their names. Throws the error of `usageError` for a name that comes twice; `what` stands for the files in it. */
export function namedFiles(
  args: readonly string[],
  what: string,
  usageError: (message: string) => Error,
): readonly NamedFile[] {
  const seen = new Set<string>();
  return args.map((argument) => {
    const { name, file } = namedFile(argument);
    if (seen.has(name)) {
      throw usageError(`Two ${what} have the name ${name}. Write one of them as NAME=${file}.`);
    }
    seen.add(name);
    return { name, file };
  });
}

/** Reads `NAME=FILE`, or a file that gives the name. A path may have an equals sign, too, but not before its first
 *  slash. */
export function namedFile(argument: string): NamedFile {
  const [, name, file] = /^([^/\\:=]+)=(.+)$/s.exec(argument) ?? [];
  if (name !== undefined && file !== undefined) {
    return { name, file };
  }
  return { name: nameOf(argument), file: argument };
}

/** What the files of models and indexes end with. */
const ending = /\.(?:alt|amb|ambryindex|bin|fifu|ftz|gguf|safetensors|weights)$/i;

/** `models/chat.gguf`, `notes/chat.ambryindex` and `hf:owner/chat` are `chat`. */
function nameOf(file: string): string {
  const isUrl = /^https?:\/\//i.test(file);
  const path = isUrl ? new URL(file).pathname : file.replace(/^hf:/, '');
  const last = basename(path.replace(/@[^/]*$/, ''));
  return last.replace(ending, '') || file;
}
