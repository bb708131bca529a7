// Tells the kind of a file by its first bytes.

import type { modelMagics } from 'ambry/tables';

/** `other` files are converted before they are opened. */
export type FileKind = 'questions' | 'finalfusion' | 'other';

type WordsMagic = Extract<(typeof modelMagics)[number], readonly [string, 'words']>[0];

const magic = 'FiFu' satisfies WordsMagic;
const headBytes = 256;

export async function kindOf(file: Blob): Promise<FileKind> {
  const bytes = new Uint8Array(await file.slice(0, headBytes).arrayBuffer());
  const head = new TextDecoder('latin1').decode(bytes);
  if (head.startsWith(magic)) {
    return 'finalfusion';
  }
  // Questions begin with a colon and the name of a section. In a GloVe file, the colon is a word, and a number follows it.
  return /^\s*:\s*[^\s\d.-]/.test(head) ? 'questions' : 'other';
}
