// Helpers of the tests in this folder.
import 'ambry-pdf';
import {
  type DocumentOptions,
  type DocumentRead,
  type Passage,
  readDocument,
} from '../../../web/src/entries/passages/passages.ts';

export function read(
  path: string,
  content: string | Uint8Array,
  options?: DocumentOptions,
): Promise<DocumentRead> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return readDocument(path, bytes, options);
}

export async function passagesOf(
  path: string,
  content: string | Uint8Array,
  options?: DocumentOptions,
): Promise<Passage[]> {
  return (await read(path, content, options)).passages;
}

/** A tokenizer that counts words. */
export const countWords = async (texts: readonly string[]): Promise<number[]> =>
  texts.map((text) => text.match(/\S+/g)?.length ?? 0);

/** The text without white space, to check that nothing is lost. */
export const bare = (text: string): string => text.replace(/\s+/g, '');
