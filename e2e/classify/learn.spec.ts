// The part of the classify page that learns from texts.
import { readFile } from 'node:fs/promises';
import { test as base, expect } from '../fixtures.ts';
import { ClassifyPage } from '../pages/classify-page.ts';
import { chooseFiles, download } from '../pages/files.ts';
import { endWorkers } from '../support/end-workers.ts';
import { excessWidth } from '../support/layout.ts';

/** The page shows the task. */
const test = base.extend<{ classify: ClassifyPage }>({
  classify: async ({ page, site }, use) => {
    const classify = new ClassifyPage(page, site);
    await classify.openTask('labels');
    await use(classify);
  },
});

const table = new URL('../../tests/fixtures/classifier/examples.csv', import.meta.url);

test('typed examples are learned, tried, saved and opened again', async ({ classify }) => {
  const { page, learn } = classify;
  const examples = learn.getByLabel(/^Examples: on each line/);
  const status = learn.getByRole('status');
  const labels = learn.getByRole('list', { name: 'Labels of the text' }).getByRole('listitem');
  await learn.getByRole('button', { name: 'Learn a sample' }).click();
  await expect(examples).toHaveValue(/^room: /);
  await expect(status).toContainText('Learned 3 labels from 15 texts.');
  await expect(status).toContainText(/Of 3 texts .* it got [0-3] right/);
  await expect(labels.first()).toContainText(/^food/);
  await learn.getByText('How good it is for each label').click();
  await expect(learn.locator('#learned-scores li')).toHaveText([
    /^room: \d of 1$/,
    /^food:/,
    /^travel:/,
  ]);
  await learn.getByLabel('A text to try').fill('How far is the airport by taxi?');
  await expect(labels.first()).toContainText(/^travel/);
  await expect(labels).toHaveCount(3);
  const saved = await download(page, () =>
    learn.getByRole('button', { name: 'Save the classifier' }).click(),
  );
  expect(saved.toString('latin1')).toContain('"format":"ambry-classifier"');
  await learn.getByLabel('A text to try').fill('');
  await expect(labels).toHaveCount(0);
  await page.setViewportSize({ width: 360, height: 700 });
  expect(await excessWidth(page)).toBe(0);

  await classify.open();
  await classify.drop({ name: 'classifier.safetensors', buffer: saved });
  await expect(status).toContainText('It knows 3 labels from 15 texts.', { timeout: 30_000 });
  await expect(classify.tasks.getByRole('link', { name: 'Own labels' })).toHaveAttribute(
    'aria-current',
    'page',
  );
  await learn.getByLabel('A text to try').fill('Is there soup for dinner?');
  await expect(labels.first()).toContainText(/^food/);
});

test('lines of a table are pasted, and the button learns them', async ({ classify }) => {
  const { learn } = classify;
  await learn
    .getByLabel(/^Examples: on each line/)
    .fill('card\tMy card: lost\nmoney\tWhere is my money?');
  await learn.getByRole('button', { name: 'Learn', exact: true }).click();
  await expect(learn.getByRole('status')).toContainText('Learned 2 labels from 2 texts.');
  await expect(learn.getByRole('status')).toContainText('Give five texts or more');
});

test('a table is learned, chosen or dropped', async ({ classify }) => {
  const { learn } = classify;
  const file = { name: 'examples.csv', buffer: await readFile(table) };
  await chooseFiles(learn.getByLabel('Choose examples…'), [file]);
  await expect(learn.getByRole('status')).toContainText('Learned 4 labels from 40 texts.');
  const few = Buffer.from('text,label\nmy card,card\nmy money,money\n');
  await classify.drop({ name: 'few.csv', buffer: few });
  await expect(learn.getByRole('status')).toContainText('Learned 2 labels from 2 texts.');
});

test('what cannot be learned is said, and changes nothing', async ({ classify }) => {
  const { learn } = classify;
  const examples = learn.getByLabel(/^Examples: on each line/);
  const button = learn.getByRole('button', { name: 'Learn', exact: true });
  await examples.fill('card: my card\nno label here');
  await button.click();
  await expect(classify.status).toContainText(
    'Line 2 needs a label, a colon or a tab, and a text.',
  );
  await examples.fill('card: my card');
  await button.click();
  await expect(classify.status).toContainText('Write texts with at least two labels.');
  const bad = { name: 'bad.jsonl', buffer: Buffer.from('{"text":"a","label":"b"}\n{') };
  await chooseFiles(learn.getByLabel('Choose examples…'), [bad]);
  await expect(classify.alert).toContainText('The texts could not be learned');
  await expect(learn.getByRole('status')).toContainText('Nothing is learned yet.');
});

test('an encoder whose worker crashed is opened again, and learns the examples again', async ({
  page,
  classify,
}) => {
  const { learn } = classify;
  await learn.getByRole('button', { name: 'Learn a sample' }).click();
  await expect(learn.getByRole('listitem').first()).toContainText(/^food/);
  await endWorkers(page);
  await learn.getByLabel('A text to try').fill('How far is the airport by taxi?');
  await expect(learn.getByRole('listitem').first()).toContainText(/^travel/);
  await endWorkers(page);
  await learn.getByRole('button', { name: 'Learn', exact: true }).click();
  await expect(learn.getByRole('status')).toContainText('Learned 3 labels from 15 texts.');
  await expect(classify.alert).toBeEmpty();
});
