// The page restores its state after a reload, and can delete the saved data.
import { expect } from '../fixtures.ts';
import type { GivenFile } from '../pages/files.ts';
import { test } from '../pages/search-page.ts';
import { limitStorage } from '../support/storage.ts';

const file = (name: string, text: string): GivenFile => ({ name, buffer: Buffer.from(text) });

const harbour = file('harbour.txt', 'The ferry leaves the harbour at seven in the morning.');
const wax = file('wax.txt', 'Candles are made of wax.');

function book(passages: number): GivenFile {
  const lines = Array.from(
    { length: passages },
    (_, n) => `{"text":"Line ${n} of a long book about the sea, the wind and ${n % 97} ships."}`,
  );
  return file('book.jsonl', lines.join('\n'));
}

const deleteButtonName = /^Delete saved data/;

test('a reload restores documents, but not removed ones', async ({ page, search }) => {
  await expect(search.saved).toBeHidden();
  await search.addDocuments(harbour, wax);
  await expect(search.status).toContainText('Added 2 passages from 2 documents.');
  await expect(search.saved).toBeVisible();
  await search.reload();
  await expect(search.documents).toContainText('2 passages');
  await search.ask('when does the boat depart');
  await expect(search.results.first()).toContainText('The ferry leaves the harbour');
  await expect(search.saved).toContainText('Documents');

  await page.getByRole('button', { name: 'Remove harbour.txt' }).click();
  await expect(search.documents).not.toContainText('harbour.txt');
  await expect(search.progress).toBeHidden();
  await search.reload();
  await expect(search.documents).toContainText('wax.txt');
  await expect(search.documents).toContainText('1 passage');
  await expect(search.documents).not.toContainText('harbour.txt');
});

test('a reload restores a model from a file', async ({ search, tiny }) => {
  await search.indexDocuments(harbour);
  await search.chooseModel({ name: 'tiny.weights', buffer: tiny });
  await expect(search.fact(search.model, 'Dimensions')).toHaveText('32');
  await expect(search.saved).toContainText('Models');
  await search.reload();
  await expect(search.model).toContainText('tiny');
  await expect(search.fact(search.index, 'Dimensions')).toHaveText('32');
  await expect(search.fact(search.index, 'Vectors')).toHaveText('1');
});

test('a reload restores a model from an address', async ({ search, faulty }) => {
  await search.loadModelFrom(`${faulty.origin}/good.weights`);
  await expect(search.fact(search.model, 'Dimensions')).toHaveText('32');
  await expect(search.saved).toBeVisible();
  await search.reload();
  await expect(search.model).toContainText('good');
  await expect(search.fact(search.index, 'Vectors')).toHaveText('166');
});

test('a reload opens the built-in model if the last one is missing', async ({
  page,
  search,
  faulty,
  browserErrors,
}) => {
  browserErrors.expect(/Failed to load resource/);
  await search.indexDocuments(harbour);
  await search.loadModelFrom(`${faulty.origin}/good.weights`);
  await expect(search.fact(search.model, 'Dimensions')).toHaveText('32');
  await expect(search.progress).toBeHidden();
  await page.route(/good\.weights$/, (route) => route.fulfill({ status: 404 }));
  await search.reload();
  await expect(search.alert).toContainText('good could not be opened again');
  await expect(search.model).toContainText('built in');
  await expect(search.documents).toContainText('harbour.txt');
});

test('opening a model does not cancel the reading of documents', async ({ search, tiny }) => {
  await search.addDocuments(book(20_000));
  await expect(search.progress).toContainText('Reading documents');
  await search.chooseModel({ name: 'tiny.weights', buffer: tiny });
  await expect(search.documents).toContainText('book.jsonl');
  await expect(search.fact(search.model, 'Dimensions')).toHaveText('32', { timeout: 60_000 });
});

