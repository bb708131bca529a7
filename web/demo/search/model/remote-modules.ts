// The dense modules of a sentence-transformers model at an address: each has a folder of its own.

/** The folders of the dense modules, as modules.json lists them. None if it is no list: the conversion says what is
 *  wrong with it. */
export async function denseFolders(modules: Blob): Promise<string[]> {
  const list = listIn(await modules.text());
  return list.flatMap((module) => {
    const { type, path } = (module ?? {}) as { readonly type?: unknown; readonly path?: unknown };
    const isDense = typeof type === 'string' && /(^|\.)Dense$/.test(type);
    return isDense && typeof path === 'string' && /^\d+_\w+\/?$/.test(path)
      ? [path.replace(/\/$/, '')]
      : [];
  });
}

function listIn(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
