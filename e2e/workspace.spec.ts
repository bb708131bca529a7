// What a reload finds again, and how it is forgotten.
import { expect, test } from './fixtures.ts';
import type { GivenFile } from './pages/files.ts';

const file = (name: string, text: string): GivenFile => ({ name, buffer: Buffer.from(text) });

const kHarbour = file('harbour.txt', 'The ferry leaves the harbour at seven in the morning.');
const kWax = file('wax.txt', 'Candles are made of wax.');

function book(passages: number): GivenFile {
  const lines = Array.from(
    { length: passages },
    (_, n) => `{"text":"Line ${n} of a long book about the sea, the wind and ${n % 97} ships."}`,
  );
  return file('book.jsonl', lines.join('\n'));
}

const kForget = /^Forget everything kept here/;

test('documents survive a reload, and what was removed stays away', async ({ page, search }) => {
  await expect(search.kept).toBeHidden();
  await search.addDocuments(kHarbour, kWax);
  await expect(search.status).toContainText('Added 2 passages from 2 documents.');
  await expect(search.kept).toBeVisible();
  await search.reload();
  await expect(search.documents).toContainText('2 passages');
  await search.ask('when does the boat depart');
  await expect(search.results.first()).toContainText('The ferry leaves the harbour');
  await expect(search.kept).toContainText('Documents');

  await page.getByRole('button', { name: 'Remove harbour.txt' }).click();
  await expect(search.documents).not.toContainText('harbour.txt');
  await expect(search.progress).toBeHidden();
  await search.reload();
  await expect(search.documents).toContainText('wax.txt');
  await expect(search.documents).toContainText('1 passage');
  await expect(search.documents).not.toContainText('harbour.txt');
});

test('the model survives a reload: a file', async ({ search, tiny }) => {
  await search.indexDocuments(kHarbour);
  await search.chooseModel({ name: 'tiny.weights', buffer: tiny });
  await expect(search.fact(search.model, 'Dimensions')).toHaveText('32');
  await expect(search.kept).toContainText('Models');
  await search.reload();
  await expect(search.model).toContainText('tiny');
  await expect(search.fact(search.index, 'Dimensions')).toHaveText('32');
  await expect(search.fact(search.index, 'Vectors')).toHaveText('1');
});

test('the model survives a reload: an address', async ({ search, mean }) => {
  await search.loadModelFrom(`${mean.origin}/good.weights`);
  await expect(search.fact(search.model, 'Dimensions')).toHaveText('32');
  await expect(search.kept).toBeVisible();
  await search.reload();
  await expect(search.model).toContainText('good');
  await expect(search.fact(search.index, 'Vectors')).toHaveText('166');
});

test('a model that is gone gives way to the built-in one', async ({
  page,
  search,
  mean,
  complaints,
}) => {
  complaints.expect(/Failed to load resource/);
  await search.indexDocuments(kHarbour);
  await search.loadModelFrom(`${mean.origin}/good.weights`);
  await expect(search.fact(search.model, 'Dimensions')).toHaveText('32');
  await expect(search.progress).toBeHidden();
  await page.route(/good\.weights$/, (route) => route.fulfill({ status: 404 }));
  await search.reload();
  await expect(search.alert).toContainText('good was not opened again');
  await expect(search.model).toContainText('built in');
  await expect(search.documents).toContainText('harbour.txt');
});

test('documents that are being read outlast the opening of a model', async ({ search, tiny }) => {
  await search.addDocuments(book(20_000));
  await expect(search.progress).toContainText('Reading documents');
  await search.chooseModel({ name: 'tiny.weights', buffer: tiny });
  await expect(search.documents).toContainText('book.jsonl');
  await expect(search.fact(search.model, 'Dimensions')).toHaveText('32', { timeout: 60_000 });
});

test('an imported index survives a reload', async ({ search }) => {
  await search.addDocuments(kHarbour, kWax);
  await expect(search.fact(search.index, 'Vectors')).toHaveText('2');
  const exported = await search.exportIndex();
  await search.importIndex('two.ambryindex', exported);
  await expect(search.status).toContainText('Imported 2 passages');
  await search.reload();
  await expect(search.documents).toContainText('two');
  await expect(search.fact(search.index, 'Vectors')).toHaveText('2');
  await search.ask('what are candles made of');
  await expect(search.results.first()).toContainText('Candles are made of wax');
});

test('everything kept can be forgotten', async ({ page, search }) => {
  await search.indexDocuments(kHarbour);
  const forget = page.getByRole('button', { name: kForget });
  await expect(forget).toHaveText(/\([\d.]+ k?B\)$/);
  await forget.click();
  await expect(search.kept).toBeHidden();
  await expect(search.documents).toContainText('harbour.txt');
  const left = await page.evaluate(async () => {
    const names: string[] = [];
    const walk = async (folder: FileSystemDirectoryHandle): Promise<void> => {
      for await (const [name, entry] of folder.entries()) {
        if (entry.kind === 'file') names.push(name);
        else await walk(entry as FileSystemDirectoryHandle);
      }
    };
    await walk(await navigator.storage.getDirectory());
    return names;
  });
  expect(left).toEqual([]);
  await search.reload();
  await search.expectReady();
  await expect(search.documents).toContainText('166 passages');
});

