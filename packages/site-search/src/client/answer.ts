// Answers one query from one snapshot of the index.
import { phrasesOf } from 'ambry/terms';
import type { PageTable } from '../shared/page-table.ts';
import type { AnswerState, PageHit, SearchOptions, SiteAnswer } from './base/types.ts';
import { bestPages, type PageCandidate } from './candidates.ts';
import type { Snapshot } from './files/snapshot.ts';
import { facetCounts, PartFilter } from './filters.ts';
import { loadTexts } from './load-texts.ts';
import type { Meaning, QueryVector } from './meaning.ts';
import { type MeaningFound, searchMeaning } from './meaning-search.ts';
import { pageHit } from './page-hits.ts';
import { meaningWeight, named } from './scores.ts';
import { didYouMean } from './words/did-you-mean.ts';
import {
  type NamedPages,
  searchBegunNames,
  searchNames,
  searchNearNames,
} from './words/name-search.ts';
import { havePhrases, pagesReadForPhrases } from './words/phrases.ts';
import { boundedQuery } from './words/query.ts';
import { searchWords, type WordsFound } from './words/word-search.ts';

export const searchDefaults = { k: 10, excerptLength: 240, mode: 'auto' } as const;
/** Pages whose texts are read beyond those of the answer, because exact scores may order them differently. */
const spare = 2;
/** A site has something on a query if a page has words that say so much of it, or a passage is so far above the mean. Of
 *  421 queries with a right page in the first ten, 3 have less by words, and none by both: docs/performance.md. */
const sureCoverage = 0.35;
const sureDeviations = 2.5;
/** The cosines of fewer pages do not tell how they are spread. */
const spreadPages = 20;

interface AnswerRequest extends SearchOptions {
  /** What gives vectors, if meaning counts. */
  readonly meaning: Meaning | undefined;
  readonly by: SiteAnswer['by'];
  readonly urlOf: (path: string) => string;
}

/** What an answer has that does not depend on the state of the model. */
type PlainAnswer = Omit<SiteAnswer, 'meaning' | 'meaningError'>;

/** What a query has found, before the texts are there. */
interface Found {
  /** What is searched of what was typed. */
  readonly query: string;
  readonly words: WordsFound;
  /** The query with near words and names in place of what no page has. */
  readonly corrected: string | undefined;
  /** The scores by words, if they count. */
  readonly scores: Pick<WordsFound, 'parts' | 'pages'>;
  readonly names: NamedPages;
  /** The vector of the query, if meaning counts and it has one. */
  readonly vector: Float32Array | undefined;
  readonly near: MeaningFound | undefined;
  readonly filter: PartFilter;
  readonly phrases: readonly (readonly string[])[];
  readonly table: PageTable;
}

export async function answer(
  snapshot: Snapshot,
  query: string,
  request: AnswerRequest,
): Promise<PlainAnswer> {
  const { meaning, by, facets, k = searchDefaults.k } = request;
  const found = await find(snapshot, boundedQuery(query), request);
  if (!found.words.hasWords && found.names.size === 0) {
    return { query, by, state: 'empty', pages: [], total: 0 };
  }
  const near = await hits(snapshot, found, request);
  const isSure = isAnswered(near, found, snapshot);
  const all = isSure ? near : [];
  const pages = all.slice(0, k);
  const meant = isSure
    ? undefined
    : (found.corrected ?? (await didYouMean(snapshot, query, found.words.unknown)));
  const parts = isSure ? foundParts(found, snapshot) : new Set<number>();
  return {
    query,
    by,
    state: stateOf(pages, meaning !== undefined),
    ...(found.corrected !== undefined && { corrected: found.corrected }),
    ...(meant !== undefined && { didYouMean: meant }),
    pages,
    // Where there are fewer pages than wanted, all of them were read, and some were not close.
    total: all.length < k || found.phrases.length > 0 ? all.length : pagesOf(parts, found),
    ...(facets && { facets: await facetCounts(snapshot, facets, parts, found.filter) }),
  };
}

const noNames: NamedPages = new Map();
const noScores = { parts: new Map(), pages: new Map() } as const;

async function find(snapshot: Snapshot, text: string, request: AnswerRequest): Promise<Found> {
  const { meaning, by, filters, k = searchDefaults.k } = request;
  const filter = await PartFilter.of(snapshot, filters);
  const isAllowed = filter.isOpen ? undefined : (part: number) => filter.allows(part);
  const byNames = by !== 'meaning';
  const phrases = phrasesOf(text);
  const nearTo = async (query: QueryVector | undefined) => ({
    query,
    near: query && (await searchMeaning(snapshot, query.vector, isAllowed, k)),
  });
  const [words, typed, { query, near }, table] = await Promise.all([
    searchWords(snapshot, text, phrases),
    byNames ? searchNames(snapshot, text) : noNames,
    Promise.resolve(text === '' ? undefined : meaning?.vectorOf(snapshot, text)).then(nearTo),
    snapshot.table(),
  ]);
  const { withPhrases } = words;
  const other = byNames && typed.size === 0 ? await otherNames(snapshot, text, words) : undefined;
  const { names = typed, corrected = words.corrected } = other ?? {};
  // Letters that make no word have no meaning, unless the site has that word.
  const isMeant = query?.hasWords || words.coverage > 0;
  return {
    query: text,
    words,
    corrected,
    scores: by === 'meaning' ? noScores : words,
    names,
    vector: isMeant ? query?.vector : undefined,
    near: isMeant ? near : undefined,
    filter: withPhrases ? filter.within(withPhrases) : filter,
    phrases,
    table,
  };
}

