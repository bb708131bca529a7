// A shard of the words: neighbours in the order of their keys. A key is the language's code, a space and the stem. Keys
// that end with `*` stand for all words that begin so: they answer the first letters of a query from one shard. Keys with `=` in place of a language are names.
import { AmbryError } from 'ambry/terms';
import { ByteReader, ByteWriter } from './bytes.ts';
import { decodePostings, encodePostings, type Posting } from './postings.ts';

interface WordEntry {
  readonly key: string;
  /** How many parts have the word. It may be more than there are postings: a word that most parts have says little, so
   *  only the parts in which it counts most are listed. */
  readonly holders: number;
  /** The forms of the word, without accents, other than the stem: they say whether what was typed so far begins one. The first
   *  one is `noStem` if the stem itself is none. */
  readonly forms: readonly string[];
  readonly postings: readonly Posting[];
}

/** A word of a shard whose postings are decoded when they are needed. */
export interface StoredEntry extends Omit<WordEntry, 'postings'> {
  readonly encoded: Uint8Array;
}

/** Stands among the forms of a word such as `merge`, whose stem `merg` is no word. */
export const noStem = '-';

/** Whether a form of the word is written so. */
export const hasForm = ({ key, forms }: StoredEntry, word: string): boolean =>
  forms.includes(word) || (forms[0] !== noStem && key.slice(key.indexOf(' ') + 1) === word);

/** The file of the first keys: as JSON. */
export const encodeKeys = (keys: readonly string[]): Uint8Array =>
  new TextEncoder().encode(JSON.stringify(keys));

export function decodeKeys(bytes: Uint8Array, path: string): readonly string[] {
  const keys: unknown = JSON.parse(new TextDecoder().decode(bytes));
  const isSorted = (list: readonly unknown[]) =>
    list.every((key, i) => typeof key === 'string' && (i === 0 || key > (list[i - 1] as string)));
  if (Array.isArray(keys) && isSorted(keys)) {
    return keys;
  }
  throw new AmbryError('BadValue', `${path} has no sorted list of words.`, { path });
}

export const keyOf = (language: string, stem: string): string => `${language} ${stem}`;
/** Names are of no language. */
export const nameLanguage = '=';
export const nameEntryKey = (name: string): string => keyOf(nameLanguage, name);
/** The key for all words that begin so. */
export const prefixKeyOf = (language: string, prefix: string): string => `${language} ${prefix}*`;
/** For so many letters there are keys for prefixes. Words with more letters in common are few, and neighbours. */
export const prefixLengths = [1, 2, 3] as const;

export function encodeEntry(entry: WordEntry): StoredEntry {
  const { postings, ...rest } = entry;
  return { ...rest, encoded: encodePostings(postings) };
}

/** Keys are coded by what they have in common with the one before. */
export function encodeWordShard(entries: readonly StoredEntry[]): Uint8Array {
  const writer = new ByteWriter();
  const encoder = new TextEncoder();
  writer.integer(entries.length);
  let before = '';
  for (const { key, holders, forms, encoded } of entries) {
    const shared = commonLength(before, key);
    writer.integer(shared);
    writeText(writer, encoder.encode(key.slice(shared)));
    writer.integer(holders);
    writeText(writer, encoder.encode(forms.join(' ')));
    writeText(writer, encoded);
    before = key;
  }
  return writer.finish();
}

export function decodeWordShard(bytes: Uint8Array, path: string): StoredEntry[] {
  const reader = new ByteReader(bytes, path);
  const count = reader.integerUpTo(bytes.length);
  const entries: StoredEntry[] = [];
  let before = '';
  for (let i = 0; i < count; i++) {
    const key = before.slice(0, reader.integerUpTo(before.length)) + readText(reader, path);
    if (key <= before) {
      throw reader.bad(`The words are not in order at word ${i}.`);
    }
    const holders = reader.integer();
    const forms = readText(reader, path).split(' ').filter(Boolean);
    entries.push({ key, holders, forms, encoded: reader.bytes(reader.integer()) });
    before = key;
  }
  reader.expectEnd();
  return entries;
}

export function postingsIn({ encoded, key }: StoredEntry, partCount: number, path: string) {
  const reader = new ByteReader(encoded, `${path}, ${key}`);
  const postings = decodePostings(reader, partCount);
  reader.expectEnd();
  return postings;
}

function writeText(writer: ByteWriter, bytes: Uint8Array): void {
  writer.integer(bytes.length);
  writer.bytes(bytes);
}

function readText(reader: ByteReader, path: string): string {
  const bytes = reader.bytes(reader.integer());
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new AmbryError('BadValue', `${path} has a text that is not UTF-8.`, { path, cause });
  }
}

/** A surrogate pair is not divided. */
function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a.charCodeAt(length) === b.charCodeAt(length)) {
    length++;
  }
  const last = a.charCodeAt(length - 1);
  return last >= 0xd800 && last < 0xdc00 ? length - 1 : length;
}
