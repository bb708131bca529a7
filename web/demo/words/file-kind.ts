// What a file that comes to the page is for, by its first bytes.

/** Questions begin with the name of a section; finalfusion opens as it is; the rest is converted first. */
export type Kind = 'questions' | 'finalfusion' | 'other';

const kEnough = 256;

export async function kindOf(file: Blob): Promise<Kind> {
  const bytes = new Uint8Array(await file.slice(0, kEnough).arrayBuffer());
  const head = new TextDecoder('latin1').decode(bytes);
  if (head.startsWith('FiFu')) {
    return 'finalfusion';
  }
  // GloVe has a vector of its own for the colon.
  return /^\s*:\s*[^\s\d.-]/.test(head) ? 'questions' : 'other';
}
