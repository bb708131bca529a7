// Updates an index to the present state of its documents. Unchanged passages keep their vectors.

import type { Passage } from '../../entries/passages/passages.ts';
import type { Doc, JobOptions } from '../../entries/types.ts';
import type { SearchIndex } from '../../index.ts';

export interface IndexUpdate {
  readonly kept: number;
  readonly removed: number;
  readonly added: number;
}

/** A passage is unchanged if its text and all its other fields are. */
export async function updateIndex(
  index: SearchIndex,
  passages: readonly Passage[],
  options: JobOptions,
): Promise<IndexUpdate> {
  const passagesByJson = new Map<string, Passage[]>();
  for (const passage of passages) {
    const same = passagesByJson.get(JSON.stringify(passage));
    if (same) {
      same.push(passage);
    } else {
      passagesByJson.set(JSON.stringify(passage), [passage]);
    }
  }
  const kept = new Set<Passage>();
  const outdated = new Set<Doc>();
  for (const doc of index.docs) {
    const passage = passagesByJson.get(JSON.stringify(doc))?.shift();
    if (passage) {
      kept.add(passage);
    } else {
      outdated.add(doc);
    }
  }
  const added = passages.filter((passage) => !kept.has(passage));
  // An abort before this line leaves the index as it was.
  await index.add(added, options);
  const removed = await index.remove((doc) => outdated.has(doc));
  return { kept: kept.size, removed, added: added.length };
}
