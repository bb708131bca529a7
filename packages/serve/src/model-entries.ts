// The models that the arguments of the command name.
import { namedFiles } from 'ambry-http';
import type { CommandHost } from './command-host.ts';
import type { ModelEntries, ModelEntry } from './service/models.ts';

/** Functions that open the models, by name. Rejects for a name that comes twice, and for files that are not there. */
export async function modelEntries(
  args: readonly string[],
  { openerOf, usageError }: Pick<CommandHost, 'openerOf' | 'usageError'>,
): Promise<ModelEntries> {
  const entries: [string, ModelEntry][] = [];
  for (const { name, file } of namedFiles(args, 'models', usageError)) {
    entries.push([name, await openerOf(file)]);
  }
  return Object.fromEntries(entries);
}
