// The files of a directory whose modules may lie in folders with other names than the usual ones: modules.json names them.
import type { JobOptions } from '../../rpc/types.ts';
import type { FetchOptions, ModelDirectory, ModelSource } from '../base/types.ts';
import type { HubAccess } from '../base/wire.ts';
import { type DirectoryParts, directoryParts, namedIn } from './directory.ts';
import type { SideFile } from './model-files.ts';
import { mostListBytes } from './module-list.ts';

const modules = 'modules.json' satisfies SideFile;

export async function directoryPartsOf(
  directory: ModelDirectory,
  options: JobOptions & FetchOptions,
): Promise<DirectoryParts> {
  const usual = directoryParts(directory);
  const file = namedIn(directory).get(modules);
  if (file === undefined) {
    return usual;
  }
  const list = (await heldBytes(file)) ?? (usual.missing && (await fetched(file, options)));
  return list ? directoryParts(directory, list) : usual;
}

/** The bytes of a file that needs no request. */
async function heldBytes(file: ModelSource): Promise<Uint8Array | undefined> {
  if (file instanceof Uint8Array) {
    return file;
  }
  if (file instanceof Blob && file.size <= mostListBytes) {
    return new Uint8Array(await file.arrayBuffer());
  }
  return file instanceof ArrayBuffer ? new Uint8Array(file) : undefined;
}

/** Only where the weights are not in the usual places is an address asked twice, here and by the worker. */
async function fetched(
  file: ModelSource,
  options: JobOptions & FetchOptions,
): Promise<Uint8Array | undefined> {
  if (!(file instanceof URL)) {
    return undefined;
  }
  const { hub } = file as { readonly hub?: HubAccess };
  const { smallFile } = await import('../http/small-file.ts');
  return smallFile({ name: modules, url: file.href, hub }, mostListBytes, options);
}
