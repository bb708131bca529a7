// Options that are Ambry's own: `providerOptions: { ambry: { … } }`.
import { InvalidArgumentError, type SharedV4ProviderOptions } from '@ai-sdk/provider';

/** The options of this provider. Throws `InvalidArgumentError` for names that are not in the list. */
export function ownOptions<Name extends string>(
  options: SharedV4ProviderOptions | undefined,
  names: readonly Name[],
): { readonly [K in Name]?: never } {
  const own = options?.['ambry'] ?? {};
  const unknown = Object.keys(own).find((name) => !(names as readonly string[]).includes(name));
  if (unknown === undefined) {
    return own as { readonly [K in Name]?: never };
  }
  throw new InvalidArgumentError({
    argument: `providerOptions.ambry.${unknown}`,
    message: `There is no option ${unknown} here. The options are: ${names.join(', ')}.`,
  });
}

/** The names of `table` that `others` does not have. */
export function namesWithout<Table extends object, Others extends object>(
  table: Table,
  others: Others,
) {
  const names = Object.keys(table).filter((name) => !Object.hasOwn(others, name));
  return names as Exclude<keyof Table & string, keyof Others>[];
}
