// Builds the index of a large site, and counts what readers download: for the first answer, for each further one, and how
// many of the ten nearest parts are found by reading which share of the rows, and the time of answers in Chromium. Run it after `npm run build`, on an idle
// machine. With --texts, pages are made of a file with a paragraph a line. With --site, the pages of a built site are read;
// the queries are headings of them and words of their sentences.
//
//   node tests/bench/site-search/site-search-bench.ts [--pages 10000] [--texts FILE | --site DIR] [--dim N] [--bits N] \
//     [--query-bytes N] [--max-files N] [--again]
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Encoder, open } from 'ambry/encoder';
import { buildSiteIndex } from '../../../packages/site-search/src/build/build-site-index.ts';
import { bestRows } from '../../../packages/site-search/src/build/sample-queries.ts';
import { SiteFiles } from '../../../packages/site-search/src/client/files/site-files.ts';
import { Snapshot } from '../../../packages/site-search/src/client/files/snapshot.ts';
import {
  placesWith,
  searchMeaning,
} from '../../../packages/site-search/src/client/meaning-search.ts';
import { openSiteSearch } from '../../../packages/site-search/src/index.ts';
import { type CodeBits, CodedProduct } from '../../../packages/site-search/src/shared/codes.ts';
import { filePath } from '../../../packages/site-search/src/shared/file-name.ts';
import { nearestFirst } from '../../../packages/site-search/src/shared/lists.ts';
import { parseManifest } from '../../../packages/site-search/src/shared/manifest.ts';
import { embeddedText } from '../../../packages/site-search/src/shared/part-text.ts';
import { type Mode, timesInBrowser } from './in-browser.ts';
import {
  pagesOfSite,
  pagesOfTexts,
  randomOf,
  type SyntheticPage,
  syntheticPages,
  writeSite,
} from './synthetic-site.ts';

const sessions = 20;
const queriesOfSession = 6;
const recallQueries = 200;
const modelPath = fileURLToPath(
  new URL('../../../web/demo/public/models/english-static-336.weights', import.meta.url),
);

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '10000' },
    texts: { type: 'string' },
    site: { type: 'string' },
    dim: { type: 'string' },
    bits: { type: 'string' },
    'query-bytes': { type: 'string' },
    'max-files': { type: 'string' },
    again: { type: 'boolean' },
  },
});

async function run(folder: string): Promise<void> {
  const count = Number(values.pages);
  const site = values.site ?? join(folder, 'dist');
  const pages = await pagesFor(site, count);
  if (!values.site) {
    writeSite(site, pages);
  }
  print('pages', String(pages.length));
  const out = join(folder, 'search');
  const cache = join(folder, 'cache');
  const settings = {
    model: modelPath,
    meaning: 'model' as const,
    cache,
    ...(values.dim && { dim: Number(values.dim) }),
    ...(values.bits && { bits: Number(values.bits) as CodeBits }),
    ...(values['query-bytes'] && { queryBytes: Number(values['query-bytes']) }),
    ...(values['max-files'] && { maxFiles: Number(values['max-files']) }),
  };
  const start = performance.now();
  const result = await buildSiteIndex(site, out, settings);
  print(
    'build',
    `${seconds(start)} s, ${result.passages} passages, ${result.files} files, ${kb(result.bytes)} kB`,
  );
  if (values.again) {
    const again = performance.now();
    await buildSiteIndex(site, out, settings);
    print('build with the cache', `${seconds(again)} s`);
  }
  const model = await open(new Uint8Array(readFileSync(modelPath)), { architecture: 'static' });
  await measureFiles(out);
  for (const mode of ['words', 'hybrid'] as const) {
    await measureBytes(out, pages, model, mode);
  }
  for (const mode of ['words', 'hybrid'] as const) {
    await measureInBrowser(out, pages, mode);
  }
  await measureRecall(out, pages, model);
  await model.dispose();
}

