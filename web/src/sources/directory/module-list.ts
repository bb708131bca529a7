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
  /** Without a slash at its end. Empty for the directory itself. */
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
    return [{ kind: type.replace(/^.*\./, ''), folder: path.replace(/\/$/, '') }];
  });
}

export const staticKind = 'StaticEmbedding';

/** The folders of all modules with weights that are not at the top of the directory. */
export function weightFolders(list: Uint8Array | undefined): string[] {
  return listedModules(list)
    .filter(({ kind, folder }) => kind === 'Dense' || (kind === staticKind && folder !== ''))
    .map(({ folder }) => folder);
}

/** The folders of the modules that have weights beside the main ones. */
export function denseFolders(list: Uint8Array | undefined): string[] {
  return listedModules(list)
    .filter(({ kind }) => kind === 'Dense')
    .map(({ folder }) => folder);
}
