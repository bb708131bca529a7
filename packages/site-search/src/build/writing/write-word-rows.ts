// Writes the vectors of words: those of the site, and others that readers may type.
import type { Encoder } from 'ambry/encoder';
import type { ChunkSet } from '../../shared/chunks.ts';
import { encodeWordRows, type WordRow } from '../../shared/word-rows.ts';
import { englishWords } from '../related/english-words.ts';
import { wordVectors } from '../related/word-vectors.ts';
import { type IndexWriter, packed } from './index-writer.ts';
import type { WordIndex } from './word-index.ts';
import { between } from './word-shards.ts';

/** The most words of a site: the most frequent ones. */
const mostOfSite = 65_536;
/** Bytes of a chunk, about. A search reads one for each of its words. */
const chunkBytes = 640;

export async function writeWordRows(
  encoder: Encoder,
  words: WordIndex,
  dim: number,
  writer: IndexWriter,
  pause: () => Promise<void>,
): Promise<ChunkSet> {
  const all = new Set(words.frequentForms(mostOfSite));
  if ('en' in words.parts) {
    for (const word of await englishWords()) {
      all.add(word);
    }
  }
  const rows = await wordVectors([...all].sort(), encoder, dim, pause);
  const chunks = [...chunksOf(rows, Math.ceil(dim / 8))];
  const keys = chunks.map((chunk, i) => between(chunks[i - 1]?.at(-1)?.word, chunk[0]?.word ?? ''));
  return writer.addChunks(
    'related',
    chunks.map((chunk) => packed(encodeWordRows(chunk))),
    { keys },
  );
}

function* chunksOf(rows: readonly WordRow[], signBytes: number): Generator<WordRow[]> {
  // About four bytes of a word are its own letters and its size.
  const count = Math.max(1, Math.floor(chunkBytes / (signBytes + 4)));
  for (let at = 0; at < rows.length; at += count) {
    yield rows.slice(at, at + count);
  }
}
