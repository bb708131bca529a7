// The main job of each page, as a user does it.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { EnginePage, RunningEngine } from '../support/engine-page.ts';
import { storyOfNode, type TestFiles } from '../support/test-files.ts';
import { fill, textOf, textsOf, waitFor, waitForText } from '../support/view.ts';

export type PageJob = (engine: RunningEngine, site: string, files: TestFiles) => Promise<void>;

async function ask(page: EnginePage, question: string, answer: RegExp): Promise<void> {
  await fill(page, '#query', question);
  await waitForText(page, '#results > li .result-text', answer);
  expect(await textOf(page, '#status')).toMatch(/^Best /);
}

/** The landing page says what a file is, and hands it to the page that checks it. */
export const home: PageJob = async ({ page }, site, files) => {
  await page.goto(site);
  await page.setFiles('#files', [files.damaged]);
  await waitForText(page, '#found-list .verdict-line', /^Damaged\. /);
  await page.click('#found-list .actions button');
  await waitForText(page, '#verdict-line', /^Damaged EMBD/);
};

/** A link shows its word and its analogy, and Back shows the word before. */
export const links: PageJob = async ({ page }, site) => {
  await page.goto(`${site}words/index.html?word=violin&a=walked&b=walk&c=climb`);
  await waitForText(page, '#lookup-line', /“violin” is in the list/);
  await waitForText(page, '#analogy-line', /walked is to walk as climb/);
  await fill(page, '#word', 'honest');
  await page.click('#word-form button[type=submit]');
  await waitForText(page, '#lookup-line', /“honest” is in the list/);
  await waitFor(page, 'location.search.includes("word=honest")', 'the address with the word');
  await page.evaluate('history.back()');
  await waitForText(page, '#lookup-line', /“violin” is in the list/);
};

/** The built-in model finds a passage by its meaning, and a passage of a document that the user adds. */
export const search: PageJob = async ({ page }, site, files) => {
  await page.goto(`${site}search/index.html`);
  await waitForText(page, '#status', /^Ready:/);
  await ask(page, 'trouble falling asleep at night', /^Insomnia often yields to plain habits/);
  await page.setFiles('#document-files', [files.document]);
  await waitForText(page, '#status', /^Added /);
  await ask(page, 'why does the sea rise and fall?', /^The tides of the sea follow the moon/);
};

/** A valid file, and a damaged one with the byte of its error. */
export const check: PageJob = async ({ page }, site, files) => {
  await page.goto(`${site}check/index.html`);
  await page.setFiles('#files', [files.valid]);
  await waitForText(page, '#verdict-line', /^Valid EMBD F0 1\.0.* Structure and checksums were/);
  expect(await textsOf(page, '#problem-list > li')).toEqual([]);
  await page.setFiles('#files', [files.damaged]);
  await waitForText(page, '#verdict-line', /^Damaged EMBD/);
  const problems = await textsOf(page, '#problem-list .finding-place');
  expect(problems.some((text) => /Mismatch at byte 56 .*header_checksum/.test(text))).toBe(true);
};

/** The nearest words of a word that the user types. */
export const words: PageJob = async ({ page }, site) => {
  await page.goto(`${site}words/index.html`);
  await waitForText(page, '#analogy-line', /man is to king as woman is to queen/);
  await fill(page, '#word', 'violin');
  await page.click('#word-form button[type=submit]');
  await waitForText(page, '#lookup-line', /“violin” is in the list/);
  const nearest = await textsOf(page, '#neighbours button');
  expect(nearest).toHaveLength(20);
  expect(nearest).toContain('piano');
};

/** A digit that the user draws. */
export const classify: PageJob = async ({ page }, site) => {
  await page.goto(`${site}classify/index.html`);
  await waitForText(page, '#answer', /This looks like 3/);
  await page.click('#clear');
  await waitForText(page, '#answer', /^$/);
  await page.stroke('#pad', [
    [0.26, 0.16],
    [0.74, 0.16],
    [0.44, 0.88],
  ]);
  await waitForText(page, '#answer', /This looks like 7.*All variants agree/);
};

/** The user opens a model file, which writes the same text as in Node; then it answers a message. */
export const chat: PageJob = async ({ page }, site, files) => {
  await page.goto(`${site}chat/index.html`);
  const isDone = /\d tokens?(, [\d,.]+ tokens\/s)?\.$/;
  await waitForText(page, '#outcome', isDone);
  await page.setFiles('#files', [files.stories]);
  await waitForText(page, '#model-name', /^my-stories/);
  await page.click('#newSeed');
  await fill(page, '#seed', '42');
  await fill(page, '#maxTokens', '60');
  await fill(page, '#draft', 'The old robot');
  await page.click('#submit');
  const expected = await storyOfNode('The old robot', { seed: 42, maxTokens: 60 });
  await waitFor(
    page,
    `[...document.querySelectorAll('.turn.model .turn-text')].map((one) => one.textContent).join('') === ${JSON.stringify(expected)}`,
    'the text that Node writes',
  );
  await page.click('input[name=mode][value=chat]');
  await fill(page, '#draft', 'What does a dragon eat?');
  await page.click('#submit');
  await waitForText(page, '.turn.model .turn-text', /\w{3}/);
  await waitForText(page, '#outcome', isDone);
};

/** The files of Hugging Face become one file, which the user saves. It has the bytes that Node writes. */
export const convert: PageJob = async ({ page, downloads }, site, files) => {
  await page.goto(`${site}convert/index.html`);
  await page.setFiles('#files', files.llama);
  await waitFor(
    page,
    `document.querySelector('#target-list input[value=amb]')?.disabled === false`,
    'AMB among the targets',
  );
  await page.click('#target-list input[value=amb]');
  await page.click('#convert');
  await waitForText(page, '#outcome-line', /Checked: structure and checksums are correct/);
  // Without this function, a part of Chromium, the page downloads the file, which the test can read.
  await page.evaluate('Reflect.deleteProperty(globalThis, "showSaveFilePicker")');
  await page.click('#save');
  const expected = await readFile(files.llamaAsAmb);
  const name = (await textOf(page, '#outcome-name')) ?? '';
  const saved = () => readFile(join(downloads, name)).catch(() => Buffer.alloc(0));
  await expect
    .poll(async () => (await saved()).length, { timeout: 45_000, message: `the file ${name}` })
    .toBe(expected.length);
  expect((await saved()).equals(expected)).toBe(true);
};

/** A model that the search page downloads is kept for the next visit, and the user deletes it. */
export async function deleteDownloads(page: EnginePage, site: string): Promise<void> {
  await page.goto(`${site}search/index.html`);
  await waitForText(page, '#status', /^Ready:/);
  await page.evaluate('document.querySelector("#model-url").closest("details").open = true');
  await page.type('#model-url', `${site}models/english-192x1.weights`);
  await page.click('#model-url-form button[type=submit]');
  await waitForText(page, '#saved-delete', /^Delete saved data \(\d[\d.]* MB\)$/);
  await page.click('#saved-delete');
  await waitForText(page, '#saved-facts', /^$/);
  expect(await textOf(page, '#problem')).toBe('');
}

export const pageJobs = { home, links, search, check, words, classify, chat, convert } as const;
