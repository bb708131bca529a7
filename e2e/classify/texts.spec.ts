// The task of the classify page that gives labels to a text.
import { readFile } from 'node:fs/promises';
import { headDirectory, nliLabels } from '../../tests/web/support/directories/head-directories.ts';
import { taggerDirectory } from '../../tests/web/support/directories/tagger-directories.ts';
import { test as base, expect } from '../fixtures.ts';
import { ClassifyPage } from '../pages/classify-page.ts';
import { FailureMessage } from '../pages/failure.ts';
import { endWorkers } from '../support/end-workers.ts';
import { excessWidth } from '../support/layout.ts';
import { chooseShare } from '../support/share.ts';

const test = base.extend<{ classify: ClassifyPage }>({
  classify: async ({ page, site }, use) => {
    const classify = new ClassifyPage(page, site);
    await classify.openTask('text');
    await use(classify);
  },
});

const models = new URL('../../web/demo/public/models/', import.meta.url);
const fastText = new URL('../../tests/fixtures/fasttext/', import.meta.url);
const read = async (name: string, folder: URL) => ({
  name: name.split('/').pop() ?? name,
  buffer: await readFile(new URL(name, folder)),
});

test('the language of a text is told while it is typed', async ({ page, classify }) => {
  const { text, labels } = classify;
  await expect(text.getByRole('status')).toContainText(/^German \(de\), \d\d\.\d % sure\.$/);
  await expect(labels).toHaveCount(5);
  await expect(labels.first()).toContainText(/^German \(de\)\s*\d\d\.\d %$/);
  await text.getByLabel('Text', { exact: true }).fill('');
  await expect(text.getByRole('status')).toHaveText('Type a text to see its labels.');
  await text
    .getByLabel('Text', { exact: true })
    .pressSequentially('Les enfants jouent dans le jardin');
  await expect(labels.first()).toContainText('French (fr)');
  await expect(page).toHaveURL(/task=text&text=Les\+enfants/);
  await page.reload();
  await expect(labels.first()).toContainText('French (fr)');
});

test('the newest text wins', async ({ classify }) => {
  const field = classify.text.getByLabel('Text', { exact: true });
  for (const text of [
    'Wo ist der Bahnhof?',
    'Où est la gare de Lyon ?',
    'The children are playing.',
  ]) {
    await field.fill(text);
  }
  await expect(classify.text.getByRole('status')).toContainText('English (en)');
  await classify.text.getByRole('button', { name: 'Kahvi on valmis.' }).press('Enter');
  await expect(field).toHaveValue('Kahvi on valmis.');
  await expect(classify.text.getByRole('status')).toContainText('Finnish (fi)');
});

test('more labels are shown on request, and a long list folds', async ({ classify }) => {
  const { text, labels } = classify;
  await text.getByText('Settings').click();
  await text.getByLabel('Best labels').selectOption('all');
  await expect(labels).toHaveCount(10);
  await text.getByRole('button', { name: 'Show all 14 labels' }).click();
  await expect(labels).toHaveCount(14);
  await text.getByText('Settings').click();
  await text.getByLabel('Best labels').selectOption('1');
  await expect(labels).toHaveCount(1);
});

