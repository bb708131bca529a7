// Passages that share a heading and fields. A message to the caller has these once.
import type { Passage } from '../types.ts';

export interface PassageGroup {
  readonly passages: readonly PassageText[];
  readonly heading?: string;
  /** All fields of the record that the passages come from. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** True if positions are pages. */
  readonly isPaged?: boolean;
}

interface PassageText {
  readonly id: string | number;
  readonly text: string;
  readonly position: number;
}

/** Adds the passages of groups to a list. */
export function addPassages(
  list: Passage[],
  groups: readonly PassageGroup[],
  source: string,
): void {
  for (const { passages, fields, heading, isPaged } of groups) {
    for (const { id, text, position } of passages) {
      const own = { id, text, source, position };
      const passage: Passage = fields ? { ...fields, ...own } : own;
      if (heading === undefined && !isPaged) list.push(passage);
      else
        list.push({
          ...passage,
          ...(heading !== undefined && { heading }),
          ...(isPaged && { page: position }),
        });
    }
  }
}
