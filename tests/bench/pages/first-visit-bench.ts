// From navigation to the first content on the screen, and until each page is usable, for a visitor whose browser has nothing, on a line of
// 1.5 Mbit/s with 150 ms for each request and a processor that is slowed down four times. `ambry demo` answers, with brotli. A server in
// between limits the line, because the limits of developer tools do not hold for workers; the processor's limit holds for the
// page itself only. Build first (npm run build).
//
//   node tests/bench/pages/first-visit-bench.ts [search …] [--requests]
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { serveDemo } from 'ambry-demo';
import { chromium } from 'playwright';
import { chromiumPath } from '../../../e2e/support/chromium.ts';

const bytesPerSecond = 1_500_000 / 8;
const requestMs = 150;
const chunkBytes = 4096;
const slowdown = 4;
const rounds = 3;

interface PageCase {
  readonly path: string;
  /** What a page shows when it is usable: an expression. */
  readonly usable: string;
  /** Seconds. */
  readonly goal?: number;
}

const count = (selector: string) => `document.querySelectorAll('${selector}').length > 0`;

const cases: readonly PageCase[] = [
  { path: 'index.html', usable: count('#samples button'), goal: 3 },
  {
    path: 'search/index.html?q=trouble%20falling%20asleep%20at%20night',
    usable: count('#results > li'),
    goal: 4,
  },
  { path: 'words/index.html', usable: count('#neighbours li'), goal: 6 },
  {
    path: 'classify/index.html',
    usable: '/looks like/.test(document.querySelector("#answer").textContent)',
  },
  { path: 'chat/index.html', usable: count('.turn.model .token'), goal: 8 },
  { path: 'check/index.html', usable: count('#samples button') },
  { path: 'convert/index.html', usable: count('#samples button') },
  {
    path: 'playground/index.html',
    usable: '/Search/.test(document.querySelector("#examples").textContent)',
  },
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { requests: { type: 'boolean' } },
});

/** All answers share one line. */
let lineIsFree = 0;
let sent: { readonly path: string; readonly bytes: number; readonly at: number }[] = [];

/** The time at which the line has carried that many bytes. */
async function carry(bytes: number): Promise<void> {
  const now = performance.now();
  lineIsFree = Math.max(now, lineIsFree) + (1000 * bytes) / bytesPerSecond;
  await sleep(lineIsFree - now);
}

async function sendSlowly(answer: IncomingMessage, response: ServerResponse): Promise<number> {
  let bytes = 0;
  await sleep(requestMs);
  for await (const block of answer) {
    for (let at = 0; at < block.length; at += chunkBytes) {
      const chunk = block.subarray(at, at + chunkBytes);
      await carry(chunk.length);
      bytes += chunk.length;
      response.write(chunk);
    }
  }
  response.end();
  return bytes;
}

const demo = await serveDemo({ port: 0 });
const line = createServer((asked, response) => {
  const { method, url = '/', headers } = asked;
  const at = performance.now();
  const forwarded = request(new URL(url, demo.url), {
    method,
    headers: { ...headers, host: new URL(demo.url).host },
  });
  forwarded.on('response', async (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    const path = `${url}${headers.range ? ` ${headers.range}` : ''}`;
    sent.push({ path, bytes: await sendSlowly(answer, response), at });
  });
  forwarded.end();
});
await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${(line.address() as AddressInfo).port}/`;
const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] });

/** Milliseconds from navigation. */
const firstPaint = 'performance.getEntriesByName("first-contentful-paint")[0].startTime';

interface Visit {
  readonly painted: number;
  readonly usable: number;
  readonly bytes: number;
  readonly requests: number;
}

async function visit({ path, usable }: PageCase): Promise<Visit> {
  // A context has a cache of its own.
  const context = await browser.newContext();
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  sent = [];
  const begin = performance.now();
  await page.goto(origin + path, { waitUntil: 'commit' });
  // The policy of the pages forbids what Playwright's own waiting for an expression needs.
  while (
    !(await page.evaluate<boolean>(`document.body !== null && ${usable}`).catch(() => false))
  ) {
    await sleep(20);
  }
  const seconds = (performance.now() - begin) / 1000;
  const known = [...sent];
  const painted = (await page.evaluate<number>(firstPaint)) / 1000;
  await context.close();
  if (values.requests) {
    for (const { path: asked, bytes, at } of known.sort((a, b) => a.at - b.at)) {
      console.log(`  ${((at - begin) / 1000).toFixed(2)} s ${String(bytes).padStart(8)} ${asked}`);
    }
  }
  const bytes = known.reduce((sum, one) => sum + one.bytes, 0);
  return { painted, usable: seconds, bytes, requests: known.length };
}

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

for (const one of cases) {
  if (positionals.length > 0 && !positionals.some((name) => one.path.startsWith(name))) {
    continue;
  }
  const visits: Visit[] = [];
  for (let round = 0; round < (values.requests ? 1 : rounds); round++) {
    visits.push(await visit(one));
  }
  const of = (field: keyof Visit) => median(visits.map((each) => each[field]));
  const parts = [
    `painted after ${of('painted').toFixed(1)} s`,
    `usable after ${of('usable').toFixed(1)} s${one.goal ? ` (goal: ${one.goal})` : ''}`,
    `${Math.round(of('bytes') / 1000)} kB in ${of('requests')} requests`,
  ];
  console.log(`${one.path.split('?')[0]?.padEnd(22)} ${parts.join(', ')}`);
}
await browser.close();
line.close();
line.closeAllConnections();
demo.close();
