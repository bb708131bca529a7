// Filters of a search, and counts of their values.
import { AmbryError } from 'ambry/terms';
import type { FacetCount, SearchOptions } from './base/types.ts';
import type { Snapshot } from './files/snapshot.ts';

/** The parts that pass each of the filters. */
export class PartFilter {
  readonly #allowed: ReadonlyMap<string, ReadonlySet<number>>;

  private constructor(allowed: ReadonlyMap<string, ReadonlySet<number>>) {
    this.#allowed = allowed;
  }

  /** Throws `NotFound` for a filter that the index does not have. A value that no page has finds nothing. */
  static async of(snapshot: Snapshot, filters: SearchOptions['filters'] = {}): Promise<PartFilter> {
    const allowed = new Map<string, ReadonlySet<number>>();
    for (const [name, stated] of Object.entries(filters)) {
      checkFilter(snapshot, name, `options.filters.${name}`);
      const values = await snapshot.filter(name);
      const wanted = typeof stated === 'string' ? [stated] : stated;
      allowed.set(name, new Set(wanted.flatMap((value) => values.get(value) ?? [])));
    }
    return new PartFilter(allowed);
  }

  /** Passes only what is among these parts, too. */
  within(parts: ReadonlySet<number>): PartFilter {
    return new PartFilter(new Map([...this.#allowed, ['', parts]]));
  }

  get isOpen(): boolean {
    return this.#allowed.size === 0;
  }

  /** `except` names a filter that is not looked at. */
  allows(part: number, except?: string): boolean {
    for (const [name, parts] of this.#allowed) {
      if (name !== except && !parts.has(part)) {
        return false;
      }
    }
    return true;
  }
}

/** For each value the pages that the search finds if the filter is set to it and the other filters stay. */
export async function facetCounts(
  snapshot: Snapshot,
  wanted: true | readonly string[],
  found: Iterable<number>,
  filter: PartFilter,
): Promise<Record<string, FacetCount[]>> {
  const table = await snapshot.table();
  const parts = [...found];
  const names = wanted === true ? Object.keys(snapshot.manifest.filters) : wanted;
  const facets: [string, FacetCount[]][] = [];
  for (const name of names) {
    checkFilter(snapshot, name, 'options.facets');
    const others = new Set(parts.filter((part) => filter.allows(part, name)));
    const counts: FacetCount[] = [];
    for (const [value, holders] of await snapshot.filter(name)) {
      const pages = new Set(
        holders.filter((part) => others.has(part)).map((part) => table.pageOf(part)),
      );
      if (pages.size > 0) {
        counts.push({ value, pages: pages.size });
      }
    }
    facets.push([name, counts.sort((a, b) => b.pages - a.pages || (a.value < b.value ? -1 : 1))]);
  }
  return Object.fromEntries(facets);
}

function checkFilter({ manifest }: Snapshot, name: string, path: string): void {
  if (Object.hasOwn(manifest.filters, name)) {
    return;
  }
  const known = Object.keys(manifest.filters).join(', ');
  throw new AmbryError('NotFound', `The index has no filter "${name}". It has: ${known}.`, {
    path,
  });
}
