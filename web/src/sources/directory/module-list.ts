// The modules of a sentence-transformers model. Here modules.json only says which files are needed; the core checks it.

/** Undefined for a text that is no JSON. The core says what is wrong with it. */
export function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

interface ListedModule {
  /** The last part of its type, such as `Dense`. */
  readonly kind: string;
  /** Without a slash at its end. Empty for the directory itself, and for a place outside of it. */
  readonly folder: string;
}

/** What modules.json lists. Nothing without the file. */
export function listedModules(list: Uint8Array | undefined): ListedModule[] {
  const modules = list && jsonIn(list);
  if (!Array.isArray(modules)) {
    return [];
  }
  return modules.flatMap((module: unknown) => {
    const { type, path } = (module ?? {}) as { readonly type?: unknown; readonly path?: unknown };
    if (typeof type !== 'string' || typeof path !== 'string') {
      return [];
    }
    return [{ kind: type.replace(/^.*\./, ''), folder: folderIn(path) }];
  });
}

function folderIn(path: string): string {
  const folder = path.replace(/\/$/, '');
  const isInside = folder.split('/').every((part) => /^[^\\]+$/.test(part) && !/^\.+$/.test(part));
  return isInside ? folder : '';
}

/** Far more than a list of modules has. */
export const mostListBytes = 1 << 20;

export const staticKind = 'StaticEmbedding';

/** Where the first module lies, which is the model itself. Empty for the directory itself. `router` is the router_config.json,
 *  which says it where the first module is a router. */
export function firstFolder(list: Uint8Array | undefined, router?: Uint8Array): string {
  const routed = routedModules(router).find(({ kind }) => kind === 'MLMTransformer');
  return routed?.folder ?? listedModules(list)[0]?.folder ?? '';
}

/** The folders of all modules that have one. */
export function moduleFolders(list: Uint8Array | undefined): string[] {
  return listedModules(list).flatMap(({ folder }) => (folder === '' ? [] : [folder]));
}

/** Whether the list has one module, whose own file says which modules there are. */
export function isRouted(list: Uint8Array | undefined): boolean {
  return listedModules(list)[0]?.kind === 'Router';
}

/** The modules that a router_config.json names. */
export function routedModules(router: Uint8Array | undefined): ListedModule[] {
  const { types } = ((router && jsonIn(router)) ?? {}) as { readonly types?: unknown };
  return Object.entries((types ?? {}) as object).map(([id, type]) => ({
    kind: String(type).replace(/^.*\./, ''),
    folder: folderIn(id),
  }));
}

/** Fixed weights for the words of queries. */
export const staticQueries = 'SparseStaticEmbedding';
const withWeights = ['Dense', staticQueries];

/** The folders of the modules that have weights beside the main ones. `router` is the router_config.json. */
export function denseFolders(list: Uint8Array | undefined, router?: Uint8Array): string[] {
  const modules = isRouted(list) ? routedModules(router) : listedModules(list);
  return modules.flatMap(({ kind, folder }) =>
    withWeights.includes(kind) && folder !== '' ? [folder] : [],
  );
}
