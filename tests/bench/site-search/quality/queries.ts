// The queries of a documentation set, each with the page that answers it. No query but the questions is chosen by hand:
//
// - `headings`: the headings of pages, if only one page has it and it is not the page's title. At most two a page.
// - `changes`: titles of commits that changed one page of the set and no other, since the given day. The page is followed
//   through renames. Words about editing (fix, typo, update, chapter …), prefixes (`docs:`) and numbers of issues are
//   removed; three words that are no function words must stay. Titles that name a file, and those of two pages, do not count.
// - `links`: the texts of links between pages, if they have three words that are no function words, and all links with
//   this text lead to one page. The pages with the link do not count as results, for any engine.
// - `outside`: what others say of a page, from outside-queries.ts.
// - names, beginnings of names and misspelled names, from known-queries.ts, and `questions` written by hand.
//
// Of many queries of a kind, so many are taken as the caller says, from all of them evenly. A query's words differ from the
// page if less than half of its stems, without function words, are in the page's text.
import { languageOf } from '../../../../packages/site-search/src/shared/stems.ts';
import { queryTerms } from '../../../../packages/site-search/src/shared/terms.ts';
import { type KnownKind, type KnownQuery, knownKinds, knownQueries } from './known-queries.ts';
import { type DocPage, git, isPage, pathOf, type Repository } from './markdown-site.ts';
import { type OutsideText, outsideSources } from './outside-queries.ts';
import type { PageDocuments } from './page-documents.ts';
import { contentWords, saysEnough, searchText } from './query-words.ts';
import { questionsOf } from './question-files.ts';
import type { BenchSite } from './sites.ts';

export interface Query {
  readonly text: string;
  /** The path of the page that answers it. */
  readonly page: string;
  /** Pages that do not count as results. */
  readonly without: readonly string[];
  readonly differs: boolean;
  /** The reader may type more letters. */
  readonly isOpen?: boolean;
}

const textKinds = ['questions', 'headings', 'changes', 'links', 'outside'] as const;
export const queryKinds = [...knownKinds, ...textKinds] as const;
export type QueryKind = (typeof queryKinds)[number];
export type KindQuery = Query & { readonly kind: QueryKind };

const headingsOfPage = 2;
const differingShare = 0.5;

/** Where queries come from. */
export interface QuerySource {
  readonly repository: Repository;
  readonly pages: readonly DocPage[];
  readonly documents: readonly PageDocuments[];
  /** Commits before this day do not count. */
  readonly since: string;
  readonly site: BenchSite;
  /** Queries of a kind. */
  readonly most: number;
}

export async function queriesOf(kind: QueryKind, source: QuerySource): Promise<Query[]> {
  const { documents, most } = source;
  const made = isKnown(kind) ? knownQueries(kind, source, most) : textQueries(kind, source);
  const texts = new Map(documents.map(({ path, text }) => [path, text]));
  const queries = made.filter(({ page }) => texts.has(page));
  const kept = new Map<string, Promise<Set<string>>>();
  const stemsOfPage = (page: string): Promise<Set<string>> => {
    const stems = kept.get(page) ?? stemsOf(texts.get(page) as string);
    kept.set(page, stems);
    return stems;
  };
  return Promise.all(
    spread(queries, most).map(async (query) => {
      const own = await stemsOf(contentWords(query.text).join(' '));
      const page = await stemsOfPage(query.page);
      const held = [...own].filter((stem) => page.has(stem)).length;
      return { ...query, differs: held < differingShare * own.size };
    }),
  );
}

const isKnown = (kind: QueryKind): kind is KnownKind =>
  (knownKinds as readonly string[]).includes(kind);

function textQueries(kind: (typeof textKinds)[number], source: QuerySource): KnownQuery[] {
  const { repository, pages, documents, since, site } = source;
  const { outside, form, questions } = site;
  return {
    questions: () => (questions ? questionsOf(questions, pages) : []),
    headings: () => headingQueries(documents),
    changes: () => (form === 'repository' ? changeQueries(repository, pages, since) : []),
    links: () => linkQueries(pages),
    outside: () => (outside ? outsideQueries(pages, outsideSources[outside](repository)) : []),
  }[kind]();
}

async function stemsOf(text: string): Promise<Set<string>> {
  const english = await languageOf('en');
  return new Set(queryTerms(text).map(({ word }) => english.stem(word)));
}

function headingQueries(documents: readonly PageDocuments[]): KnownQuery[] {
  const holders = new Map<string, Set<string>>();
  for (const { path, sections } of documents) {
    for (const { heading } of sections) {
      const key = heading.toLowerCase();
      holders.set(key, (holders.get(key) ?? new Set()).add(path));
    }
  }
  return documents.flatMap(({ path, title, sections }) => {
    const own = sections.map(({ heading }) => heading).filter((heading) => heading !== title);
    const good = own.filter(
      (heading) =>
        contentWords(heading).length > 0 && holders.get(heading.toLowerCase())?.size === 1,
    );
    return spread([...new Set(good)], headingsOfPage).map((text) => ({
      text,
      page: path,
      without: [],
    }));
  });
}