/** A last word of two letters is hardly one, though a page may have it, nor is a piece of a name: `git-not`. */
const isBegun = /[^\p{L}\p{N}][\p{L}\p{N}]{1,2}$|[\p{L}\p{N}][-._:/]+[\p{L}\p{N}]+$/u;

/** The pages with names that begin as the query does, or that it may have meant. */
async function otherNames(
  snapshot: Snapshot,
  text: string,
  { corrected, isOpen, unknown }: WordsFound,
): Promise<{ readonly names?: NamedPages; readonly corrected?: string } | undefined> {
  if (corrected !== undefined) {
    return { names: await searchNames(snapshot, corrected) };
  }
  if (isOpen || isBegun.test(text)) {
    const names = await searchBegunNames(snapshot, text);
    if (names.size > 0) {
      return { names };
    }
  }
  const [word] = unknown;
  return word !== undefined && unknown.length === 1
    ? searchNearNames(snapshot, text, word)
    : undefined;
}

/** The best pages that have words of the query or are near to it, and all phrases of it. There may be more than wanted. */
async function hits(
  snapshot: Snapshot,
  { query, words, scores, names, vector, near, filter, phrases, table }: Found,
  {
    meaning,
    by,
    urlOf,
    k = searchDefaults.k,
    excerptLength = searchDefaults.excerptLength,
  }: AnswerRequest,
): Promise<PageHit[]> {
  const weight = meaningWeight(query, Boolean(meaning?.encoder));
  const spread = { ...snapshot.vectors, weight };
  const wanted = meaning?.encoder ? k + spare : k;
  const count = phrases.length > 0 ? Math.max(wanted, pagesReadForPhrases) : wanted;
  const chosen = bestPages(scores, names, near, { filter, table, spread }, count);
  const options = { queries: words.queries, query: vector, excerptLength, urlOf, spread };
  const found = (await loadTexts(snapshot, chosen, vector && meaning?.encoder))
    .map((page, i) => {
      const { words: score, name } = chosen[i] as PageCandidate;
      if (!havePhrases(page.parts, phrases)) {
        return undefined;
      }
      const hit = pageHit(page, by === 'meaning' ? undefined : score, options);
      return { hit, name, hasWords: score > 0 || name > 0 };
    })
    .filter((one) => one !== undefined)
    .filter(({ hit, hasWords }) => hasWords || isClose(hit.cosine, snapshot));
  const most = found.reduce((best, { hit }) => Math.max(best, hit.score), 1);
  return found
    .map(({ hit, name }) => ({ ...hit, score: named(hit.score / most, name) }))
    .sort((a, b) => b.score - a.score);
}

/** Whether the site has something on the query: by a name, by enough of its words, or by its meaning. */
function isAnswered(
  pages: readonly PageHit[],
  { names, words }: Found,
  { manifest, vectors }: Snapshot,
): boolean {
  const { meanCosine, deviation, closeFrom } = vectors;
  const isSpread = manifest.pages >= spreadPages;
  const sureFrom = isSpread ? meanCosine + sureDeviations * deviation : closeFrom;
  return (
    names.size > 0 ||
    words.coverage >= sureCoverage ||
    pages.some(({ cosine }) => cosine !== undefined && cosine >= sureFrom)
  );
}

function isClose(cosine: number | undefined, { vectors }: Snapshot): boolean {
  return cosine !== undefined && cosine >= vectors.closeFrom;
}

/** The parts that have words of the query or are near to it, whatever the filters say. */
function foundParts({ scores, names, near }: Found, snapshot: Snapshot): Set<number> {
  const found = new Set(scores.parts.keys());
  for (const { part } of names.values()) {
    found.add(part);
  }
  for (const { part, cosine } of near?.parts ?? []) {
    if (isClose(cosine, snapshot)) {
      found.add(part);
    }
  }
  return found;
}

/** The number of pages that have these parts and pass the filters. */
function pagesOf(parts: ReadonlySet<number>, { filter, table }: Found): number {
  const allowed = [...parts].filter((part) => filter.allows(part));
  return new Set(allowed.map((part) => table.pageOf(part))).size;
}

function stateOf(pages: readonly PageHit[], byMeaning: boolean): AnswerState {
  if (pages.length > 0) {
    return 'found';
  }
  return byMeaning ? 'nothing-close' : 'no-words';
}
