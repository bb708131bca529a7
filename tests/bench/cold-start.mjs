// From navigation to the first embedding of the built-in model in Chromium: a page that imports the package, opens
// the model and embeds a sentence, from a server on the same machine, with nothing kept and with what the visit
// before left in the browser. Build first (npm run build).
//
//   node tests/bench/cold-start.mjs
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import sirv from 'sirv';
import { median } from './median.mjs';

const kVisits = 7;
/** Milliseconds. */
const kWanted = 400;
const kPage = `<!doctype html><title>Cold start</title><link rel="icon" href="data:," />
<script type="module">
  import { open } from '/index.js';
  const model = await open('/site/models/english-192x1.weights');
  const [row] = await model.embed(['how do I keep bread fresh']);
  document.title = String(performance.now());
</script>`;

const files = sirv(fileURLToPath(new URL('../../dist/', import.meta.url)), {
  dev: false,
  etag: true,
});
const server = createServer((request, response) => {
  if (request.url !== '/') return files(request, response, () => response.writeHead(404).end());
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end(kPage);
});
await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
const origin = `http://127.0.0.1:${server.address().port}/`;

async function visit(page) {
  await page.goto(origin);
  await page.waitForFunction(() => Number(document.title) > 0);
  return Number(await page.title());
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const first = [];
const again = [];
for (let i = 0; i < kVisits; i++) {
  const page = await browser.newPage();
  first.push(await visit(page));
  again.push(await visit(page));
  await page.close();
}
await browser.close();
server.close();
for (const [name, times] of Object.entries({ 'first visit': first, 'next visit': again })) {
  const time = median(times);
  const verdict = time > kWanted ? ': MISSED' : '';
  console.log(`${name}: first embedding after ${time.toFixed(0)} ms (${kWanted} wanted${verdict})`);
}
