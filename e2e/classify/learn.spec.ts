// The part of the classify page that learns from texts.
import { readFile } from 'node:fs/promises';
import { expect } from '../fixtures.ts';
import { test } from '../pages/classify-page.ts';
import { chooseFiles, download } from '../pages/files.ts';
import { excessWidth } from '../support/layout.ts';

const table = new URL('../../tests/fixtures/classifier/examples.csv', import.meta.url);

test('typed examples are learned, tried and saved', async ({ classify }) => {
  const { page } = classify;
  const learn = page.getByRole('region', { name: 'Learn from texts' });
  const examples = learn.getByLabel(/^Examples: a label/);
  await learn.getByRole('button', { name: 'Fill in examples' }).click();
  await expect(examples).toHaveValue(/^room: /);
  await learn.getByRole('button', { name: 'Learn', exact: true }).click();
  await expect(learn.getByRole('status')).toContainText('Learned 3 labels from 15 texts.');
  await expect(learn.getByRole('status')).toContainText(/Of 3 texts .* it got [0-3] right/);
  await learn.getByLabel('A text to try').fill('What is there for breakfast?');
  const labels = learn.getByRole('list', { name: 'Labels of the text' }).getByRole('listitem');
  await expect(labels).toHaveCount(3);
  await expect(labels.first()).toContainText(/^food/);
  const saved = await download(page, () =>
    learn.getByRole('button', { name: 'Save the classifier' }).click(),
  );
  expect(saved.toString('latin1')).toContain('"format":"ambry-classifier"');
  await learn.getByLabel('A text to try').fill('');
  await expect(labels).toHaveCount(0);
  await page.setViewportSize({ width: 360, height: 700 });
  expect(await excessWidth(page)).toBe(0);
});

test('a table is learned, chosen or dropped', async ({ page, classify }) => {
  const learn = page.getByRole('region', { name: 'Learn from texts' });
  const file = { name: 'examples.csv', buffer: await readFile(table) };
  await chooseFiles(learn.getByLabel('Choose examples…'), [file]);
  await expect(learn.getByRole('status')).toContainText('Learned 4 labels from 40 texts.');
  const few = Buffer.from('text,label\nmy card,card\nmy money,money\n');
  await classify.drop({ name: 'few.csv', buffer: few });
  await expect(learn.getByRole('status')).toContainText('Learned 2 labels from 2 texts.');
  await expect(learn.getByRole('status')).toContainText('Give five texts or more');
});

test('what cannot be learned is said, and changes nothing', async ({ page, classify }) => {
  const learn = page.getByRole('region', { name: 'Learn from texts' });
  const examples = learn.getByLabel(/^Examples: a label/);
  const button = learn.getByRole('button', { name: 'Learn', exact: true });
  await examples.fill('card: my card\nno label here');
  await button.click();
  await expect(classify.status).toContainText('Line 2 needs a label, a colon and a text.');
  await examples.fill('card: my card');
  await button.click();
  await expect(classify.status).toContainText('Write texts with at least two labels.');
  const bad = { name: 'bad.jsonl', buffer: Buffer.from('{"text":"a","label":"b"}\n{') };
  await chooseFiles(learn.getByLabel('Choose examples…'), [bad]);
  await expect(classify.alert).toContainText('The texts could not be learned');
  await expect(learn.getByRole('status')).toBeHidden();
});
