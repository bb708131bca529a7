// Tells whether an address is that of a file or of a Hugging Face folder.

import type { WeightsFile } from 'ambry/tables';
import { fileNameOf } from '../../shared/files/file-names.ts';

const hubHost = 'huggingface.co';
export const weightsName = 'model.safetensors' satisfies WeightsFile;

export interface RemoteDirectory {
  readonly name: string;
  /** Ends with a slash. */
  readonly root: string;
  readonly weights: string;
  /** The address may also be that of a file. */
  readonly ambiguous: boolean;
}

/** The folder at an address, or around the weights at an address. Null for the address of any other file. */
export function directoryAt(address: string): RemoteDirectory | null {
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return null;
  }
  toFileUrl(url);
  const file = /[^/]*$/.exec(url.pathname)?.[0] ?? '';
  const isWeights = /\.safetensors$/i.test(file);
  if (!isWeights && /\.[a-z]\w*$/i.test(file)) {
    return null;
  }
  if (!isWeights && file !== '') {
    url.pathname += '/';
  }
  const inside = (name: string): string => {
    const made = new URL(name, url);
    made.search = url.search;
    return made.href;
  };
  const root = inside('.');
  return {
    name: fileNameOf(root),
    root,
    weights: isWeights ? url.href : inside(weightsName),
    ambiguous: !isWeights && file !== '' && url.host !== hubHost,
  };
}

/** People copy the address of a page on the hub. This turns it into the address of the files. */
function toFileUrl(url: URL): void {
  if (url.host !== hubHost) {
    return;
  }
  const [owner, model, view, revision = 'main', ...path] = url.pathname.split('/').filter(Boolean);
  if (owner !== undefined && model !== undefined && view !== 'resolve') {
    url.pathname = ['', owner, model, 'resolve', revision, ...path].join('/');
    url.pathname += /\.safetensors$/i.test(url.pathname) ? '' : '/';
  }
}
