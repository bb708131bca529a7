// The time of answers in Chromium: from a question in the element to the results that it shows, laid out. The files come from
// the memory of a server on the same machine, by HTTP/1.1. What a reader types waits for a pause before (`typingPause` of the
// element), which does not count here.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { chromiumWith } from '../support/chromium.mjs';

export type Mode = 'words' | 'hybrid';

/** Milliseconds. */
export interface AnswerTimes {
  /** The times of the first question of each reader, whose browser has nothing of the index but the manifest. */
  readonly first: number[];
  readonly further: number[];
}

/** Asks the questions of each session in a browser that has nothing of the site, once the model is there. */
export async function timesInBrowser(
  index: string,
  sessions: readonly (readonly string[])[],
  mode: Mode,
): Promise<AnswerTimes> {
  const page = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">
    <script type="module" src="/search/ambry-search.js"></script>
    <ambry-search mode="${mode}"></ambry-search>`;
  const place = { page, files: filesOf(index), folders: { '/search/': index } };
  const { browser, origin, close } = await chromiumWith(place);
  const times: AnswerTimes = { first: [], further: [] };
  try {
    for (const queries of sessions) {
      const [first, ...further] = await ask(browser, origin, queries);
      times.first.push(...(first === undefined ? [] : [first]));
      times.further.push(...further);
    }
  } finally {
    await close();
  }
  return times;
}

/** What a search reads, by its address: a server with disks would be measured otherwise. */
function filesOf(index: string): Record<string, Buffer> {
  const folders = ['tables', 'texts', 'vectors', 'words'];
  const paths = folders.flatMap((folder) =>
    readdirSync(join(index, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name)),
  );
  return Object.fromEntries(
    paths.map((path) => [`/search${path.slice(index.length)}`, readFileSync(path)]),
  );
}

async function ask(
  browser: Browser,
  origin: string,
  queries: readonly string[],
): Promise<number[]> {
  // A context has a cache of its own.
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(origin);
    await prepare(page);
    const times: number[] = [];
    for (const query of queries) {
      times.push(await page.evaluate(answered, query));
    }
    return times;
  } finally {
    await context.close();
  }
}

/** As a reader does who comes to the field: the code that searches, the manifest, and the model. */
async function prepare(page: Page): Promise<void> {
  await page.locator('ambry-search input').focus();
  await page.waitForLoadState('networkidle');
  await page.locator('ambry-search [part~="loading"]').waitFor({ state: 'detached' });
}

/** In the page. */
async function answered(query: string): Promise<number> {
  const element = document.querySelector('ambry-search') as HTMLElement & { value: string };
  const answer = new Promise((resolve, reject) => {
    element.addEventListener('ambry-search-answer', resolve, { once: true });
    element.addEventListener(
      'ambry-search-error',
      (event) => reject((event as CustomEvent).detail),
      { once: true },
    );
  });
  const start = performance.now();
  element.value = query;
  await answer;
  element.shadowRoot?.querySelector('[part~="panel"]')?.getBoundingClientRect();
  return performance.now() - start;
}
