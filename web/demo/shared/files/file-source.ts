// The file that a page runs: a chosen file, an address, or the built-in file.

import { withoutExtension } from './file-extension.ts';

export interface FileSource {
  readonly name: string;
  readonly builtIn: boolean;
  /** The page opens it again from here if the worker dies. */
  readonly source: string | URL | Blob | ReadonlyMap<string, File>;
}

/** The `extensions` are left out of the name that is shown. */
export function fileSource(file: File, extensions: readonly string[]): FileSource {
  return { source: file, name: withoutExtension(file.name, ...extensions), builtIn: false };
}

export function urlSource(url: string, extensions: readonly string[]): FileSource {
  const file = new URL(url).pathname.split('/').pop() || url;
  return { source: url, name: withoutExtension(file, ...extensions), builtIn: false };
}

/** A built-in model. Its address is relative to the page, so the site works in any folder of a server. */
export function builtInSource(file: string, extensions: readonly string[]): FileSource {
  const source = new URL(`../models/${file}`, document.baseURI);
  return { source, name: withoutExtension(file, ...extensions), builtIn: true };
}
