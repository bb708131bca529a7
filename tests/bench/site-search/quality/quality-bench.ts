// Searches the pages of a site with ambry-site-search, Pagefind, Orama, minisearch and FlexSearch, and prints how often each finds
// the page that answers. queries.ts says where the queries come from, sites.ts which sites there are. Run it after `npm run build`:
//
//   npm install --prefix build/peers --no-audit --no-fund pagefind@1.6.0 @orama/orama@3.1.18 @orama/stopwords@3.1.18 flexsearch@0.8.212
//   node tests/bench/site-search/quality/quality-bench.ts FOLDER (--site NAME | FOLDER_WITH_PAGES) [--peers build/peers] \
//     [--kinds titles,names,symbols,versions,prefixes,misspelled,questions,headings,changes,links,outside] [--outside eslint|debian] \
//     [--since DAY] [--queries N] [--model FILE] [--only NAME] [--failures] [--no-cost] [--json FILE]
//
// FOLDER of a repository is a clone or a bare one, with its history. Built sites are Debian packages that were unpacked:
// `apt-get download git-doc`, `dpkg-deb -x`. tldr-pages/tldr has no name: pages --outside debian --kinds outside.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { builtPages } from './built-site.ts';
import { makeAmbry } from './engines/ambry.ts';
import type { MakeEngine, Site } from './engines/engine.ts';
import { makePagefind } from './engines/pagefind.ts';
import { makeFlexSearch, makeMiniSearch, makeOrama } from './engines/sections.ts';
import { pagesOf, writePages } from './markdown-site.ts';
import { costOf, ranksOf } from './measure.ts';
import type { outsideSources } from './outside-queries.ts';
import { documentsOf } from './page-documents.ts';
import { type KindQuery, type QueryKind, queriesOf, queryKinds } from './queries.ts';
import { outOfScope } from './question-files.ts';
import { behind, failures, type Measured, tableOf } from './report.ts';
import { type BenchSite, sites } from './sites.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    site: { type: 'string' },
    peers: { type: 'string', default: 'build/peers' },
    outside: { type: 'string' },
    kinds: { type: 'string', default: queryKinds.join(',') },
    since: { type: 'string', default: '2018-01-01' },
    queries: { type: 'string', default: '60' },
    model: { type: 'string' },
    only: { type: 'string', default: '' },
    failures: { type: 'boolean', default: false },
    'no-cost': { type: 'boolean', default: false },
    json: { type: 'string' },
  },
});

const engines: Record<string, MakeEngine> = {
  hybrid: makeAmbry('hybrid', values.model),
  words: makeAmbry('words', values.model),
  meaning: makeAmbry('meaning', values.model),
  related: makeAmbry('related', values.model),
  pagefind: makePagefind,
  orama: makeOrama,
  minisearch: makeMiniSearch,
  flexsearch: makeFlexSearch,
};

function siteOf([, under]: readonly string[]): BenchSite {
  if (values.site === undefined) {
    const outside = values.outside as keyof typeof outsideSources | undefined;
    return { form: 'repository', under: under ?? '', ...(outside && { outside }) };
  }
  const site = sites[values.site];
  if (!site) {
    throw new Error(`No site is named ${values.site}. Names are ${Object.keys(sites).join(', ')}.`);
  }
  return site;
}

async function run(temporary: string): Promise<void> {
  const site = siteOf(positionals);
  const [folder = ''] = positionals;
  const repository = { folder, under: site.under };
  const pages = site.form === 'built' ? builtPages(folder, site) : pagesOf(repository);
  const documents = pages.map(documentsOf);
  const pagesFolder = join(temporary, 'pages');
  writePages(pagesFolder, pages);
  const most = Number(values.queries);
  const source = { repository, pages, documents, since: values.since, site, most };
  const queries: KindQuery[] = [];
  for (const kind of values.kinds.split(',') as QueryKind[]) {
    const own = await queriesOf(kind, source);
    queries.push(...own.map((query) => ({ ...query, kind })));
  }
  console.log(`${values.site ?? folder}: ${pages.length} pages, ${queries.length} queries`);
  const all: Measured[] = [];
  for (const [name, make] of Object.entries(engines)) {
    if (values.only && !values.only.split(',').includes(name)) {
      continue;
    }
    const out = join(temporary, name);
    mkdirSync(out, { recursive: true });
    all.push(await measured(name, make, { pages, documents, folder: pagesFolder, out }, queries));
  }
  console.table(tableOf(all, queries));
  console.table(behind(all, queries));
  if (values.failures && !site.isAside) {
    console.log(failures(all, queries).join('\n'));
  }
  if (values.json) {
    writeFileSync(values.json, JSON.stringify({ pages: pages.length, queries, all }));
  }
}

async function measured(
  name: string,
  make: MakeEngine,
  site: Site,
  queries: readonly KindQuery[],
): Promise<Measured> {
  const start = performance.now();
  const engine = await make(site, values.peers);
  const seconds = (performance.now() - start) / 1000;
  const ranks = await ranksOf(engine, queries);
  let silent = 0;
  const outside = outOfScope();
  for (const text of outside) {
    const { pages } = await engine.search(text, 1, false);
    silent += Number(pages.length === 0);
  }
  const cost = values['no-cost'] ? undefined : await costOf(engine, queries);
  const { indexBytes, codeBytes } = engine;
  await engine.close();
  return {
    name,
    ranks,
    silent: { found: silent, of: outside.length },
    cost,
    seconds,
    indexBytes,
    codeBytes,
  };
}

const temporary = mkdtempSync(join(tmpdir(), 'ambry-search-quality-'));
try {
  await run(temporary);
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
