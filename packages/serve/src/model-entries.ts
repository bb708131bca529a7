// The models that the arguments of the command name.
import { basename } from 'node:path';
import type { CommandHost } from './command-host.ts';
import type { ModelEntries, ModelEntry } from './service/models.ts';

/** Functions that open the models, by name. Rejects for a name that comes twice, and for files that are not there. */
export async function modelEntries(
  args: readonly string[],
  { openerOf, usageError }: Pick<CommandHost, 'openerOf' | 'usageError'>,
): Promise<ModelEntries> {
  const entries = new Map<string, ModelEntry>();
  for (const argument of args) {
    const { name, file } = namedModel(argument);
    if (entries.has(name)) {
      throw usageError(`Two models have the name ${name}. Write one of them as NAME=${file}.`);
    }
    entries.set(name, await openerOf(file));
  }
  return Object.fromEntries(entries);
}

/** Reads `NAME=FILE`, or a file that gives the name. A path may have an equals sign, too, but not before its first
 *  slash. */
export function namedModel(argument: string): { readonly name: string; readonly file: string } {
  const [, name, file] = /^([^/\\:=]+)=(.+)$/s.exec(argument) ?? [];
  if (name !== undefined && file !== undefined) {
    return { name, file };
  }
  return { name: nameOf(argument), file: argument };
}

/** `models/chat.gguf` and `hf:owner/chat` are `chat`. */
function nameOf(file: string): string {
  const isUrl = /^https?:\/\//i.test(file);
  const path = isUrl ? new URL(file).pathname : file.replace(/^hf:/, '');
  const last = basename(path.replace(/@[^/]*$/, ''));
  return last.replace(/\.(?:amb|alt|gguf|weights|safetensors|bin|fifu|ftz)$/i, '') || file;
}
