// Passages of an index as tools return them.
import type { Doc } from 'ambry';
import { shortName } from '../results/shorten.ts';

export interface ShownPassage {
  readonly id: string | number;
  readonly text: string;
  readonly [field: string]: unknown;
}

const mostFields = 12;

/** What a passage says of its place: `source`, `page`, `heading` and any other short field. */
export function fieldsOf(doc: Doc): Readonly<Record<string, string | number | boolean>> {
  const fields: Record<string, string | number | boolean> = {};
  for (const [name, value] of Object.entries(doc).slice(0, mostFields + 2)) {
    const isOwn = name === 'id' || name === 'text' || reserved.has(name);
    if (isOwn) {
      continue;
    }
    if (typeof value === 'string') {
      fields[shortName(name)] = shortName(value);
    } else if (typeof value === 'boolean' || Number.isFinite(value)) {
      fields[shortName(name)] = value as number | boolean;
    }
  }
  return fields;
}

/** Members of results that a passage's own fields do not replace. */
const reserved = new Set(['score', 'terms', 'cut', 'characters', 'nextFrom']);

/** An id as it is shown. A long or hidden one is found by this form, too. */
export function shownId(id: string | number): string | number {
  return typeof id === 'string' ? shortName(id) : id;
}
