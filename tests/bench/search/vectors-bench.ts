// An index of the vectors of many real sentences, as the package makes it in Node: how long it takes, how much of the nearest
// ten a search finds, what part of the rows it reads, and how many bytes it fetches of the file on a server. Sentences come from
// the documentation in Git repositories, bare ones too. Build first (npm run build).
//
//   node tests/bench/search/vectors-bench.ts REPOSITORY...
//
// A sentence is what stands between marks of the end of a sentence on a line of a .md, .mdx, .rst, .txt, .html or .adoc file, from
// its first letter or digit on. Those of 24 to 600 characters count, each once. Every 5,000th is a query and not in the index.
import { execFileSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import type * as api from '../../../web/src/index.ts';
import { ByteServer } from '../../web/support/servers/byte-server.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const { createVectorIndex, openVectorIndex, open }: typeof api = await import(
  `${root}dist/node.js`
);
const modelFile = `${root}web/demo/public/models/english-static-336.weights`;
const rowsOfQuery = 5000;
const textsAtOnce = 8192;
const mostBuffer = 2 ** 31 - 1;
const goals = { recall: 0.95, share: 0.1, rows: 1_000_000 };

function sentencesOf(repositories: readonly string[]): string[] {
  const seen = new Set<string>();
  for (const repository of repositories) {
    const git = (args: readonly string[], input?: string) =>
      execFileSync('git', ['-C', repository, ...args], { input, maxBuffer: mostBuffer });
    const paths = git(['ls-tree', '-r', '-z', '--name-only', 'HEAD']).toString().split('\0');
    const wanted = paths.filter((path) => /\.(md|mdx|rst|txt|html|adoc)$/.test(path));
    const names = wanted.map((path) => `HEAD:${path}\n`).join('');
    for (const line of git(['cat-file', '--batch'], names).toString().split(/\r?\n/)) {
      for (const part of line.replace(/^[^\p{L}\p{N}]+/u, '').split(/(?<=[.!?])\s+/)) {
        // A copy: a slice would keep the whole text in memory.
        if (part.length >= 24 && part.length <= 600) {
          seen.add(Buffer.from(part).toString());
        }
      }
    }
  }
  return [...seen];
}

function say(what: string, value: string, goal?: boolean): void {
  const verdict = goal === undefined ? '' : goal ? ' (goal reached)' : ' (goal MISSED)';
  console.log(`${what.padEnd(44)} ${value}${verdict}`);
}

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; seconds: number }> {
  const begin = performance.now();
  const result = await work();
  return { result, seconds: (performance.now() - begin) / 1000 };
}

const percent = (share: number) => `${(100 * share).toFixed(2)} %`;
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(2)} MB`;

const all = sentencesOf(process.argv.slice(2));
const isQuery = (i: number) => i % rowsOfQuery === rowsOfQuery / 2;
const indexed = all.filter((_, i) => !isQuery(i));
const asked = all.filter((_, i) => isQuery(i));
say('sentences', String(indexed.length), indexed.length >= goals.rows);

const model = await open(modelFile, { kind: 'encoder', architecture: 'static' });
let embedding = 0;
async function* blocks() {
  for (let at = 0; at < indexed.length; at += textsAtOnce) {
    const texts = indexed.slice(at, at + textsAtOnce);
    const { result, seconds } = await timed(() => model.embed(texts, { as: 'matrix' }));
    embedding += seconds;
    yield result;
  }
}

const { result: index, seconds: making } = await timed(() =>
  createVectorIndex({ vectors: blocks(), dim: model.dim }),
);
const { recall, share, lists, probes, candidates } = index.measured;
say('embedding', `${embedding.toFixed(0)} s`);
say('making the index', `${(making - embedding).toFixed(0)} s`);
say('lists, of which are read', `${lists}, ${probes}; ${candidates} candidates`);
say('recall@10 as the index measured it', recall.toFixed(4), recall >= goals.recall);
say('rows read as the index measured it', percent(share), share <= goals.share);

const queries: Float32Array[] = [];
for (const text of asked) {
  queries.push(await model.embed(text));
}
await model.dispose();
const own = await index.recall(queries);
say(`recall@10 of ${queries.length} sentences not in it`, own.toFixed(4), own >= goals.recall);
const near = await timed(() => index.search(queries));
const exact = await timed(() => index.search(queries, { probes: 0 }));
const perQuery = (seconds: number) => `${((1000 * seconds) / queries.length).toFixed(1)} ms`;
say('a search, in memory', perQuery(near.seconds));
say('comparing all rows', perQuery(exact.seconds));

const { result: file, seconds: saving } = await timed(() => index.save());
say('the file', `${megabytes(file.size)}, written in ${saving.toFixed(1)} s`);
await index.dispose();
const bytes = new Uint8Array(await file.arrayBuffer());
const server = await ByteServer.start();
const content = { size: bytes.length, slice: (a: number, b: number) => bytes.subarray(a, b) };
const served = server.serve('own.ambryindex', { content, etag: '"1"' });
// So little memory that nearly nothing is held of earlier searches.
const { result: opened, seconds: opening } = await timed(() =>
  openVectorIndex(served.url, { memory: 500_000 }),
);
say('opening it by range', `${megabytes(served.sent())}, ${opening.toFixed(2)} s`);
const before = { sent: served.sent(), requests: served.asked.length };
const remote = await timed(async () => {
  for (const query of queries.slice(0, 50)) {
    await opened.search(query);
  }
});
say('a search by range, bytes', megabytes((served.sent() - before.sent) / 50));
say('a search by range, requests', String((served.asked.length - before.requests) / 50));
say('a search by range, loopback', `${(remote.seconds * 20).toFixed(1)} ms`);
await opened.dispose();
server.close();
