// Queries for pages that a reader knows by name. They are made by rules and a seed, and none is chosen by hand:
//
// - `titles`: the title of a page as it stands, without what all titles end with, in small letters.
// - `names`: where many pages begin with the name of a tool, the name without it, and with it and a blank.
// - `symbols`: names of an API by the ids of their elements, and those in headings: whole, and without what is before the last two
//   pieces, if only one page has such a name.
// - `versions`: numbers with a point in titles and headings, if only one page has them.
// - `prefixes`: the first letters of a title, from 4 letters and 40 % of it on, as while typing.
// - `misspelled`: a title of which the longest word, of at least five letters, has one error: a letter left out, added, exchanged
//   or wrong.
import { randomOf } from '../synthetic-site.ts';
import type { DocPage } from './markdown-site.ts';
import type { PageDocuments } from './page-documents.ts';
import type { Query } from './queries.ts';
import type { BenchSite } from './sites.ts';

export const knownKinds = [
  'titles',
  'names',
  'symbols',
  'versions',
  'prefixes',
  'misspelled',
] as const;
export type KnownKind = (typeof knownKinds)[number];

export type KnownQuery = Omit<Query, 'differs'>;

interface KnownSource {
  readonly pages: readonly DocPage[];
  readonly documents: readonly PageDocuments[];
  readonly site: BenchSite;
}

const seeds = { titles: 1, names: 2, symbols: 3, versions: 4, prefixes: 5, misspelled: 6 };
const longestTitle = 8;
const leastPrefix = 4;
const leastMisspelled = 5;

export function knownQueries(kind: KnownKind, source: KnownSource, most: number): KnownQuery[] {
  const random = randomOf(seeds[kind]);
  const titles = uniqueNames(
    source.pages.map(({ title, path }) => ({ name: bareTitle(title), page: path })),
  ).filter(({ name }) => name.split(/\s+/).length <= longestTitle);
  const made = {
    titles: () => titles.map(({ name, page }) => query(name, page)),
    names: () => toolQueries(titles, source.site.tool),
    symbols: () => symbolQueries(source),
    versions: () => versionQueries(source.documents),
    prefixes: () => titles.flatMap((title) => prefixQuery(title, random)),
    misspelled: () => titles.flatMap((title) => misspelledQuery(title, random)),
  }[kind]();
  return someOf(made, most, random);
}

interface PageName {
  readonly name: string;
  readonly page: string;
}

const query = (text: string, page: string): KnownQuery => ({ text, page, without: [] });

/** `3.2. Views`, `json — JSON encoder`, `String in alloc::string - Rust`, `git-log(1)`: without the number and the rest. */
function bareTitle(title: string): string {
  return title
    .replace(/^(?:[A-Z]|\d+)(?:\.\d+)*\.\s+/, '')
    .replace(/\(\d\)$/, '')
    .replace(/\s+[—–|-]\s.*$|\s+in [\w:]+\s.*$/, '')
    .replace(/[`<>]/g, '')
    .toLowerCase()
    .trim();
}

/** The names that one page has and no other. */
function uniqueNames(all: readonly PageName[]): PageName[] {
  const holders = new Map<string, Set<string>>();
  for (const { name, page } of all) {
    holders.set(name, (holders.get(name) ?? new Set()).add(page));
  }
  return [...holders].flatMap(([name, pages]) => {
    const [page = ''] = pages;
    return pages.size === 1 && name.length > 1 ? [{ name, page }] : [];
  });
}

function toolQueries(titles: readonly PageName[], tool: string | undefined): KnownQuery[] {
  const begin = new RegExp(`^${tool}[- ]`);
  return titles
    .filter(({ name }) => tool !== undefined && begin.test(name))
    .flatMap(({ name, page }) => {
      const rest = name.replace(begin, '');
      return [query(rest, page), query(`${tool} ${rest}`, page)];
    });
}

function symbolQueries({ pages, documents, site }: KnownSource): KnownQuery[] {
  const { symbol } = site;
  const names = symbol
    ? pages.flatMap(({ path, title, html }) =>
        [...html.matchAll(symbol)].map(([, id = '']) => ({
          name: id.includes('.') ? id : `${title.split(' ')[0]}::${id}`,
          page: path,
        })),
      )
    : documents.flatMap(({ path, sections }) =>
        sections.flatMap(({ heading }) =>
          identifiersOf(heading).map((name) => ({ name, page: path })),
        ),
      );
  const ends = names.map(({ name, page }) => ({ name: lastPieces(name), page }));
  return uniqueNames([...names, ...ends]).map(({ name, page }) => query(name, page));
}

/** `Deno.serve` and `useState` in a heading. */
const identifiersOf = (heading: string): string[] =>
  heading.match(
    /(?<![\w.-])(?:[A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)+|[a-z]+[A-Z]\w*)(?![\w.-])/g,
  ) ?? [];

function lastPieces(name: string): string {
  const pieces = name.split(/\.|::/);
  return pieces.length > 2 ? pieces.slice(-2).join('.') : (pieces.at(-1) ?? name);
}

function versionQueries(documents: readonly PageDocuments[]): KnownQuery[] {
  const names = documents.flatMap(({ path, title, sections }) =>
    [title, ...sections.map(({ heading }) => heading)]
      .map((name) => name.replace(/^(?:[A-Z]|\d+)(?:\.\d+)*\.\s+/, ''))
      .flatMap((name) => name.match(/(?<![\w.-])v?\d+(?:\.\d+)+(?![\w.-])/g) ?? [])
      .map((name) => ({ name, page: path })),
  );
  return uniqueNames(names).map(({ name, page }) => query(name, page));
}

function prefixQuery({ name, page }: PageName, random: () => number): KnownQuery[] {
  const share = 0.4 + 0.5 * random();
  const text = name.slice(0, Math.max(leastPrefix, Math.round(share * name.length)));
  const isWhole = text.length >= name.length || !/[\p{L}\p{N}]$/u.test(text);
  return isWhole ? [] : [{ ...query(text, page), isOpen: true }];
}

function misspelledQuery({ name, page }: PageName, random: () => number): KnownQuery[] {
  const words = name.match(/\p{L}+/gu) ?? [];
  const [longest = ''] = words.toSorted((a, b) => b.length - a.length);
  if (longest.length < leastMisspelled) {
    return [];
  }
  const wrong = withError(longest, random);
  return wrong === longest ? [] : [query(name.replace(longest, wrong), page)];
}

/** One error that does not concern the first letter. */
function withError(word: string, random: () => number): string {
  const at = 1 + Math.floor(random() * (word.length - 2));
  const letter = String.fromCharCode(97 + Math.floor(random() * 26));
  const [begin, end] = [word.slice(0, at), word.slice(at)];
  const errors = [
    begin + end.slice(1),
    begin + letter + end,
    begin + letter + end.slice(1),
    `${begin}${end[1]}${end[0]}${end.slice(2)}`,
  ];
  return errors[Math.floor(random() * errors.length)] as string;
}

/** So many of the queries, by the seed. */
function someOf<T>(all: readonly T[], most: number, random: () => number): T[] {
  return all
    .map((item, i) => ({ item, i, place: random() }))
    .sort((a, b) => a.place - b.place || a.i - b.i)
    .slice(0, most)
    .sort((a, b) => a.i - b.i)
    .map(({ item }) => item);
}
