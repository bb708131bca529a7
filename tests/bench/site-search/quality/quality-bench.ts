// Searches the pages of a documentation repository with ambry-site-search, Pagefind, Orama and minisearch, and prints how
// often each finds the page that answers. queries.ts says where the queries come from. Run it after `npm run build`:
//
//   npm install --prefix build/peers --no-audit --no-fund pagefind@1.6.0 @orama/orama@3.1.18 @orama/stopwords@3.1.18
//   node tests/bench/site-search/quality/quality-bench.ts REPOSITORY FOLDER_WITH_PAGES [--peers build/peers] \
//     [--outside eslint|debian] [--kinds headings,changes,links,outside] [--since DAY] [--queries N] [--model FILE] [--only NAME] [--json FILE]
//
// REPOSITORY is a clone or a bare one, with its history: rust-lang/book with src, reactjs/react.dev with src/content,
// eslint/eslint with docs/src (--outside eslint), tldr-pages/tldr with pages (--outside debian --kinds outside).
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeAmbry } from './engines/ambry.ts';
import type { MakeEngine, Site } from './engines/engine.ts';
import { makePagefind } from './engines/pagefind.ts';
import { makeMiniSearch, makeOrama } from './engines/sections.ts';
import { pagesOf, writePages } from './markdown-site.ts';
import { costOf, qualityOf, ranksOf } from './measure.ts';
import type { outsideSources } from './outside-queries.ts';
import { documentsOf } from './page-documents.ts';
import { type Query, type QueryKind, queriesOf, queryKinds } from './queries.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    peers: { type: 'string', default: 'build/peers' },
    outside: { type: 'string' },
    kinds: { type: 'string', default: queryKinds.join(',') },
    since: { type: 'string', default: '2018-01-01' },
    queries: { type: 'string', default: '600' },
    model: { type: 'string' },
    only: { type: 'string', default: '' },
    json: { type: 'string' },
  },
});

const engines: Record<string, MakeEngine> = {
  hybrid: makeAmbry('hybrid', values.model),
  words: makeAmbry('words', values.model),
  meaning: makeAmbry('meaning', values.model),
  pagefind: makePagefind,
  orama: makeOrama,
  minisearch: makeMiniSearch,
};

type Row = Record<string, string | number>;

async function run(temporary: string): Promise<void> {
  const [folder = '', under = ''] = positionals;
  const repository = { folder, under };
  const pages = pagesOf(repository);
  const documents = pages.map(documentsOf);
  const pagesFolder = join(temporary, 'pages');
  writePages(pagesFolder, pages);
  const source = {
    repository,
    pages,
    documents,
    since: values.since,
    outside: values.outside as keyof typeof outsideSources | undefined,
    most: Number(values.queries),
  };
  const queries: (Query & { readonly kind: QueryKind })[] = [];
  for (const kind of values.kinds.split(',') as QueryKind[]) {
    for (const query of await queriesOf(kind, source)) {
      queries.push({ ...query, kind });
    }
  }
  console.log(`${pages.length} pages, ${queries.length} queries`);
  const rows: Row[] = [];
  for (const [name, make] of Object.entries(engines)) {
    if (values.only && !values.only.split(',').includes(name)) {
      continue;
    }
    const out = join(temporary, name);
    mkdirSync(out, { recursive: true });
    const row = await measured(make, { pages, documents, folder: pagesFolder, out }, queries);
    console.log(Object.values(row).join('  '));
    rows.push(row);
  }
  console.table(rows);
  if (values.json) {
    writeFileSync(values.json, JSON.stringify({ pages: pages.length, rows }));
  }
}

async function measured(
  make: MakeEngine,
  site: Site,
  queries: readonly (Query & { readonly kind: QueryKind })[],
): Promise<Row> {
  const start = performance.now();
  const engine = await make(site, values.peers);
  const row: Row = { engine: engine.name };
  const seconds = (performance.now() - start) / 1000;
  const ranks = await ranksOf(engine, queries);
  for (const kind of [...queryKinds, 'all', 'differs'] as const) {
    const own = ranks.filter((_, i) => {
      const query = queries[i] as Query & { readonly kind: QueryKind };
      return kind === 'all' || (kind === 'differs' ? query.differs : query.kind === kind);
    });
    if (own.length === 0) {
      continue;
    }
    const { mrr, recall } = qualityOf(own);
    row[`${kind} (${own.length})`] = `${mrr.toFixed(3)} / ${recall.toFixed(3)}`;
  }
  const cost = await costOf(engine, queries);
  row['build s'] = seconds.toFixed(1);
  row['query ms'] = cost.milliseconds.toFixed(1);
  row['index kB'] = kb(engine.indexBytes);
  row['first kB'] = kb(cost.firstBytes);
  row['further kB'] = `${kb(cost.furtherBytes)} (${kb(cost.further95)})`;
  if (engine.codeBytes !== undefined) {
    row['code kB'] = kb(engine.codeBytes);
  }
  await engine.close();
  return row;
}

const kb = (bytes: number): string => (bytes / 1000).toFixed(0);

const temporary = mkdtempSync(join(tmpdir(), 'ambry-search-quality-'));
try {
  await run(temporary);
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