async function pagesFor(site: string, count: number): Promise<SyntheticPage[]> {
  if (values.site) {
    return pagesOfSite(site);
  }
  return [...(values.texts ? pagesOfTexts(values.texts, count) : syntheticPages(count))];
}

/** What every reader downloads once. */
async function measureFiles(out: string): Promise<void> {
  const json = await readFile(join(out, 'manifest.json'));
  const { vectors, start } = parseManifest(json.toString());
  const size = async (path: string) => kb((await readFile(join(out, path))).length);
  const file = vectors?.centroids;
  const centroids =
    file === undefined ? '' : `, centroids ${await size(filePath.centroids(file))} kB`;
  print(
    'manifest',
    `${kb(json.length)} kB, start ${await size(filePath.table(start))} kB${centroids}`,
  );
}

/** A heading, a question of words of a sentence, and the begin of a word. */
function queriesOf(pages: readonly SyntheticPage[], random: () => number): string[] {
  return Array.from({ length: queriesOfSession }, (_, i) => {
    const { sections } = pages[Math.floor(random() * pages.length)] as SyntheticPage;
    const { heading, text } = sections[
      Math.floor(random() * sections.length)
    ] as SyntheticPage['sections'][0];
    if (i % 3 === 0) {
      return `${heading} `;
    }
    const words = text.split(' ').slice(4, 12);
    return i % 3 === 1 ? `how do I ${words.slice(0, 5).join(' ')} ` : (words[0] ?? '').slice(0, 4);
  });
}

async function measureBytes(
  out: string,
  pages: readonly SyntheticPage[],
  model: Encoder,
  mode: Mode,
): Promise<void> {
  const random = randomOf(2);
  const [first, further, requests, times]: number[][] = [[], [], [], []];
  for (let session = 0; session < sessions; session++) {
    let [bytes, asked] = [0, 0];
    const fetch = async (path: string) => {
      const file = await readFile(join(out, path));
      bytes += file.length;
      asked++;
      return new Response(new Uint8Array(file));
    };
    const site = await openSiteSearch({ fetch }, { model });
    for (const [i, query] of queriesOf(pages, random).entries()) {
      const start = performance.now();
      await site.search(query, { mode });
      times?.push(performance.now() - start);
      (i === 0 ? first : further)?.push(bytes);
      requests?.push(asked);
      [bytes, asked] = [0, 0];
    }
  }
  print(`${mode}: first answer`, bytesLine(first ?? []));
  print(`${mode}: further answers`, bytesLine(further ?? []));
  print(`${mode}: requests`, `mean ${mean(requests ?? []).toFixed(1)}`);
  print(`${mode}: without the network`, millisecondsLine(times ?? []));
}

async function measureInBrowser(
  out: string,
  pages: readonly SyntheticPage[],
  mode: Mode,
): Promise<void> {
  const random = randomOf(2);
  const asked = Array.from({ length: sessions }, () => queriesOf(pages, random));
  const { first, further } = await timesInBrowser(out, asked, mode);
  print(`${mode}: first, in Chromium`, millisecondsLine(first));
  print(`${mode}: further, in Chromium`, millisecondsLine(further));
}

