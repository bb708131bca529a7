// Collects the names of pages and sections, so that a query that is one of them finds it first.
import { nameKey, wordsInside, wordsOfName } from '../../shared/names.ts';
import { bm25, type Posting } from '../../shared/postings.ts';
import { joinedTerms } from '../../shared/terms.ts';
import { encodeEntry, nameEntryKey, type StoredEntry } from '../../shared/word-shard.ts';
import { type PageNames, withoutNumber } from './page-names.ts';

/** How much the kinds of names count, as impacts of postings. */
const impacts = { title: bm25.k + 1.5, file: bm25.k + 1, heading: bm25.k, piece: 0.5 } as const;
/** A heading that more pages have, such as "Examples", names none of them. */
const mostPagesOfHeading = 3;

/** Nothing is inside of such a word. */
const plainWord = /^[A-Z]?[a-z]*$/;

interface Named {
  readonly part: number;
  readonly page: number;
  readonly impact: number;
}

export class NameIndex {
  readonly #named = new Map<string, Named[]>();
  readonly #pages: PageNames[] = [];

  /** `part` is the first part of the page. Pages are numbered in the order in which they are added. */
  addPage(names: Omit<PageNames, 'part'>, part: number): void {
    this.#pages.push({ ...names, part });
  }

  addHeading(heading: string, part: number): void {
    for (const name of new Set([heading, withoutNumber(heading)])) {
      this.#add(wordsOfName(name), { part, page: this.#pages.length, impact: impacts.heading });
    }
    this.#addPieces(heading, part, this.#pages.length);
  }

  /** A name such as `os.popen`, and its last piece. */
  addSymbol(symbol: string, part: number): void {
    const place = { part, page: this.#pages.length };
    const pieces = symbol.split(/\.|::/);
    this.#add(wordsOfName(symbol), { ...place, impact: impacts.heading });
    for (const end of [pieces.slice(-1), pieces.slice(-2)]) {
      this.#add(wordsOfName(end.join('.')), { ...place, impact: impacts.piece });
    }
  }

  /** In the order of their keys. */
  entries(): StoredEntry[] {
    const prefixes = sitePrefixes(this.#pages);
    this.#pages.forEach(({ titles, file, part }, page) => {
      for (const title of titles) {
        this.#addWithout(prefixes, wordsOfName(title), { part, page, impact: impacts.title });
        this.#addPieces(title, part, page);
      }
      this.#addWithout(prefixes, wordsOfName(file), { part, page, impact: impacts.file });
      this.#addPieces(file, part, page);
    });
    return [...this.#named]
      .filter(([, named]) => isTelling(named))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, named]) => entryOf(key, named));
  }

  /** The name, and what readers who leave out the name of the tool write. */
  #addWithout(prefixes: ReadonlySet<string>, words: readonly string[], named: Named): void {
    this.#add(words, named);
    const [first = '', ...rest] = words;
    if (prefixes.has(first) && rest.length > 0) {
      this.#add(rest, { ...named, impact: named.impact - 0.2 });
      return;
    }
    for (const prefix of prefixes) {
      this.#add([prefix, ...words], { ...named, impact: named.impact - 0.2 });
    }
  }

  /** Neighbouring words inside of an identifier, its last piece (`serve` of `Deno.serve`), and numbers (`3.11` of
   *  `Python 3.11`). */
  #addPieces(name: string, part: number, page: number): void {
    const [last = ''] = /(?<=^[^\s]*[\p{L}\p{N}][-._:/]+)[\p{L}\p{N}]{3,}$/u.exec(name) ?? [];
    for (const piece of [last, ...joinedTerms(name).map(({ word }) => word)]) {
      this.#add(wordsOfName(piece), { part, page, impact: impacts.piece });
    }
    for (const word of name.split(/[^\p{L}\p{N}]+/u)) {
      if (plainWord.test(word)) {
        continue;
      }
      const inside = wordsInside(word).map((one) => one.toLowerCase());
      for (let from = 0; from < inside.length - 1; from++) {
        for (let to = from + 2; to <= inside.length; to++) {
          this.#add(inside.slice(from, to), { part, page, impact: impacts.piece });
        }
      }
    }
  }

  #add(words: readonly string[], named: Named): void {
    const key = nameKey(words);
    if (key === undefined) {
      return;
    }
    const others = this.#named.get(key);
    if (others) {
      others.push(named);
    } else {
      this.#named.set(key, [named]);
    }
  }
}

/** The first words with which the names of many pages begin, such as the name of a tool with many commands. */
function sitePrefixes(pages: readonly PageNames[]): Set<string> {
  const counts = new Map<string, number>();
  for (const { titles, file } of pages) {
    const firsts = [...titles, file].map(wordsOfName).filter(({ length }) => length > 1);
    for (const first of new Set(firsts.map(([word = '']) => word))) {
      counts.set(first, (counts.get(first) ?? 0) + 1);
    }
  }
  const enough = Math.max(8, pages.length / 4);
  return new Set([...counts].filter(([, count]) => count >= enough).map(([word]) => word));
}

function isTelling(named: readonly Named[]): boolean {
  if (named.some(({ impact }) => impact > impacts.heading)) {
    return true;
  }
  return new Set(named.map(({ page }) => page)).size <= mostPagesOfHeading;
}

/** Where a title has the name, headings do not count. */
function entryOf(name: string, named: readonly Named[]): StoredEntry {
  const most = Math.max(...named.map(({ impact }) => impact));
  const kept =
    most > impacts.heading ? named.filter(({ impact }) => impact > impacts.heading) : named;
  const byPart = new Map<number, number>();
  for (const { part, impact } of kept) {
    byPart.set(part, Math.max(byPart.get(part) ?? 0, impact));
  }
  const postings: Posting[] = [...byPart]
    .map(([part, impact]) => ({ part, impact }))
    .sort((a, b) => a.part - b.part);
  return encodeEntry({ key: nameEntryKey(name), holders: postings.length, forms: [], postings });
}
