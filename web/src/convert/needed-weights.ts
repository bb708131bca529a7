// Which of a directory's files a conversion reads, by the small files that say so.
import { AmbryError } from '../base/errors.ts';
import type { Problem } from '../base/problem.ts';
import { adapterError } from '../sources/directory/adapter.ts';
import {
  adapterConfig,
  isTokenLinear,
  type SideFile,
  sparseLinear,
  tokenLinears,
} from '../sources/directory/model-files.ts';
import { denseFolders } from '../sources/directory/module-list.ts';
import { isIrrelevant } from '../sources/directory/other-files.ts';
import { indexOf } from '../sources/directory/weight-index.ts';
import type { KeptHead } from './convert-types.ts';

/** Without the weights of modules that modules.json does not list, of which some models have several to choose from, and
 *  without files that the index does not name, such as Mistral's `consolidated.safetensors`. `head` is the one that is asked for. */
export function neededWeights<W extends { readonly name: string }>(
  weights: readonly W[],
  files: ReadonlyMap<string, Uint8Array>,
  head?: string,
): readonly W[] {
  const main = weights.filter(({ name }) => !name.includes('/') && !isTokenLinear(name));
  const folders = denseFolders(
    files.get('modules.json' satisfies SideFile),
    files.get('router_config.json' satisfies SideFile),
  );
  const ofModules = weights.filter(({ name }) =>
    folders.some((folder) => name.startsWith(`${folder}/`)),
  );
  const linears = linearsFor(head, weights);
  const ofTokens = weights.filter(({ name }) => linears.includes(name));
  const ofAdapters = weights.filter(({ name }) => isOfAdapter(name));
  return [...ofIndex(main, files), ...ofModules, ...ofTokens, ...ofAdapters];
}

/** Whether a file is of an adapter that is merged (adapter-parts.ts). */
export function isOfAdapter(name: string): boolean {
  return name.startsWith('adapter[');
}

/** A sparse encoder needs one of the two, and a sentence encoder takes both or none. */
function linearsFor(
  head: string | undefined,
  weights: readonly { readonly name: string }[],
): readonly string[] {
  if (head === ('sparseEncoder' satisfies KeptHead)) {
    return [sparseLinear];
  }
  const areThere = tokenLinears.every((linear) => weights.some(({ name }) => name === linear));
  return head === undefined && areThere ? tokenLinears : [];
}

/** Where no file is left, the core says what is wrong with the index. */
function ofIndex<W extends { readonly name: string }>(
  main: readonly W[],
  files: ReadonlyMap<string, Uint8Array>,
): readonly W[] {
  const names = main.map(({ name }) => name);
  const adapter = files.get(adapterConfig);
  if (adapter && main.length === 0) {
    throw adapterError(adapter);
  }
  const index = indexOf(names, (name) => files.get(name));
  if (!index) {
    return main;
  }
  const named = main.filter(({ name }) => index.named?.has(name));
  if (named.length > 0) {
    return named;
  }
  if (main.length > 0) {
    return main;
  }
  const [first] = index.named ?? [];
  const message =
    first === undefined
      ? `${index.name} names no weight file; download it again.`
      : `The weight file ${first} is missing; ${index.name} names it.`;
  throw new AmbryError('NotFound', message, { path: first ?? index.name });
}

const mostNamed = 20;

/** The warning that names the files of the directory that are not read. None if there are none. */
export function unreadWarning(
  unread: readonly string[],
  weights: readonly { readonly name: string }[],
  needed: readonly { readonly name: string }[],
): Problem[] {
  const left = weights.filter((file) => !needed.includes(file)).map(({ name }) => name);
  const names = [...unread, ...left].filter((name) => !isIrrelevant(name));
  const [path] = names;
  if (path === undefined) {
    return [];
  }
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '';
  const message = `These files of the directory are not read: ${names.slice(0, mostNamed).join(', ')}${more}.`;
  return [{ code: 'Unsupported', path, message }];
}