async function measureRecall(
  out: string,
  pages: readonly SyntheticPage[],
  model: Encoder,
): Promise<void> {
  const fetch = async (path: string) =>
    new Response(new Uint8Array(await readFile(join(out, path))));
  const files = new SiteFiles({ fetch }, 30_000);
  const manifest = await files.manifest(false);
  const snapshot = new Snapshot(manifest, files, false);
  const { rows, vectors, listOf } = await allRows(snapshot, model);
  const random = randomOf(3);
  const { rowsRead, dim, bits, recall } = snapshot.vectors;
  const lists = manifest.sets.vectors?.chunks;
  let [read, inLists, inTen, inTwenty, inHundred] = [0, 0, 0, 0, 0];
  for (let i = 0; i < recallQueries; i++) {
    const [, question = ''] = queriesOf(pages, random);
    const query = await model.embed(question, { dim, normalize: true });
    const exact = bestRows(vectors, query, 10).map((at) => rows[at] as number);
    const near = await searchMeaning(snapshot, query, undefined, 10);
    const probed = await nearestLists(snapshot, query);
    for (const place of probed) {
      read += (await snapshot.list(place)).rows.length;
    }
    const found = (near?.parts ?? []).map(({ part }) => part);
    for (const row of exact) {
      const place = found.indexOf(row);
      if (probed.has(listOf.get(row) as number)) {
        inLists++;
      }
      if (place >= 0 && place < 10) {
        inTen++;
      }
      if (place >= 0 && place < 20) {
        inTwenty++;
      }
      if (place >= 0) {
        inHundred++;
      }
    }
  }
  const share = (value: number) => (value / recallQueries / 10).toFixed(3);
  print(
    'vectors',
    `${rows.length} rows of ${dim} numbers in ${bits} bits, ${lists} lists; ${rowsRead} rows are read, recall with headings ${recall}`,
  );
  print('rows read', `${((100 * read) / recallQueries / rows.length).toFixed(1)} %`);
  print('recall@10 of the lists', share(inLists));
  print(
    'recall@10 of the codes',
    `${share(inTen)} among the first 10, ${share(inTwenty)} among the first 20, ${share(inHundred)} among the first 100`,
  );
}

/** The lists that a search reads. */
async function nearestLists(snapshot: Snapshot, query: Float32Array): Promise<Set<number>> {
  const { centroidForm, rowsRead } = snapshot.vectors;
  const centroids = await snapshot.centroids();
  const order = nearestFirst(
    centroids,
    new CodedProduct(query.subarray(0, centroidForm.dim), centroidForm.bits),
  );
  return new Set(placesWith(rowsRead, order, centroids));
}

/** The exact vectors of all rows, from the texts. */
async function allRows(snapshot: Snapshot, model: Encoder) {
  const { dim } = snapshot.vectors;
  const listOf = new Map<number, number>();
  for (const place of (await snapshot.centroids()).keys()) {
    for (const row of (await snapshot.list(place)).rows) {
      listOf.set(row, place);
    }
  }
  const rows = [...listOf.keys()].sort((a, b) => a - b);
  const vectors = new Float32Array(rows.length * dim);
  const batch = 4096;
  for (let at = 0; at < rows.length; at += batch) {
    const texts = rows
      .slice(at, at + batch)
      .map(async (row) => embeddedText(await snapshot.text(row)));
    const form = { as: 'matrix', dim, normalize: true } as const;
    vectors.set(await model.embed(await Promise.all(texts), form), at * dim);
  }
  return { rows, vectors, listOf };
}

const kb = (bytes: number): string => (bytes / 1000).toFixed(1);
const seconds = (start: number): string => ((performance.now() - start) / 1000).toFixed(1);
const mean = (list: readonly number[]): number =>
  list.reduce((sum, value) => sum + value, 0) / list.length;

function quantile(list: readonly number[], share: number): number {
  return list.toSorted((a, b) => a - b)[Math.floor(share * (list.length - 1))] ?? 0;
}

function bytesLine(list: readonly number[]): string {
  const [p50, p95] = [quantile(list, 0.5), quantile(list, 0.95)];
  return `mean ${kb(mean(list))} kB, p50 ${kb(p50)}, p95 ${kb(p95)}, most ${kb(Math.max(...list))}`;
}

function millisecondsLine(list: readonly number[]): string {
  const [p50, p95] = [quantile(list, 0.5), quantile(list, 0.95)];
  return `p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`;
}

function print(name: string, value: string): void {
  console.log(`${name.padEnd(28)} ${value}`);
}

const folder = mkdtempSync(join(tmpdir(), 'ambry-site-bench-'));
try {
  await run(folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