test('labels are copied, and a link has the text', async ({ page, classify, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await chooseShare(page, 'Copy as CSV', '#text-share');
  await expect(classify.status).toHaveText('Copied 5 labels as CSV.');
  expect(await copied()).toMatch(/^label,score\r\n__label__de,0\.9/);
  await chooseShare(page, 'Copy as JSON', '#text-share');
  await expect(classify.status).toHaveText('Copied 5 labels as JSON.');
  expect(JSON.parse(await copied())).toMatchObject({
    labels: [{ label: '__label__de' }, {}, {}, {}, {}],
  });
  await classify.text.getByLabel('Text', { exact: true }).fill('Ein Text & noch einer');
  await chooseShare(page, 'Copy link', '#text-share');
  await expect(classify.status).toHaveText('Copied the link.');
  expect(new URL(await copied()).searchParams.get('text')).toBe('Ein Text & noch einer');
});

test('a model of fastText and an encoder with a head open in their tasks', async ({ classify }) => {
  await classify.drop(await read('labels.ftz', fastText));
  await expect(classify.model).toContainText('labels.ftz');
  await expect(classify.labels.first()).toBeVisible();
  await classify.drop(await read('entities-96x1.weights', models));
  await expect(classify.entities.first()).toBeVisible();
  await expect(classify.model).toContainText('6 labels: DATE, EMAIL, LOC, ORG, PER, PHONE');
  await classify.drop(await read('languages-14.ftz', models));
  await expect(classify.text.getByRole('status')).toContainText('German (de)');
  await classify.model.getByRole('button', { name: 'Back to the built-in model' }).click();
  await expect(classify.model).toContainText('built in');
});

/** The files of a directory as if they were dropped together. */
const flat = (directory: ReadonlyMap<string, Uint8Array>) =>
  [...directory]
    .filter(([path]) => !path.includes('/'))
    .map(([name, bytes]) => ({ name, buffer: Buffer.from(bytes) }));

test('the files of a directory open in the task of its head', async ({ classify }) => {
  await classify.drop(...flat(headDirectory({ labels: nliLabels })));
  await expect(classify.model).toContainText('3 labels: contradiction, entailment, neutral');
  await expect(classify.labels).toHaveCount(3);
  await classify.drop(...flat(taggerDirectory()));
  await expect(classify.model).toContainText('2 labels: LOC, PER');
  await expect(classify.entities.first()).toBeVisible();
});

test('a model is dropped while pictures are shown, and pictures while a text is', async ({
  page,
  classify,
}) => {
  await classify.open();
  await classify.drop(await read('languages-14.ftz', models));
  await expect(classify.labels.first()).toBeVisible();
  await expect(classify.picture).toBeHidden();
  await classify.drop(await read('digits-sq8.bin', models), await read('digits-plan.json', models));
  await expect(classify.picture).toBeVisible();
  await expect(classify.variants).toHaveCount(1);
  await page.goBack();
  await expect(classify.text).toBeVisible();
});

test('a link opens a model in the task for it', async ({ page, classify }) => {
  await classify.goto('?url=models/languages-14.ftz');
  await expect(classify.labels.first()).toBeVisible({ timeout: 30_000 });
  await expect(page).toHaveURL(/task=text&.*url=models%2Flanguages-14\.ftz/);
  await classify.goto('?url=models/entities-96x1.weights');
  await expect(classify.entities.first()).toBeVisible({ timeout: 30_000 });
  await classify.goto('?task=text&url=models/entities-96x1.weights&text=Ada');
  await expect(classify.entities.first()).toBeVisible({ timeout: 30_000 });
});

test('an address is typed', async ({ page, site, classify }) => {
  await classify.model.getByText('Open an address').click();
  await page.locator('#url').fill(`${site}models/languages-14.ftz`);
  await page.locator('#url').press('Enter');
  await expect(classify.model).toContainText('languages-14.ftz');
  await expect(classify.labels.first()).toBeVisible();
});

test('a text file is a text, and other files are told', async ({ page, classify }) => {
  await classify.drop({
    name: 'letter.txt',
    buffer: Buffer.from('Les enfants jouent dans le jardin.'),
  });
  await expect(classify.labels.first()).toContainText('French (fr)');
  const failure = new FailureMessage(page);
  const stories = await read('stories.amb', models);
  await classify.drop(stories);
  await expect(failure.title).toHaveText('This is a language model.');
  await expect(failure.button('Open it on the Chat page')).toBeVisible();
  const { buffer } = await read('languages-14.ftz', models);
  await classify.drop({ name: 'half.ftz', buffer: buffer.subarray(0, buffer.length / 2) });
  await expect(failure.title).toContainText('Cut off: ');
  await expect(classify.labels.first()).toContainText('French (fr)');
});

test('the tasks are links that keys reach, and fit on a phone', async ({ page, classify }) => {
  await classify.tasks.getByRole('link', { name: 'Names' }).focus();
  await page.keyboard.press('Enter');
  await expect(classify.entities.first()).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Find names in a text');
  await expect(page).toHaveTitle(/^Find names in a text/);
  await page.goBack();
  await expect(classify.text).toBeVisible();
  await page.setViewportSize({ width: 360, height: 700 });
  expect(await excessWidth(page)).toBe(0);
});

test('a model whose worker crashed is opened again', async ({ page, classify }) => {
  await endWorkers(page);
  const field = classify.text.getByLabel('Text', { exact: true });
  await field.fill('Les enfants jouent dans le jardin.');
  await expect(classify.labels.first()).toContainText('French (fr)');
  await classify.drop(await read('languages-14.ftz', models));
  await expect(classify.model).toContainText('languages-14.ftz');
  await endWorkers(page);
  await field.fill('The children are playing.');
  await expect(classify.labels.first()).toContainText('English (en)');
  await expect(classify.model).toContainText('languages-14.ftz');
});
