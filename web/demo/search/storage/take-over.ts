// What a tab does when the tab is closed that has saved its own documents: it goes on with the documents of both.

import { asWaiting } from '../documents/passage-queue.ts';
import type { DocumentSource, SearchState } from '../state/state.ts';
import type { WorkspaceContents } from './workspace-files.ts';

export interface Merged {
  readonly sources: readonly DocumentSource[];
  readonly builtInNotes: boolean;
  /** Whether the documents of this tab are replaced, because they were the built-in notes. */
  readonly replaceIndex: boolean;
}

/** Adds the saved documents that this tab has never had. Null if there are none. `seen` has the ids of the others: one of them
 *  that is gone here was removed. */
export function mergeSaved(
  { sources, builtInNotes }: Pick<SearchState, 'sources' | 'builtInNotes'>,
  saved: WorkspaceContents | null,
  seen: ReadonlySet<string>,
): Merged | null {
  const added =
    saved === null || saved.builtInNotes ? [] : saved.sources.filter(({ id }) => !seen.has(id));
  if (added.length === 0) {
    return null;
  }
  const before = builtInNotes ? [] : sources;
  return {
    sources: [...before, ...added.map(asWaiting)],
    builtInNotes: false,
    replaceIndex: builtInNotes,
  };
}
