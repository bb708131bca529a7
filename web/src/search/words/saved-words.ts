// The words of the passages as an index file has them, so that the first search need not read all texts. Whatever does not fit the
// passages is not taken: the words are then read from the texts.
import type { LanguageWords } from './language-words.ts';
import type { TableEntry, WordTable } from './word-table.ts';

/** The words of the passages in one language. Numbers are written to the base 36. */
export interface SavedLanguage {
  readonly code: string;
  /** For each passage of the language the distance from the one before, and how many words it has. */
  readonly lengths: string;
  /** A line for each stem: its other forms, and after a tab the distances of its passages, with `*` and twice the count where
   *  that is not once. */
  readonly words: string;
}

export type SavedWords = readonly SavedLanguage[];

const base = 36;
const inBase = (number: number): string => number.toString(base);

/** `placeOf` gives the place of a passage in the file by its number in the table. */
export function savedLanguage(
  code: string,
  { lengths, entries }: WordTable,
  placeOf: ReadonlyMap<number, number>,
): SavedLanguage {
  const sorted = [...lengths]
    .map(([id, length]) => [placeOf.get(id) as number, length] as const)
    .sort(([a], [b]) => a - b);
  const lines = [...entries].map(([stem, { forms, ids, counts }]) => {
    const others = [...forms].filter((form) => form !== stem);
    const isOwn = others.length < forms.size;
    const places = ids
      .map((id, i) => [placeOf.get(id) as number, counts[i] as number] as const)
      .sort(([a], [b]) => a - b);
    const told = distances(places, (count) => (count === 1 ? '' : `*${inBase(2 * count)}`));
    return `${[stem, ...(isOwn ? [] : ['']), ...others].join(' ')}\t${told}`;
  });
  return {
    code,
    lengths: distances(sorted, (length) => `*${inBase(length)}`),
    words: lines.join('\n'),
  };
}

function distances(
  places: readonly (readonly [number, number])[],
  tell: (number: number) => string,
): string {
  let before = 0;
  const told = places.map(([place, number]) => {
    const distance = place - before;
    before = place;
    return inBase(distance) + tell(number);
  });
  return told.join(' ');
}

/** Fills an empty table. Returns whether all of it fits `size` passages. */
export function restoreLanguage(
  { lengths, words }: SavedLanguage,
  { table }: LanguageWords,
  size: number,
): boolean {
  const own = readDistances(lengths, size, 0);
  const entries = new Map<string, TableEntry>();
  const present = new Set(own?.map(([place]) => place));
  for (const line of words === '' ? [] : words.split('\n')) {
    const [names = '', told = ''] = line.split('\t');
    const [stem = '', ...forms] = names.split(' ');
    const places = readDistances(told, size, 1);
    if (stem === '' || !places?.every(([place]) => present.has(place))) {
      return false;
    }
    entries.set(stem, {
      forms: new Set(forms[0] === '' ? forms.slice(1) : [stem, ...forms]),
      ids: places.map(([place]) => place),
      counts: places.map(([, count]) => count),
    });
  }
  if (own) {
    table.restore(own, entries);
  }
  return own !== undefined;
}

/** Undefined unless the places grow and are below `size`. */
function readDistances(
  told: string,
  size: number,
  absent: number,
): (readonly [number, number])[] | undefined {
  let place = 0;
  const found: (readonly [number, number])[] = [];
  for (const one of told === '' ? [] : told.split(' ')) {
    const [distance = '', number] = one.split('*');
    const step = Number.parseInt(distance, base);
    place += step;
    const isNext = found.length === 0 ? step >= 0 : step > 0;
    const given = number === undefined ? absent : Number.parseInt(number, base);
    if (!(isNext && place < size && given >= 0)) {
      return undefined;
    }
    found.push([place, number !== undefined && absent === 1 ? given / 2 : given]);
  }
  return found;
}
