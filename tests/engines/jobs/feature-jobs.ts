// What the pages do beside their main jobs, as a user does it.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { EnginePage } from '../support/engine-page.ts';
import { models } from '../support/test-files.ts';
import { fill, textOf, textsOf, waitFor, waitForText } from '../support/view.ts';
import type { PageJob } from './page-jobs.ts';

/** The map of all words is computed from 16,000 vectors. On a busy machine that takes minutes. */
const wordsMapMs = 150_000;

/** The line below a text that is complete. */
const isWritten = /\d tokens?(, [\d,.]+ tokens\/s)?\.$/;

/** An expression: how many pixels of the map have the colour of a variable of the style sheet. */
const pixelsOf = (variable: string): string => `(() => {
  const canvas = document.querySelector('.point-map canvas');
  const colour = getComputedStyle(canvas).getPropertyValue('${variable}').trim();
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  const copy = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height });
  const context = copy.getContext('2d');
  context.drawImage(canvas, 0, 0);
  const { data } = context.getImageData(0, 0, copy.width, copy.height);
  let count = 0;
  for (let i = 0; i < data.length; i += 4) {
    const isSame = data[i] === red && data[i + 1] === green && data[i + 2] === blue;
    count += isSame && data[i + 3] === 255 ? 1 : 0;
  }
  return count;
})()`;

/** Opens a fold. A click with the mouse can miss one that moves while answers come. */
const unfold = (page: EnginePage, selector: string): Promise<void> =>
  page.evaluate(`document.querySelector(${JSON.stringify(selector)}).click()`);

/** Opens the search page with the built-in notes. A job before may have left its documents. */
async function openSearch(page: EnginePage, site: string): Promise<void> {
  await page.goto(`${site}search/index.html`);
  await waitForText(page, '#status', /^Ready:/);
  if (!/^166 /.test((await textOf(page, '#documents-summary')) ?? '')) {
    await page.click('#saved-delete');
    await waitForText(page, '#saved-facts', /^$/);
    await page.goto(`${site}search/index.html`);
  }
  await waitForText(page, '#documents-summary', /^166 /);
  await waitForText(page, '#status', /^Ready:/);
}

/** Opens the chat page. It shows a story, or the conversation of a job before. */
async function openChat(page: EnginePage, address: string): Promise<void> {
  await page.goto(address);
  const written = `${isWritten}.test(document.querySelector('#outcome').textContent)`;
  const restored = `document.querySelector('.turns[data-mode=chat] .turn.model') !== null`;
  const loaded = `/^stories/.test(document.querySelector('#model-name').textContent)`;
  await waitFor(page, `${loaded} && (${written} || ${restored})`, 'a text or a conversation');
}

/** The map of all passages: answers light up on it, and the keyboard shows one of its passages. */
const searchMap: PageJob = async ({ page }, site) => {
  await openSearch(page, site);
  await fill(page, '#query', 'trouble falling asleep at night');
  await waitForText(page, '#status', /^Best /);
  await unfold(page, '#map > summary');
  await waitForText(page, '.map-line', /166 passages.*similar meaning/);
  await waitFor(page, `${pixelsOf('--map-hit')} > 200`, 'answers on the map');
  await page.press('.point-map', 'ArrowRight');
  await waitForText(page, '.map-card.shown .map-card-text', /\w/);
  const shown = ((await textOf(page, '.map-card.shown .map-card-text')) ?? '').replace(/…$/, '');
  await page.press('.point-map', 'Enter');
  await waitForText(page, '.map-passage .result-text', /\w/);
  expect(await textOf(page, '.map-passage .result-text')).toContain(shown);
};

/** The map of all words, on which the looked-up word lights up, and a spelling that is proposed. */
const wordsMap: PageJob = async ({ page }, site) => {
  await page.goto(`${site}words/index.html`);
  await waitForText(page, '#lookup-line', /“winter” is in the list/);
  await unfold(page, '#vocabulary > summary');
  await waitForText(page, '.map-line', /[\d,]{5,} words.*used alike/, wordsMapMs);
  await waitFor(page, `${pixelsOf('--map-hit')} > 100`, 'the nearest words on the map');
  await fill(page, '#word', 'vioiln');
  await page.click('#word-form button[type=submit]');
  await waitForText(page, '#spellings button', /^violin$/);
};

/** The feature maps of a digit: drawn, and others for another digit. */
const featureMaps: PageJob = async ({ page }, site) => {
  const drawn = `[...document.querySelectorAll('#maps-layers canvas')].map((one) => one.toDataURL().length)`;
  await page.goto(`${site}classify/index.html`);
  await waitForText(page, '#answer', /This looks like 3/);
  await waitFor(page, `${drawn}.length === 10`, 'the maps of ten layers');
  const first = `document.querySelector('#maps-layers canvas')`;
  expect(await page.evaluate(`${first}.getAttribute('aria-label')`)).toMatch(
    /^conv 0: 8 maps of 28 × 28, from -?\d/,
  );
  const before = await page.evaluate<string>(`${first}.toDataURL()`);
  await page.click('#examples button');
  await waitForText(page, '#answer', /This looks like 0/);
  await waitFor(page, `${first}.toDataURL() !== ${JSON.stringify(before)}`, 'other maps');
  await page.click('#clear');
  await waitFor(page, `document.querySelector('#maps').hidden`, 'no maps without a picture');
};

