// From navigation to the first content on the screen, and to the first answer of each page, for a visitor whose browser has nothing, on a
// line of 1.5 Mbit/s with 150 ms for each request. The server compresses with brotli, as hosts of static files do. It limits the line
// itself, because the limits of developer tools do not hold for workers. Build first (npm run build).
//
//   node tests/bench/pages/first-visit-bench.ts
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { chromium } from 'playwright';

const bytesPerSecond = 1_500_000 / 8;
const requestMs = 150;
const chunkBytes = 4096;
/** Seconds. */
const goal = 6;

const site = fileURLToPath(new URL('../../../packages/demo/site/', import.meta.url));
const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};

/** What a page shows when it has its first answer: an expression. */
const answers: Readonly<Record<string, string>> = {
  'index.html': 'document.readyState === "complete"',
  'search/index.html': '/^Ready/.test(document.querySelector("#status").textContent)',
  'words/index.html': '/queen/.test(document.querySelector("#analogy-line").textContent)',
  'classify/index.html': '/looks like/.test(document.querySelector("#answer").textContent)',
  'chat/index.html': 'document.querySelectorAll(".turn.model .token").length > 0',
};

const compressed = new Map<string, Buffer>();

/** The body of a whole file, and how it is coded. */
function bodyOf(path: string): { readonly body: Buffer; readonly coding?: string } {
  const body = readFileSync(path);
  if (!(extname(path) in types)) {
    return { body };
  }
  const known = compressed.get(path);
  const made =
    known ?? brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
  compressed.set(path, made);
  return { body: made, coding: 'br' };
}

/** All answers share one line. */
let lineIsFree = 0;
async function sendSlowly(response: ServerResponse, body: Buffer): Promise<void> {
  await sleep(requestMs);
  for (let at = 0; at < body.length; at += chunkBytes) {
    const chunk = body.subarray(at, at + chunkBytes);
    const now = performance.now();
    lineIsFree = Math.max(now, lineIsFree) + (1000 * chunk.length) / bytesPerSecond;
    await sleep(lineIsFree - now);
    response.write(chunk);
  }
  response.end();
}

const sent = { bytes: 0, requests: 0 };
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const path = site + decodeURIComponent(pathname.slice(1)).replace(/(^|\/)$/, '$1index.html');
  const asked = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '');
  try {
    const { body, coding } = asked ? { body: readFileSync(path), coding: undefined } : bodyOf(path);
    const begin = Number(asked?.[1] ?? 0);
    const end = asked?.[2] ? Math.min(Number(asked[2]) + 1, body.length) : body.length;
    response.writeHead(asked ? 206 : 200, {
      'content-type': types[extname(path)] ?? 'application/octet-stream',
      'content-length': end - begin,
      'accept-ranges': 'bytes',
      ...(coding && { 'content-encoding': coding }),
      ...(asked && { 'content-range': `bytes ${begin}-${end - 1}/${body.length}` }),
    });
    sent.requests += 1;
    sent.bytes += end - begin;
    void sendSlowly(response, body.subarray(begin, end));
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium-headless-shell',
  args: ['--no-sandbox'],
});

/** Milliseconds from navigation. */
const firstPaint = 'performance.getEntriesByName("first-contentful-paint")[0].startTime';

async function visit(path: string, answer: string): Promise<number> {
  // A context has a cache of its own.
  const context = await browser.newContext();
  const page = await context.newPage();
  Object.assign(sent, { bytes: 0, requests: 0 });
  const begin = performance.now();
  await page.goto(origin + path);
  // The policy of the pages forbids what Playwright's own waiting for an expression needs.
  while (!(await page.evaluate<boolean>(answer))) {
    await sleep(20);
  }
  const seconds = (performance.now() - begin) / 1000;
  const painted = (await page.evaluate<number>(firstPaint)) / 1000;
  const cost = `${Math.round(sent.bytes / 1000)} kB in ${sent.requests} requests`;
  console.log(
    `${path.padEnd(20)} painted after ${painted.toFixed(1)} s, answer after ${seconds.toFixed(1)} s, ${cost}`,
  );
  await context.close();
  return seconds;
}

// The files of all pages are compressed before the first measured visit.
for (const [path, answer] of Object.entries(answers)) {
  await visit(path, answer);
}
console.log('again, with all files compressed before:');
for (const [path, answer] of Object.entries(answers)) {
  const seconds = await visit(path, answer);
  if (path.startsWith('chat')) {
    console.log(`  goal for this page: ${goal} s, ${(seconds / goal).toFixed(2)} of it`);
  }
}
await browser.close();
server.close();
server.closeAllConnections();
