// The languages of an index's passages: as they were stated, as the index file has them, or as they are detected once.
import { Yielder } from '../base/yielder.ts';
import type { Doc } from './base/types.ts';
import type { IndexState } from './index-state.ts';
import { languagesOf } from './words/detect-languages.ts';

/** The codes of the passages' languages, the most frequent first. They are detected anew when the passages have changed. */
export async function knownLanguages(
  state: IndexState,
  docs: readonly Doc[],
): Promise<readonly string[]> {
  const { languages } = state.header;
  if (languages) {
    return languages;
  }
  if (state.detected?.docs !== docs) {
    state.detected = { docs, codes: await languagesOf(docs, new Yielder(undefined)) };
  }
  return state.detected.codes;
}
