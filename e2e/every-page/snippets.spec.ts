// “Use this in your page”: each program runs in a page that has the package and nothing else, and gives the results of the page
// that made it. Command lines run in a terminal.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { expect } from '../fixtures.ts';
import { test } from '../package/package-site.ts';
import { ChatPage } from '../pages/chat-page.ts';
import { CheckPage } from '../pages/check-page.ts';
import { ClassifyPage } from '../pages/classify-page.ts';
import { ConvertPage } from '../pages/convert-page.ts';
import { SearchPage } from '../pages/search-page.ts';
import { WordsPage } from '../pages/words-page.ts';
import { showPrograms } from '../support/share.ts';

const run = promisify(execFile);
const command = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** The programs that a page offers. */
async function snippetsOf(page: Page, host = '.share'): Promise<string[]> {
  await showPrograms(page, host);
  const programs = page.locator(`${host} pre`);
  await expect(programs.first()).toBeVisible();
  return programs.allInnerTexts();
}

/** Runs the program of another page, and returns what it prints first. Other sites may not read the models of this one, so the
 *  test gives them the leave. */
async function printed(page: Page, origin: string, site: string, code: string): Promise<unknown> {
  const other = await page.context().newPage();
  try {
    await other.route(`${site}**`, async (route) => {
      const response = await route.fetch();
      const allowed = {
        'access-control-allow-origin': '*',
        'access-control-expose-headers': '*, content-range, content-length, etag, accept-ranges',
      };
      await route.fulfill({ response, headers: { ...response.headers(), ...allowed } });
    });
    await other.goto(origin);
    const failed = new Promise<never>((_, reject) => other.once('pageerror', reject));
    const line = Promise.race([other.waitForEvent('console', { timeout: 45_000 }), failed]);
    await other.evaluate((text) => {
      const add = (type: string, content: string): void => {
        const script = document.createElement('script');
        script.type = type;
        script.textContent = content;
        document.head.append(script);
      };
      add('importmap', JSON.stringify({ imports: { ambry: '/index.js' } }));
      add('module', text);
    }, code);
    return await (await line).args()[0]?.jsonValue();
  } finally {
    await other.close();
  }
}

test('a search gives the same passages', async ({ page, site, packageSite: { origin } }) => {
  const search = new SearchPage(page, site);
  await search.open();
  await search.ask('goldfish in a bowl');
  await expect(search.results.first().locator('.closeness')).toBeVisible();
  const texts = await search.results.locator('.result-text').allInnerTexts();
  const [code = ''] = await snippetsOf(page);
  const hits = (await printed(page, origin, site, code)) as [number, string][];
  expect(hits.map(([, text]) => text)).toEqual(texts);
  const shown = await search.results.first().locator('.result-score').getAttribute('title');
  expect(shown).toContain(`Meaning alone: ${hits[0]?.[0].toFixed(3)}`);
});

test('a lookup and an analogy give the same words', async ({
  page,
  site,
  packageSite: { origin },
}) => {
  const words = new WordsPage(page, site);
  await words.goto('?word=violin&k=10&a=france&b=paris&c=england&include=yes');
  await expect(words.answer).toContainText('“violin”');
  await words.expectAllWords();
  await expect(words.answers).toHaveCount(10);
  const near = await words.nearest();
  const solved = await words.answers.getByRole('button').allTextContents();
  const [lookup = ''] = await snippetsOf(page, '#lookup-share');
  const [analogy = ''] = await snippetsOf(page, '#analogy-share');
  const wordsIn = (list: unknown): string[] => (list as { word: string }[]).map(({ word }) => word);
  expect(wordsIn(await printed(page, origin, site, lookup))).toEqual(near);
  expect(wordsIn(await printed(page, origin, site, analogy))).toEqual(solved);
});

