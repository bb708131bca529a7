import { expect } from '../fixtures.ts';
import { test } from '../pages/search-page.ts';

test('an exported index is imported with its passages', async ({ search }) => {
  await search.addDocuments({
    name: 'notes.jsonl',
    buffer: Buffer.from('"Lighthouses warn ships at night."\n"Candles are made of wax."\n'),
  });
  await expect(search.documents).toContainText('notes.jsonl');
  const exported = await search.exportIndex();
  await search.documents.getByRole('button', { name: 'Back to the built-in notes' }).click();
  await expect(search.documents).toContainText('166 passages');

  await search.importIndex('notes.ambryindex', exported);
  await expect(search.status).toContainText('Imported 2 passages');
  await expect(search.fact(search.index, 'Vectors')).toHaveText('2');
  await search.ask('what are candles made of');
  await expect(search.results.first()).toContainText('Candles are made of wax');
});

test('an index can be dropped', async ({ search }) => {
  const exported = await search.exportIndex();
  await search.drop({ name: 'dropped.ambryindex', buffer: exported });
  await expect(search.status).toContainText('Imported 166 passages');
});

test('an index of another model is refused', async ({ search, tiny }) => {
  const exported = await search.exportIndex();
  await search.chooseModel({ name: 'tiny.weights', buffer: tiny });
  await expect(search.fact(search.index, 'Dimensions')).toHaveText('32');
  await search.importIndex('other.ambryindex', exported);
  await expect(search.alert).toContainText('The index was not imported');
  await expect(search.fact(search.alert, 'Code')).toHaveText('Mismatch');
  await expect(search.fact(search.index, 'Vectors')).toHaveText('166');
});

test('a damaged index is refused', async ({ search }) => {
  const exported = await search.exportIndex();
  const flipped = Buffer.from(exported);
  flipped[flipped.length - 100] = (flipped[flipped.length - 100] ?? 0) ^ 0xff;
  await search.importIndex('damaged.ambryindex', flipped);
  await expect(search.alert).toContainText('The index was not imported');
  await expect(search.fact(search.alert, 'Code')).toHaveText('Mismatch');
  await search.alert.getByRole('button', { name: 'Dismiss' }).click();
  await search.importIndex('short.ambryindex', Buffer.from(exported.subarray(0, 1000)));
  await expect(search.fact(search.alert, 'Code')).toHaveText('Truncated');
});

test('a damaged index is rebuilt from its passages', async ({ search }) => {
  const exported = await search.exportIndex();
  exported.writeUInt8(exported.readUInt8(exported.length - 100) ^ 0xff, exported.length - 100);
  await search.importIndex('damaged.ambryindex', exported);
  await search.alert.getByRole('button', { name: 'Rebuild it from its 166 passages' }).click();
  await expect(search.documents).toContainText('damaged');
  await expect(search.fact(search.index, 'Vectors')).toHaveText('166');
  await expect(search.alert).toBeEmpty();
});

test('the passages of another model’s index are indexed with this one', async ({
  search,
  tiny,
}) => {
  const exported = await search.exportIndex();
  await search.chooseModel({ name: 'tiny.weights', buffer: tiny });
  await expect(search.fact(search.index, 'Dimensions')).toHaveText('32');
  await search.importIndex('other.ambryindex', exported);
  await search.alert
    .getByRole('button', { name: 'Index its 166 passages with this model' })
    .click();
  await expect(search.documents).toContainText('other');
  await expect(search.fact(search.index, 'Vectors')).toHaveText('166');
});
