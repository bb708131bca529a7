// The fields of a page that open files: the buttons that choose them, and the form for an address.

import { byId, onFilesChosen } from '../dom/dom.ts';
import { mountAddressForm } from './address-form.ts';
import { type GivenFiles, pickedFiles } from './given-files.ts';

/** The part of a page's session that opens files. */
export interface FileOpener {
  receive(given: GivenFiles): Promise<void>;
  openUrl(url: string): Promise<void>;
}

/** `inputs` are the ids of the buttons. */
export function mountOpenFile(session: FileOpener, inputs: readonly string[] = ['files']): void {
  for (const id of inputs) {
    onFilesChosen(byId(id, HTMLInputElement), (files) => void session.receive(pickedFiles(files)));
  }
  mountAddressForm('url-form', 'url', (address) => void session.openUrl(address));
}