/** A part of the architecture shows its tensors only. */
const architecture: PageJob = async ({ page }, site, files) => {
  const names = '#tensor-rows td.name button';
  await page.goto(`${site}check/index.html`);
  await page.setFiles('#files', [files.stories]);
  await waitForText(page, '#verdict-line', /^Valid AMB/);
  const all = await textsOf(page, names);
  await page.click('#architecture-drawing [aria-label^="Attention"] rect');
  await waitForText(page, '#part', /Parameters/);
  const shown = await textsOf(page, names);
  expect(shown.length).toBeGreaterThan(0);
  expect(shown.length).toBeLessThan(all.length);
  for (const name of shown) {
    expect(name).toMatch(/attn|attention/);
  }
};

/** Opens the menu “Share” of the answers, and clicks one of its entries. */
async function chooseShare(page: EnginePage, place: string, label: RegExp): Promise<void> {
  const entry = `#answer-actions .menu-list button${place}`;
  await page.click('#answer-actions .menu-opener');
  await waitForText(page, entry, label);
  await page.click(entry);
}

/** Results as Markdown: in the clipboard, or in a file where the browser lets no page copy. Then a program with the question. */
const copies: PageJob = async ({ page, downloads }, site) => {
  const passage = /Goldfish do badly in a bowl/;
  await openSearch(page, site);
  await fill(page, '#query', 'goldfish in a bowl');
  await waitForText(page, '#status', /^Best /);
  await page.evaluate(`void (() => {
    const { clipboard } = navigator;
    const write = clipboard.write.bind(clipboard);
    clipboard.write = (items) => {
      const text = items[0].getType('text/plain').then((blob) => blob.text());
      text.then((known) => (globalThis.copied = known), () => undefined);
      return write(items);
    };
  })()`);
  await chooseShare(page, ':nth-of-type(2)', /^Copy as Markdown$/);
  await waitForText(page, '#status', /^Copied \d+ passages as Markdown|It saved \d+ passages as /);
  const told = (await textOf(page, '#status')) ?? '';
  const [, name] = /as (\S+\.md) instead/.exec(told) ?? [];
  if (name === undefined) {
    await waitFor(page, `${passage}.test(globalThis.copied)`, 'the copied text');
  } else {
    const saved = () => readFile(join(downloads, name), 'utf8').catch(() => '');
    await expect.poll(saved, { timeout: 45_000, message: `the file ${name}` }).toMatch(passage);
  }

  await chooseShare(page, ':last-of-type', /^Use this in your page$/);
  await waitForText(page, '#answer-actions .snippets pre', /from 'ambry'[\s\S]*goldfish in a bowl/);
};

/** The theme that a user chooses holds on the next page. */
const theme: PageJob = async ({ page }, site) => {
  const isDark = `document.documentElement.dataset.theme === 'dark'`;
  const background = 'getComputedStyle(document.body).backgroundColor';
  await page.goto(`${site}words/index.html`);
  const before = await page.evaluate<string>(background);
  await page.click('#theme');
  await page.click('#theme');
  await waitFor(page, isDark, 'the dark theme');
  expect(await page.evaluate(background)).not.toBe(before);
  await page.goto(`${site}check/index.html`);
  expect(await page.evaluate(isDark)).toBe(true);
  await page.click('#theme');
  await waitFor(page, `!(${isDark})`, 'the theme of the system');
};

/** A second tab of a conversation says so, and shows what the first one said. */
const secondTab: PageJob = async ({ page }, site) => {
  const address = `${site}chat/index.html`;
  const other = (selector: string): string =>
    `(globalThis.tab?.document?.querySelector(${JSON.stringify(selector)})?.textContent ?? '')`;
  await openChat(page, address);
  await page.click('input[name=mode][value=chat]');
  await fill(page, '#draft', 'What does a dragon eat?');
  await page.click('#submit');
  await waitForText(page, '.turn.model .turn-text', /\w{3}/);
  await waitForText(page, '#outcome', isWritten);
  // Browsers open tabs at a click only.
  await page.evaluate(`void (() => {
    const opener = Object.assign(document.createElement('button'), { id: 'open-tab', textContent: 'Open' });
    opener.onclick = () => (globalThis.tab = open(${JSON.stringify(address)}));
    document.querySelector('main').prepend(opener);
  })()`);
  await page.click('#open-tab');
  try {
    const says = `${other('#tab-line')}.includes('Another tab has this conversation open.')`;
    await waitFor(page, says, 'the notice of the second tab');
    await waitFor(page, `${other('.turn.user')}.includes('dragon')`, 'what was said');
    expect(await textOf(page, '#tab-line')).toBe('');
  } finally {
    await page.evaluate('void globalThis.tab?.close()');
  }
};

/** Word vectors that are given to the chat page open on the words page. */
const handOver: PageJob = async ({ page }, site) => {
  await openChat(page, `${site}chat/index.html`);
  await page.setFiles('#files', [join(models, 'books-96.fifu')]);
  await waitForText(page, '#problem h2', /This is a file of word vectors\./);
  await page.click('#problem .remedy');
  await waitForText(page, '#file-name', /^books-96/);
};

async function withThemeReset(page: EnginePage, job: () => Promise<void>): Promise<void> {
  try {
    await job();
  } finally {
    await page.evaluate(`localStorage.removeItem('ambry-theme')`);
  }
}

/** By what the table calls them. */
export const featureJobs: Readonly<Record<string, PageJob>> = {
  'map of all passages': searchMap,
  'map of all words': wordsMap,
  'feature maps': featureMaps,
  'architecture of a model': architecture,
  'copies and programs': copies,
  theme: (engine, ...rest) => withThemeReset(engine.page, () => theme(engine, ...rest)),
  'second tab': secondTab,
  'hand-over to another page': handOver,
};