test('a reload restores an imported index', async ({ search }) => {
  await search.addDocuments(harbour, wax);
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

test('saved data can be deleted', async ({ page, search }) => {
  await search.indexDocuments(harbour);
  const deleteButton = page.getByRole('button', { name: deleteButtonName });
  await expect(deleteButton).toHaveText(/\([\d.]+ k?B\)$/);
  await deleteButton.click();
  await expect(search.saved).toBeHidden();
  await expect(search.documents).toContainText('harbour.txt');
  const left = await page.evaluate(async () => {
    const names: string[] = [];
    const walk = async (folder: FileSystemDirectoryHandle): Promise<void> => {
      for await (const [name, entry] of folder.entries()) {
        if (entry.kind === 'file') {
          names.push(name);
        } else {
          await walk(entry as FileSystemDirectoryHandle);
        }
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

test('indexing continues after a reload, and the page can search meanwhile', async ({ search }) => {
  await search.addDocuments(book(15_000), wax);
  await expect(search.progress).toContainText(/[1-9][\d,]* of 15,001 passages, [\d,.]+ per second/);
  await search.reload();
  await expect(search.documents).toContainText(/book\.jsonl[\d,]+ of 15,000/);
  await expect(search.progress).toContainText(/of 15,001 passages.* from saved vectors/);
  await expect(search.saved).toContainText('Vectors');
  await search.ask('ships on the sea');
  await expect(search.results.first()).toContainText(/^book|Line \d+/);
  await expect(search.progress).toBeVisible();
});

test('cancelled indexing keeps its results and can be continued', async ({ page, search }) => {
  await search.addDocuments(book(15_000));
  await expect(search.documents).toContainText(/book\.jsonl[1-9][\d,]* of 15,000/);
  await expect(search.index.getByRole('button', { name: 'Export' })).toBeDisabled();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(search.status).toContainText('You can search what is indexed so far.');
  await search.ask('ships on the sea');
  await expect(search.results.first()).toContainText('Line');
  await page.getByRole('button', { name: 'Continue indexing' }).click();
  await expect(search.fact(search.index, 'Vectors')).toHaveText('15,000', { timeout: 60_000 });
  await expect(page.getByRole('button', { name: 'Continue indexing' })).toBeHidden();
  await expect(search.index.getByRole('button', { name: 'Export' })).toBeEnabled();
});

test('data deleted during indexing is not saved afterwards', async ({ page, search }) => {
  await search.addDocuments(book(15_000));
  await expect(search.documents).toContainText(/book\.jsonl[1-9][\d,]* of 15,000/);
  await page.getByRole('button', { name: deleteButtonName }).click();
  await expect(search.fact(search.index, 'Vectors')).toHaveText('15,000', { timeout: 60_000 });
  await expect(search.saved).toBeHidden();
});

test('repeated passages are skipped, and unreadable files are named', async ({ search }) => {
  await search.addDocuments(harbour, wax);
  await expect(search.documents).toContainText('2 passages');
  await search.addDocuments(
    file('again.md', 'Candles  are made of WAX.\n\n# A heading\n\nBees make it.'),
    file('broken.json', '{"text": '),
  );
  await expect(search.status).toContainText('Skipped 1 repeated passage.');
  await expect(search.status).toContainText('broken.json');
  await expect(search.documents).toContainText('again.md');
  await expect(search.documents).not.toContainText('broken.json');
});

test('documents can be added during indexing', async ({ page, search }) => {
  await search.addDocuments(book(12_000));
  await expect(search.progress).toContainText(/[1-9][\d,]* of 12,000 passages/);
  await search.addDocuments(wax);
  await expect(search.progress).toContainText(/of 12,001 passages/);
  await page.getByRole('button', { name: 'Remove book.jsonl' }).click();
  await expect(search.documents).toContainText('1 passage');
  await search.ask('what are candles made of');
  await expect(search.results.first()).toContainText('Candles are made of wax');
});

test('a full storage is reported, and documents can be searched until a reload', async ({
  page,
  search,
  site,
}) => {
  await limitStorage(page, new URL(site).origin, 2000);
  await search.addDocuments(book(400));
  await expect(search.status).toContainText('no space left for this page');
  await expect(search.saved).toContainText('no space left for this page');
  await search.ask('ships on the sea');
  await expect(search.results.first()).toContainText('Line');
});

test('a second tab reports that it saves nothing', async ({ context, site, search }) => {
  await search.addDocuments(harbour);
  await expect(search.saved).toBeVisible();
  const { SearchPage } = await import('../pages/search-page.ts');
  const other = new SearchPage(await context.newPage(), site);
  await other.open();
  await expect(other.documents).toContainText('harbour.txt');
  await other.addDocuments(wax);
  await expect(other.status).toContainText('Another tab saves its own documents');
  // While it is open, it would go on saving after the reload of the first one.
  await other.page.close();
  await search.reload();
  await expect(search.documents).toContainText('harbour.txt');
  await expect(search.documents).not.toContainText('wax.txt');
});

for (const refused of ['files', 'files and locks'] as const) {
  test(`a browser that refuses ${refused} is reported, and documents can be searched`, async ({
    page,
    search,
  }) => {
    // As in private windows of Firefox, and where its user blocks all data of pages.
    await page.addInitScript((what) => {
      const refuse = () =>
        Promise.reject(new DOMException('Refused by the test.', 'SecurityError'));
      navigator.storage.getDirectory = refuse;
      if (what === 'files and locks') {
        navigator.locks.request = refuse;
      }
    }, refused);
    await search.reload();
    await search.expectReady();
    await search.indexDocuments(harbour);
    await expect(search.status).toContainText('does not let the page save data');
    await expect(search.saved).toContainText('A reload discards what you added');
    await search.ask('when does the boat sail?');
    await expect(search.results.first()).toContainText('The ferry leaves the harbour');
  });
}

test('unreadable saved data is reported, and the page opens without it', async ({
  page,
  search,
}) => {
  await search.addDocuments(harbour);
  await expect(search.saved).toBeVisible();
  await page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle('ambry-workspace');
    const handle = await folder.getFileHandle('workspace.json');
    const stream = await handle.createWritable();
    await stream.write('{"version":1,');
    await stream.close();
  });
  await search.reload();
  await expect(search.alert).toContainText('The data from your last visit could not be read');
  await expect(search.documents).toContainText('166 passages');
});
