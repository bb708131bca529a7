// Divides the words into shards of about the same size.
import type { WordsInfo } from '../shared/manifest.ts';
import { encodeKeys, encodeWordShard, type StoredEntry } from '../shared/word-shard.ts';
import { type IndexWriter, packed } from './index-writer.ts';
import type { NameIndex } from './name-index.ts';
import type { WordIndex } from './word-index.ts';

/** Bytes before they are packed. A frequent word may take more, and is then alone. */
const shardBytes = 3 * 1024;

export async function writeWordShards(
  words: WordIndex,
  names: NameIndex,
  writer: IndexWriter,
): Promise<WordsInfo> {
  const { parts, common } = words;
  const sorted = [...names.entries(), ...words.entries()].sort((a, b) => (a.key < b.key ? -1 : 1));
  const first: string[] = [];
  const files: Uint8Array[] = [];
  for (const shard of shardsOf(sorted)) {
    first.push(shard[0]?.key ?? '');
    files.push(await packed(encodeWordShard(shard)));
  }
  const keys = await writer.addPacked('table', encodeKeys(first));
  return { set: await writer.addSet('words', files), keys, parts, common };
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
