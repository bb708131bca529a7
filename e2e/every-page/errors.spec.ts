// What pages say about files and addresses that they cannot open: what it is, and what to do.

import { readFileSync } from 'node:fs';
import { mergeTests, type Page } from '@playwright/test';
import { expect } from '../fixtures.ts';
import { test as checkTest } from '../pages/check-page.ts';
import { test as classifyTest } from '../pages/classify-page.ts';
import { FailureMessage } from '../pages/failure.ts';
import { dropFiles, type GivenFile } from '../pages/files.ts';

const test = mergeTests(checkTest, classifyTest);

const builtIn = (name: string): Buffer =>
  readFileSync(new URL(`../../web/demo/public/models/${name}`, import.meta.url));

const named = (name: string, content: string | Buffer): GivenFile => ({
  name,
  buffer: Buffer.from(content as string, 'latin1'),
});

const png = named('photo.png', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01');
const zip = named('files.zip', `PK\x03\x04${'\0'.repeat(22)}\x05\0\0\0a.txthello`);
const html = named('model.weights', '<!DOCTYPE html><title>404 Not Found</title>');
const pointer = named('model.gguf', 'version https://git-lfs.github.com/spec/v1\noid sha256:0\n');
const empty = named('empty.weights', '');

/** The pages that open models, what each says that it wanted, and a model that it says is cut off. */
const pages = [
  ['search', 'a model or a document', 'english-static-336.weights'],
  ['words', 'word vectors', 'books-96.fifu'],
  ['chat', 'a language model', 'stories.amb'],
  ['convert', 'a model', undefined],
] as const;

async function openPage(page: Page, site: string, name: string): Promise<FailureMessage> {
  await page.goto(`${site}${name}/index.html`);
  // The built-in model is open.
  await expect(page.getByRole('region', { name: 'Work in progress' })).toBeHidden({
    timeout: 30_000,
  });
  await expect(page.locator('#drop-overlay')).toBeAttached();
  return new FailureMessage(page);
}

async function expectCutOff(page: Page, model: string): Promise<void> {
  const failure = new FailureMessage(page);
  const whole = builtIn(model);
  await dropFiles(page, [{ name: model, buffer: whole.subarray(0, whole.length >> 1) }]);
  await expect(failure.title).toHaveText(/^Cut off: .* bytes are here\.$/);
  await expect(failure.box).toContainText('Get it again.');
  await expect(failure.details).toContainText('Truncated');
  await expect(failure.button('Open it on the Check page')).toBeVisible();
}

for (const [name, wanted, model] of pages) {
  test(`the ${name} page says what other files are, and what to do`, async ({ page, site }) => {
    const failure = await openPage(page, site, name);
    await dropFiles(page, [png]);
    await expect(failure.title).toHaveText(`This is a PNG picture, not ${wanted}.`);
    await expect(failure.box).toContainText('The Classify page reads pictures.');
    await expect(failure.button('Open it on the Classify page')).toBeVisible();
    await expect(failure.details).not.toHaveAttribute('open');
    await failure.details.getByText('Details').click();
    await expect(failure.details).toContainText('BadMagic');

    for (const [file, title, advice] of [
      [zip, `This is a ZIP archive, not ${wanted}.`, 'Unpack it'],
      [html, `This is a web page (HTML), not ${wanted}.`, 'Download the file again'],
      [pointer, `This is a Git LFS pointer, not ${wanted}.`, 'git lfs pull'],
      [empty, 'The file is empty.', 'Get it again'],
    ] as const) {
      await dropFiles(page, [file]);
      await expect(failure.title).toHaveText(title);
      await expect(failure.box).toContainText(advice);
    }
    await failure.button('Dismiss').click();
    await expect(failure.box).toBeEmpty();
    if (model !== undefined) {
      await expectCutOff(page, model);
    }
  });
}

test('the classify page says what other files are', async ({ classify, page }) => {
  const failure = new FailureMessage(page);
  for (const [file, title] of [
    [zip, 'This is a ZIP archive, not a classifier or a picture.'],
    [pointer, 'This is a Git LFS pointer, not a classifier or a picture.'],
    [empty, 'The file is empty.'],
    [
      named('photo.png', 'Not a picture at all.'),
      'This is a text file, not a classifier or a picture.',
    ],
  ] as const) {
    await dropFiles(page, [file]);
    await expect(failure.title).toHaveText(title);
  }
  await expect(classify.alert).toBeVisible();
  await expectCutOff(page, 'digits-vanilla.bin');
});

test('the check page says what other files are', async ({ check, page }) => {
  for (const [file, line] of [
    [png, 'This is a PNG picture, not a model. The Classify page reads pictures.'],
    [zip, 'This is a ZIP archive, not a model. Unpack it, and choose the file that is inside.'],
    [pointer, /^This is a Git LFS pointer, not a model\./],
    [html, /^This is a web page \(HTML\), not a model\./],
    [
      named('model.tflite', '\x1c\0\0\0TFL3'),
      /^This is a TensorFlow Lite model \(LiteRT\), which Ambry does not read\./,
    ],
    [empty, /^The file is empty\./],
  ] as const) {
    await dropFiles(page, [file]);
    await expect(check.verdict).toHaveText(line);
  }
  await check.report.getByText('Details').click();
  await expect(check.report).toContainText('Truncated: ');
});

test('a model of another page is handed over to it', async ({ page, site }) => {
  const failure = await openPage(page, site, 'chat');
  await dropFiles(page, [{ name: 'books.fifu', buffer: builtIn('books-96.fifu') }]);
  await expect(failure.title).toHaveText('This is a file of word vectors.');
  await failure.button('Open it on the Words page').click();
  await expect(page).toHaveURL(/words\/index\.html/);
  await expect(page.locator('#file-name')).toHaveText('books', { timeout: 30_000 });
});

test('a model of another page at an address opens there', async ({ page, site }) => {
  const failure = await openPage(page, site, 'words');
  await page.getByText('Open an address').click();
  await page.locator('#url').fill(`${site}models/stories.amb`);
  await page.locator('#url').press('Enter');
  await expect(failure.title).toHaveText('This is a language model.');
  await failure.button('Open it on the Chat page').click();
  await expect(page).toHaveURL(/chat\/index\.html\?url=/);
  await expect(page.getByRole('region', { name: 'Model', exact: true })).toContainText('stories', {
    timeout: 30_000,
  });
});

for (const [name, label, submit] of [
  ['search', 'Address of a model, or its name at the hub', 'Load'],
  ['words', 'Address of word vectors, or their name at the hub', 'Open'],
] as const) {
  test(`the ${name} page says why an address gives nothing`, async ({
    page,
    site,
    faulty,
    browserErrors,
  }) => {
    browserErrors.expect(/404|CORS|ERR_FAILED/);
    const failure = await openPage(page, site, name);
    const ask = async (path: string): Promise<void> => {
      const field = page.getByLabel(label);
      if (!(await field.isVisible())) {
        await page.locator('summary', { hasText: /^Open (an address|another model)$/ }).click();
      }
      await field.fill(`${faulty.origin}${path}`);
      await field.locator('..').getByRole('button', { name: submit }).click();
    };
    await ask('/missing.weights');
    await expect(failure.title).toHaveText('There is no file at this address.');
    await ask('/closed.weights');
    const { host } = new URL(faulty.origin);
    await expect(failure.title).toHaveText(`${host} does not answer.`);
    await expect(failure.box).toContainText(`the page asked for ${faulty.origin}/closed.weights`);
    await expect(failure.box).toContainText('Download it in your browser');
    await ask('/html.weights');
    await expect(failure.title).toHaveText(/web page/i);
    // Really offline, the page's own parts would not come either.
    await page.evaluate(() => Object.defineProperty(navigator, 'onLine', { value: false }));
    await ask('/closed.weights');
    await expect(failure.title).toHaveText('You are offline, so the address cannot be reached.');
  });
}

test('a message ends when the next job has succeeded', async ({ page, site }) => {
  const failure = await openPage(page, site, 'words');
  await dropFiles(page, [png]);
  await expect(failure.title).toBeVisible();
  await dropFiles(page, [{ name: 'books.fifu', buffer: builtIn('books-96.fifu') }]);
  await expect(page.locator('#file-name')).toHaveText('books');
  await expect(failure.box).toBeEmpty();
});

test('a bar of unknown length moves, unless people ask for less motion', async ({ page, site }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto(`${site}convert/index.html`);
  const bar = page.locator('#job-progress');
  // As while a job runs that does not know its length.
  await page.locator('#job').evaluate((job: HTMLElement) => {
    job.hidden = false;
  });
  const moving = () =>
    bar.evaluate((element) => element.getAnimations().some((one) => one.playState === 'running'));
  expect(await moving()).toBe(true);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await moving()).toBe(false);
});
