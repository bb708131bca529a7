// Where the one file that a page runs comes from, before it is open.

import { byId, onFilesChosen } from './dom.ts';
import { type FileHaul, pickedFiles } from './given-files.ts';

export interface FileSource {
  readonly name: string;
  readonly builtIn: boolean;
  /** From here it can be opened again, should its worker die. */
  readonly source: string | URL | Blob;
}

/** `ending` is what the name is shown without. */
export function fileSource(file: File, ending: RegExp): FileSource {
  return { source: file, name: file.name.replace(ending, ''), builtIn: false };
}

export function urlSource(url: string, ending: RegExp): FileSource {
  const file = new URL(url).pathname.split('/').pop() || url;
  return { source: url, name: file.replace(ending, ''), builtIn: false };
}

/** Of the built-in models; relative to the page, so that the site may live in any folder of a server. */
export function builtInSource(file: string, ending: RegExp): FileSource {
  const source = new URL(`../models/${file}`, document.baseURI);
  return { source, name: file.replace(ending, ''), builtIn: true };
}

/** What takes files. */
export interface Receiver {
  receive(haul: FileHaul): Promise<void>;
  openUrl(url: string): Promise<void>;
  openBuiltIn(): Promise<void>;
}

/** The picker, the address and the way back, as every page has them that runs one file. */
export function mountWaysIn(session: Receiver): void {
  onFilesChosen(byId('files', HTMLInputElement), (files) => {
    void session.receive(pickedFiles(files));
  });
  byId('url-form', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    void session.openUrl(byId('url', HTMLInputElement).value);
  });
  byId('built-in', HTMLButtonElement).addEventListener('click', () => void session.openBuiltIn());
}
