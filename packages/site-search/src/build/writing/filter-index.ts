// The values of each filter with the parts of pages that have them. Every page has the filter `lang`.
import type { PartText } from '../../shared/part-text.ts';
import type { IndexWriter } from './index-writer.ts';

export class FilterIndex {
  readonly #filters = new Map<string, Map<string, number[]>>();

  add(part: number, { filters, language }: PartText): void {
    for (const [name, values] of Object.entries({ lang: [language], ...filters })) {
      const known = this.#filters.get(name) ?? new Map<string, number[]>();
      this.#filters.set(name, known);
      for (const value of values) {
        const parts = known.get(value);
        if (parts) {
          parts.push(part);
        } else {
          known.set(value, [part]);
        }
      }
    }
  }

  /** Writes a file for each filter. Returns their names. */
  async write(writer: IndexWriter): Promise<Record<string, string>> {
    const files: [name: string, file: string][] = [];
    for (const [name, values] of sorted(this.#filters)) {
      const lists = sorted(values).map(([value, parts]) => [value, gaps(parts)]);
      const json = new TextEncoder().encode(JSON.stringify(lists));
      files.push([name, await writer.addPacked('table', json)]);
    }
    return Object.fromEntries(files);
  }
}

function sorted<T>(map: ReadonlyMap<string, T>): [string, T][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** How far each number is from the one before: small numbers, which pack well. */
function gaps(parts: readonly number[]): number[] {
  return parts.map((part, i) => part - (parts[i - 1] ?? 0));
}
