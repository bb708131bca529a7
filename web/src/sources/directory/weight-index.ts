// The index of weights that lie in several files. Here it only says which files are needed; the core checks it.
import { weightForms } from './model-files.ts';
import { jsonIn } from './module-list.ts';

/** The files that an index names, each once. Nothing outside of the directory is among them. Undefined for a text that is
 *  no index. */
export function filesInIndex(index: Uint8Array): ReadonlySet<string> | undefined {
  const { weight_map: map } = (jsonIn(index) ?? {}) as { readonly weight_map?: unknown };
  if (typeof map !== 'object' || map === null || Array.isArray(map)) {
    return undefined;
  }
  return new Set(
    Object.values(map).filter(
      (name): name is string => typeof name === 'string' && isPlainName(name),
    ),
  );
}

/** Whether a name is that of a file, and neither a path nor a folder. */
function isPlainName(name: string): boolean {
  return /^[^/\\]+$/.test(name) && !/^\.+$/.test(name);
}

/** The name and the files of the index that decides which of these weights count. Undefined without one, and where one
 *  file has all weights. */
export function indexOf(
  names: readonly string[],
  fileOf: (name: string) => Uint8Array | undefined,
): { readonly name: string; readonly named: ReadonlySet<string> | undefined } | undefined {
  for (const { whole, index, shard } of weightForms) {
    const file = fileOf(index);
    if (names.includes(whole)) {
      return undefined;
    }
    if (file && (names.length === 0 || names.some((name) => shard.test(name)))) {
      return { name: index, named: filesInIndex(file) };
    }
  }
  return undefined;
}
