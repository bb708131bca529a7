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

/** Where the first module lies, which is the model itself. Empty for the directory itself. */
export function firstFolder(list: Uint8Array | undefined): string {
  return listedModules(list)[0]?.folder ?? '';
}

/** The folders of all modules that have one. */
export function moduleFolders(list: Uint8Array | undefined): string[] {
  return listedModules(list).flatMap(({ folder }) => (folder === '' ? [] : [folder]));
}

/** The folders of the modules that have weights beside the main ones. */
export function denseFolders(list: Uint8Array | undefined): string[] {
  return listedModules(list).flatMap(({ kind, folder }) =>
    kind === 'Dense' && folder !== '' ? [folder] : [],
  );
}