test('an indexing that a reload cuts off goes on, and answers meanwhile', async ({ search }) => {
  await search.addDocuments(book(30_000), kWax);
  await expect(search.progress).toContainText(/[1-9][\d,]* of 30,001 passages, [\d,.]+ a second/);
  await search.reload();
  await expect(search.documents).toContainText(/book\.jsonl[\d,]+ of 30,000/);
  await expect(search.progress).toContainText(/of 30,001 passages.* of them kept from before/);
  await expect(search.kept).toContainText('Vectors');
  await search.ask('ships on the sea');
  await expect(search.results.first()).toContainText(/^book|Line \d+/);
  await expect(search.progress).toBeVisible();
});

test('an indexing that was stopped keeps what it did, and goes on when told to', async ({
  page,
  search,
}) => {
  await search.addDocuments(book(6000));
  await expect(search.documents).toContainText(/book\.jsonl[1-9][\d,]* of 6,000/);
  await expect(search.index.getByRole('button', { name: 'Export' })).toBeDisabled();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(search.status).toContainText('What is indexed so far can be searched.');
  await search.ask('ships on the sea');
  await expect(search.results.first()).toContainText('Line');
  await page.getByRole('button', { name: 'Go on indexing' }).click();
  await expect(search.fact(search.index, 'Vectors')).toHaveText('6,000', { timeout: 60_000 });
  await expect(page.getByRole('button', { name: 'Go on indexing' })).toBeHidden();
  await expect(search.index.getByRole('button', { name: 'Export' })).toBeEnabled();
});

test('what is forgotten while it is indexed is not kept afterwards', async ({ page, search }) => {
  await search.addDocuments(book(6000));
  await expect(search.documents).toContainText(/book\.jsonl[1-9][\d,]* of 6,000/);
  await page.getByRole('button', { name: kForget }).click();
  await expect(search.fact(search.index, 'Vectors')).toHaveText('6,000', { timeout: 60_000 });
  await expect(search.kept).toBeHidden();
});

test('passages that repeat others are left out, and files that cannot be read are named', async ({
  search,
}) => {
  await search.addDocuments(kHarbour, kWax);
  await expect(search.documents).toContainText('2 passages');
  await search.addDocuments(
    file('again.md', 'Candles  are made of WAX.\n\n# A heading\n\nBees make it.'),
    file('broken.json', '{"text": '),
  );
  await expect(search.status).toContainText('Left out as repeated: 1 passage.');
  await expect(search.status).toContainText('broken.json');
  await expect(search.documents).toContainText('again.md');
  await expect(search.documents).not.toContainText('broken.json');
});

test('further documents join an indexing under way', async ({ page, search }) => {
  await search.addDocuments(book(12_000));
  await expect(search.progress).toContainText(/[1-9][\d,]* of 12,000 passages/);
  await search.addDocuments(kWax);
  await expect(search.progress).toContainText(/of 12,001 passages/);
  await page.getByRole('button', { name: 'Remove book.jsonl' }).click();
  await expect(search.documents).toContainText('1 passage');
  await search.ask('what are candles made of');
  await expect(search.results.first()).toContainText('Candles are made of wax');
});

test('a browser without room says so, and everything is searchable until the reload', async ({
  page,
  search,
  site,
}) => {
  const browser = await page.context().newCDPSession(page);
  const origin = new URL(site).origin;
  await browser.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 2000 });
  await search.addDocuments(book(400));
  await expect(search.status).toContainText('no room left for this page');
  await expect(search.kept).toContainText('no room left for this page');
  await search.ask('ships on the sea');
  await expect(search.results.first()).toContainText('Line');
});

test('a second tab says that it keeps nothing', async ({ context, site, search }) => {
  await search.addDocuments(kHarbour);
  await expect(search.kept).toBeVisible();
  const { SearchPage } = await import('./pages/search-page.ts');
  const other = new SearchPage(await context.newPage(), site);
  await other.open();
  await expect(other.documents).toContainText('harbour.txt');
  await other.addDocuments(kWax);
  await expect(other.status).toContainText('Another tab keeps its own documents here');
  await search.reload();
  await expect(search.documents).toContainText('harbour.txt');
  await expect(search.documents).not.toContainText('wax.txt');
});

test('what cannot be read from the last visit is said, and the page begins anew', async ({
  page,
  search,
}) => {
  await search.addDocuments(kHarbour);
  await expect(search.kept).toBeVisible();
  await page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle('ambry-workspace');
    const handle = await folder.getFileHandle('workspace.json');
    const stream = await handle.createWritable();
    await stream.write('{"version":1,');
    await stream.close();
  });
  await search.reload();
  await expect(search.alert).toContainText('What was kept from the last visit could not be read');
  await expect(search.documents).toContainText('166 passages');
});
