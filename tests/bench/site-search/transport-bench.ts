// Counts what readers ask a host for and download, without code and model: for the first answer and for each further one, on hosts
// that answer requests for several ranges, for one, and for none. Run it after `npm run build`:
//
//   node tests/bench/site-search/transport-bench.ts FOLDER --site NAME [--mode words] [--server URL]
//
// FOLDER and NAME are those of quality/quality-bench.ts. With --keep DIR the index stays there, and with --server, whose root is
// that folder, requests go to a real host.
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildSiteIndex } from '../../../packages/site-search/src/build/build-site-index.ts';
import type { FetchInit } from '../../../packages/site-search/src/client/base/types.ts';
import { openSiteSearch } from '../../../packages/site-search/src/index.ts';
import { answerTo, type RangeSupport } from '../../support/range-answers.ts';
import { builtPages } from './quality/built-site.ts';
import { pagesOf, writePages } from './quality/markdown-site.ts';
import { documentsOf } from './quality/page-documents.ts';
import { type Query, queriesOf, queryKinds } from './quality/queries.ts';
import { sites } from './quality/sites.ts';

const sessions = 20;
const queriesOfSession = 6;
const queriesOfKind = 60;
const model = fileURLToPath(
  new URL('../../../web/demo/public/models/english-static-336.weights', import.meta.url),
);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    site: { type: 'string', default: 'eslint' },
    mode: { type: 'string', default: 'auto' },
    keep: { type: 'string' },
    server: { type: 'string' },
  },
});

type Fetch = (path: string, init: FetchInit) => Promise<Response>;
/** What one answer took. */
interface Taken {
  requests: number;
  bytes: number;
}

async function run(temporary: string): Promise<void> {
  const site = sites[values.site];
  const [folder = ''] = positionals;
  if (!site) {
    throw new Error(`No site is named ${values.site}. Names are ${Object.keys(sites).join(', ')}.`);
  }
  const repository = { folder, under: site.under };
  const pages = site.form === 'built' ? builtPages(folder, site) : pagesOf(repository);
  const source = {
    repository,
    pages,
    documents: pages.map(documentsOf),
    since: '2018-01-01',
    site,
    most: queriesOfKind,
  };
  const queries = (await Promise.all(queryKinds.map((kind) => queriesOf(kind, source)))).flat();
  const out = values.keep ?? join(temporary, 'index');
  writePages(join(temporary, 'pages'), pages);
  const meaning = values.mode === 'words' ? 'none' : 'words';
  const given = { meaning, element: false, ...(meaning === 'words' && { model }) } as const;
  const { files, bytes } = await buildSiteIndex(join(temporary, 'pages'), out, given);
  console.log(`${values.site}: ${pages.length} pages, ${files} files, ${kb(bytes)} kB`);
  for (const [name, fetch] of Object.entries(hostsOf(out))) {
    await measure(name, fetch, queries);
  }
}

function hostsOf(out: string): Record<string, Fetch> {
  if (values.server !== undefined) {
    const base = values.server;
    return { [base]: (path, init) => fetch(new URL(path, base), init) };
  }
  const host =
    (ranges: RangeSupport | undefined): Fetch =>
    async (path, { headers }) => {
      const made = answerTo(await readFile(join(out, path)), headers?.['range'], ranges);
      return new Response(new Uint8Array(made.bytes), made);
    };
  return { 'several ranges': host('several'), 'one range': host('one'), none: host(undefined) };
}

async function measure(name: string, host: Fetch, queries: readonly Query[]): Promise<void> {
  const [first, further]: [Taken[], Taken[]] = [[], []];
  let taken: Taken = { requests: 0, bytes: 0 };
  const fetch: Fetch = async (path, init) => {
    const response = await host(path, init);
    const bytes = await response.bytes();
    taken.requests++;
    taken.bytes += bytes.length;
    return new Response(bytes, { status: response.status, headers: response.headers });
  };
  for (let session = 0; session < sessions; session++) {
    taken = { requests: 0, bytes: 0 };
    const site = await openSiteSearch({ fetch }, { site: 'https://site.example/' });
    for (let i = 0; i < queriesOfSession; i++) {
      const at = ((session * queriesOfSession + i) * 7919) % queries.length;
      const { text, isOpen = false } = queries[at] as Query;
      await site.search(isOpen ? text : `${text} `);
      (i === 0 ? first : further).push(taken);
      taken = { requests: 0, bytes: 0 };
    }
  }
  console.log(`${name.padEnd(16)} first   ${lineOf(first)}`);
  console.log(`${name.padEnd(16)} further ${lineOf(further)}`);
}

function lineOf(all: readonly Taken[]): string {
  const requests = all.map((one) => one.requests);
  const bytes = all.map((one) => one.bytes).sort((a, b) => a - b);
  const p95 = bytes[Math.floor(0.95 * (bytes.length - 1))] ?? 0;
  return `${mean(requests).toFixed(1)} requests, at most ${Math.max(...requests)}; ${kb(mean(bytes))} kB, p95 ${kb(p95)}`;
}

const mean = (list: readonly number[]): number =>
  list.reduce((sum, value) => sum + value, 0) / Math.max(1, list.length);
const kb = (bytes: number): string => (bytes / 1000).toFixed(1);

const folder = mkdtempSync(join(tmpdir(), 'ambry-transport-'));
try {
  await run(folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