/** So many items of a list, from all of it. */
function spread<T>(list: readonly T[], count: number): T[] {
  if (list.length <= count) {
    return [...list];
  }
  return Array.from({ length: count }, (_, i) => list[Math.floor((i * list.length) / count)] as T);
}

function changeQueries(
  repository: Repository,
  pages: readonly DocPage[],
  since: string,
): KnownQuery[] {
  const format = '--format=%x00%s';
  const log = git(
    repository,
    'log',
    '--no-merges',
    '-M',
    '--name-status',
    `--since=${since}`,
    format,
    '--',
    '*.md',
    '*.mdx',
  );
  const known = new Set(pages.map(({ path }) => path));
  const names = new Map<string, string>();
  const found = new Map<string, Set<string>>();
  for (const commit of log.split('\0').slice(1)) {
    const [title = '', ...lines] = commit.split('\n').filter((line) => line !== '');
    const changed = changedPages(lines, names).filter((path) => known.has(path));
    const [page] = changed;
    const text = searchText(title);
    if (changed.length !== 1 || page === undefined || text === undefined) {
      continue;
    }
    found.set(text, (found.get(text) ?? new Set()).add(page));
  }
  return [...found]
    .filter(([, { size }]) => size === 1)
    .map(([text, [page]]) => ({ text, page: page as string, without: [] }));
}

/** The pages that a commit changed, by their present paths. Commits come from the newest to the oldest. */
function changedPages(lines: readonly string[], names: Map<string, string>): string[] {
  const changed = new Set<string>();
  for (const line of lines) {
    const [state = '', name = '', renamed] = line.split('\t');
    const last = renamed ?? name;
    const present = names.get(last) ?? last;
    if (renamed !== undefined && state.startsWith('R')) {
      names.set(name, present);
    }
    if (isPage(last)) {
      changed.add(pathOf(present));
    }
  }
  return [...changed];
}

function linkQueries(pages: readonly DocPage[]): KnownQuery[] {
  const targets = new Map<string, { readonly to: Set<string>; readonly from: Set<string> }>();
  const known = new Map(pages.map(({ path }) => [path, path]));
  for (const { path, html } of pages) {
    for (const [, href = '', inner = ''] of html.matchAll(
      /<a href="([^"]+)"[^>]*>([\s\S]*?)<\/a>/g,
    )) {
      const page = pageOfLink(href, path, known);
      const text = inner
        .replace(/<[^>]*>/g, '')
        .replace(/\s+/g, ' ')
        .trim();
      if (page === undefined || page === path || /&/.test(text)) {
        continue;
      }
      if (!saysEnough(text)) {
        continue;
      }
      const own = targets.get(text.toLowerCase()) ?? { to: new Set(), from: new Set() };
      own.to.add(page);
      own.from.add(path);
      targets.set(text.toLowerCase(), own);
    }
  }
  return [...targets]
    .filter(([, { to }]) => to.size === 1)
    .map(
      ([
        text,
        {
          to: [page],
          from,
        },
      ]) => ({
        text,
        page: page as string,
        without: [...from],
      }),
    );
}

/** The page to which a link leads; undefined if it leads elsewhere. */
function pageOfLink(
  href: string,
  from: string,
  known: ReadonlyMap<string, string>,
): string | undefined {
  if (/^[a-z]+:|^#/i.test(href)) {
    return undefined;
  }
  const { pathname } = new URL(href, `https://site.example/${from}`);
  const path = decodeURIComponent(pathname)
    .replace(/^\/|\/$|\.(html|mdx?)$/g, '')
    .replace(/\/$/, '');
  const places = [path, `${path}/index`, `${path}/README`];
  for (const place of places) {
    if (known.has(place)) {
      return place;
    }
    // Absolute links of a site do not name the folder of the repository.
    const ends =
      href.startsWith('/') && [...known.keys()].filter((one) => one.endsWith(`/${place}`));
    if (ends && ends.length === 1) {
      return ends[0];
    }
  }
  return undefined;
}

function outsideQueries(pages: readonly DocPage[], texts: readonly OutsideText[]): KnownQuery[] {
  const byName = new Map<string, string[]>();
  for (const { path } of pages) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    byName.set(name, [...(byName.get(name) ?? []), path]);
  }
  const counts = new Map<string, number>();
  for (const { text } of texts) {
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return texts.flatMap(({ text, name }) => {
    const [page, other] = byName.get(name) ?? [];
    if (page === undefined || other !== undefined || counts.get(text) !== 1) {
      return [];
    }
    return saysEnough(text) ? [{ text, page, without: [] }] : [];
  });
}
