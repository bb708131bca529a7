// An index brought up to what its documents are now: passages that are as they were keep their vectors.
import type { SearchIndex } from '../../index.ts';
import type { Passage } from '../../passages/passages.ts';
import type { Doc, JobOptions } from '../../types.ts';

export interface Update {
  readonly kept: number;
  readonly removed: number;
  readonly added: number;
}

/** Passages are the same if all is the same that the index says of them, not the text alone. */
export async function updateIndex(
  index: SearchIndex,
  passages: readonly Passage[],
  options: JobOptions,
): Promise<Update> {
  const wanted = new Map<string, Passage[]>();
  for (const passage of passages) {
    const same = wanted.get(JSON.stringify(passage));
    if (same) same.push(passage);
    else wanted.set(JSON.stringify(passage), [passage]);
  }
  const there = new Set<Passage>();
  const gone = new Set<Doc>();
  for (const doc of index.docs) {
    const passage = wanted.get(JSON.stringify(doc))?.shift();
    if (passage) there.add(passage);
    else gone.add(doc);
  }
  const added = passages.filter((passage) => !there.has(passage));
  // An abort before this leaves the index as it was.
  await index.add(added, options);
  const removed = await index.remove((doc) => gone.has(doc));
  return { kept: there.size, removed, added: added.length };
}
