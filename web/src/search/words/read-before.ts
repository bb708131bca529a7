// Words of passages that were read before, in the languages that were detected: an index of passages that `createWordIndex` has indexed
// does not read them again.
import type { Doc } from '../base/types.ts';
import type { PassageWords } from './passage-words.ts';

interface Read {
  readonly docs: readonly Doc[];
  readonly texts: readonly string[];
  readonly words: PassageWords;
}

/** By the first passage. */
const known = new WeakMap<Doc, Read>();

/** `words` has those of these passages, and is never updated. */
export function rememberWords(docs: readonly Doc[], words: PassageWords): void {
  const [first] = docs;
  if (first !== undefined) {
    known.set(first, { docs: [...docs], texts: docs.map(({ text }) => text), words });
  }
}

/** The words of exactly these passages, if they are known. */
export function wordsReadBefore(docs: readonly Doc[]): PassageWords | undefined {
  const read = docs[0] && known.get(docs[0]);
  const isSame =
    read?.docs.length === docs.length &&
    docs.every((doc, i) => doc === read.docs[i] && doc.text === read.texts[i]);
  return isSame ? read.words : undefined;
}
