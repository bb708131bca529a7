// From navigation to the first embedding of the built-in transformer in Chromium: a page that imports the package, opens
// the model and embeds a sentence, from a server on the same machine, with nothing kept and with what the visit
// before left in the browser. Build first (npm run build).
//
//   node tests/bench/cold-start.mjs
import { fileURLToPath } from 'node:url';
import { chromiumWith } from './support/chromium.mjs';
import { median } from './support/median.mjs';

const nVisits = 7;
/** Milliseconds. */
const targets = { 'first visit': 200, 'next visit': 120 };
const pageHtml = `<!doctype html><title>Cold start</title><link rel="icon" href="data:," />
<script type="module">
  import { open } from '/index.js';
  const model = await open('/models/english-192x1.weights');
  const [row] = await model.embed(['how do I keep bread fresh']);
  document.title = String(performance.now());
</script>`;

const folder = (path) => fileURLToPath(new URL(`../../${path}/`, import.meta.url));
const { browser, origin, close } = await chromiumWith({
  page: pageHtml,
  folders: { '/models/': folder('web/demo/public/models'), '/': folder('dist') },
});

async function visit(page) {
  await page.goto(origin);
  await page.waitForFunction(() => Number(document.title) > 0);
  return Number(await page.title());
}

const first = [];
const again = [];
for (let i = 0; i < nVisits; i++) {
  const page = await browser.newPage();
  first.push(await visit(page));
  again.push(await visit(page));
  await page.close();
}
await close();
for (const [name, times] of Object.entries({ 'first visit': first, 'next visit': again })) {
  const time = median(times);
  const verdict = time > targets[name] ? ': MISSED' : '';
  console.log(
    `${name}: first embedding after ${time.toFixed(0)} ms (${targets[name]} wanted${verdict})`,
  );
}
