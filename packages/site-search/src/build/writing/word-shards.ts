// Divides the words into shards of about the same size.
import type { ChunkSet } from '../../shared/chunks.ts';
import { encodeWordShard, type StoredEntry } from '../../shared/word-shard.ts';
import { type IndexWriter, packed } from './index-writer.ts';
import type { NameIndex } from './name-index.ts';
import type { WordIndex } from './word-index.ts';

/** Bytes before they are packed. A frequent word may take more, and is then alone. */
const shardBytes = 3 * 1024;

export async function writeWordShards(
  words: WordIndex,
  names: NameIndex,
  writer: IndexWriter,
): Promise<ChunkSet> {
  const sorted = [...names.entries(), ...words.entries()].sort((a, b) => (a.key < b.key ? -1 : 1));
  const shards = [...shardsOf(sorted)];
  const keys = shards.map((shard, i) => between(shards[i - 1]?.at(-1)?.key, shard[0]?.key ?? ''));
  const chunks = shards.map((shard) => packed(encodeWordShard(shard)));
  return writer.addChunks('words', chunks, { keys });
}

/** The shortest begin of `key` that is above `before`. A shard is found by it, too, and it takes fewer bytes. */
export function between(before: string | undefined, key: string): string {
  if (before === undefined) {
    return key;
  }
  const letters = [...key];
  for (let length = 1; length < letters.length; length++) {
    const begin = letters.slice(0, length).join('');
    if (begin > before) {
      return begin;
    }
  }
  return key;
}

function* shardsOf(entries: readonly StoredEntry[]): Generator<StoredEntry[]> {
  let shard: StoredEntry[] = [];
  let bytes = 0;
  for (const entry of entries) {
    const size = entry.encoded.length + entry.key.length + 4;
    if (shard.length > 0 && bytes + size > shardBytes) {
      yield shard;
      shard = [];
      bytes = 0;
    }
    shard.push(entry);
    bytes += size;
  }
  if (shard.length > 0) {
    yield shard;
  }
}