test('a model writes the same text', async ({ page, site, packageSite: { origin } }) => {
  const chat = new ChatPage(page, site);
  await chat.open('?prompt=The+old+%3C%2Fscript%3E+robot&seed=7&maxTokens=30&topK=40');
  const text = (await chat.answers.allTextContents()).join('');
  const [code = ''] = await snippetsOf(page);
  expect(await printed(page, origin, site, code)).toBe(text);
});

test('a network gives the same answer', async ({ page, site, packageSite: { origin } }) => {
  const classify = new ClassifyPage(page, site);
  await classify.open();
  const picture = await classify.pad.evaluate((pad) => (pad as HTMLCanvasElement).toDataURL());
  await page
    .context()
    .route('**/picture.png', (route) =>
      route.fulfill({ contentType: 'image/png', body: Buffer.from(picture.slice(22), 'base64') }),
    );
  const shown = await classify.floats.first().locator('.score').innerText();
  const [code = ''] = await snippetsOf(page);
  const [best] = (await printed(page, origin, site, code)) as [{ index: number; score: number }];
  expect(best.index).toBe(3);
  expect(`${(100 * best.score).toFixed(1)} %`).toBe(shown);
});

test('a text and an entity model, and examples, give the same answers', async ({
  page,
  site,
  packageSite: { origin },
}) => {
  const classify = new ClassifyPage(page, site);
  const percent = (score: number): string => `${(100 * score).toFixed(1)} %`;
  await classify.openTask('text');
  const [labels = ''] = await snippetsOf(page, '#text-share');
  const [best] = (await printed(page, origin, site, labels)) as [{ score: number }];
  await expect(classify.labels.first()).toContainText(percent(best.score));
  await classify.openTask('names');
  const [names = ''] = await snippetsOf(page, '#names-share');
  const found = (await printed(page, origin, site, names)) as { text: string; score: number }[];
  await expect(classify.entities.first()).toContainText(found[0]?.text ?? 'nothing');
  expect(found).toHaveLength(await classify.entities.count());
  await classify.openTask('labels');
  await classify.learn.getByRole('button', { name: 'Learn a sample' }).click();
  const learned = classify.learn.getByRole('listitem');
  await expect(learned).toHaveCount(3);
  const [examples = ''] = await snippetsOf(page, '#learn-share');
  const [first] = (await printed(page, origin, site, examples)) as [{ score: number }];
  await expect(learned.first()).toContainText(percent(first.score));
});

test('a check finds the same, also on the command line', async ({
  page,
  site,
  packageSite: { origin },
}) => {
  const check = new CheckPage(page, site);
  await check.goto('?url=models/stories.amb');
  await expect(check.verdict).toContainText('AMB');
  const [code = '', line = ''] = await snippetsOf(page);
  expect(await printed(page, origin, site, code)).toMatchObject({ valid: true, errors: [] });
  const { stdout } = await run('sh', [
    '-c',
    line.replace('npx ambry', '"$0" "$1"'),
    process.execPath,
    command,
  ]);
  expect(stdout).toContain('valid');
});

for (const storage of ['As in the source', '8-bit blocks (Q8_0)']) {
  test(`a conversion makes the same file on the command line: ${storage}`, async ({
    page,
    site,
  }) => {
    // Then the browser downloads the file, without asking for its place.
    await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'showSaveFilePicker'));
    const converter = new ConvertPage(page, site);
    await converter.goto('?url=models/stories.amb&to=gguf');
    await expect(converter.target('GGUF')).toBeChecked();
    await converter.storeAs(storage);
    await converter.convert();
    const file = await converter.save();
    const [line = ''] = await snippetsOf(page);
    const folder = await mkdtemp(path.join(tmpdir(), 'ambry-snippet-'));
    try {
      const shell = line.replace('npx ambry', '"$0" "$1"');
      await run('sh', ['-c', shell, process.execPath, command], { cwd: folder });
      const name = await converter.outcome.getByRole('heading', { level: 2 }).innerText();
      expect(file.equals(await readFile(path.join(folder, name)))).toBe(true);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
}
