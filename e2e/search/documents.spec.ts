import { mkdir, writeFile } from 'node:fs/promises';
import {
  run,
  style,
  wordFile,
  paragraph as wordParagraph,
} from '../../tests/web/passages/word/word-file.ts';
import { paragraph, pdfFile } from '../../tests/web/support/files/pdf-file.ts';
import { expect } from '../fixtures.ts';
import type { GivenFile } from '../pages/files.ts';
import { test } from '../pages/search-page.ts';

const file = (name: string, text: string): GivenFile => ({ name, buffer: Buffer.from(text) });

const notes = file(
  'harbour.txt',
  'The ferry leaves the harbour at seven in the morning.\n\nTickets are sold at the kiosk by the pier.',
);

test('added files replace the built-in notes', async ({ search }) => {
  await search.ask('when does the boat depart');
  await search.indexDocuments(notes);
  await expect(search.documents).toContainText('harbour.txt');
  await expect(search.documents).not.toContainText('Everyday notes');
  await expect(search.results.first()).toContainText('The ferry leaves the harbour');
  await expect(search.results.first()).toContainText('harbour.txt');
});

test('every kind of document is read', async ({ search }) => {
  await search.indexDocuments(
    file('guide.md', '# Owls\n\nOwls hunt mice in the dark.\n'),
    file('list.csv', 'name,text\nfirst,"Bread is baked before dawn, every day"\n'),
    file('records.json', JSON.stringify([{ text: 'A violin has four strings.' }])),
    file('records.jsonl', '{"text":"Volcanoes throw out ash."}\n{"text":"Bees make honey."}\n'),
    file('page.html', '<title>Sea</title><script>document.title = "ran"</script><p>Whales sing.'),
    notes,
  );
  const expected = [
    ['owls', 'Owls hunt mice in the dark'],
    ['bread', 'Bread is baked before dawn, every day'],
    ['violin strings', 'A violin has four strings'],
    ['volcanoes and ash', 'Volcanoes throw out ash'],
    ['honey bees', 'Bees make honey'],
    ['songs of whales', 'Sea: Whales sing.'],
  ] as const;
  await expect(search.documents).toContainText('records.jsonl');
  for (const [question, answer] of expected) {
    await search.ask(question);
    await expect(search.results.first()).toContainText(answer);
  }
});

test('a folder is read without its hidden files', async ({ search }, info) => {
  const folder = info.outputPath('library');
  await mkdir(`${folder}/deep`, { recursive: true });
  await writeFile(`${folder}/one.txt`, 'Lighthouses warn ships at night.');
  await writeFile(`${folder}/deep/two.md`, 'Candles are made of wax.');
  await writeFile(`${folder}/.hidden`, 'secret');
  await search.documents.getByLabel('Add a folder…').setInputFiles(folder);
  await expect(search.documents).toContainText('library/deep/two.md');
  await expect(search.documents).toContainText('library/one.txt');
  await expect(search.documents).toContainText('2 passages');
});

test('documents can be dropped', async ({ search }) => {
  await search.drop(notes, file('wax.txt', 'Candles are made of wax.'));
  await expect(search.status).toContainText('Added 2 passages');
  await search.ask('what are candles made of');
  await expect(search.results.first()).toContainText('Candles are made of wax');
});

test('PDF and HTML files can be dropped, and workers read them', async ({ page, search }) => {
  const scripts: string[] = [];
  page.on('worker', (worker) => scripts.push(new URL(worker.url()).pathname));
  const lines = paragraph(700, 'Otters hold hands while they', 'sleep, so as not to drift apart.');
  const html = '<h1>Moles</h1><p>They dig.<script>document.title = "ran"</script>';
  await search.drop(
    { name: 'otters.pdf', buffer: Buffer.from(pdfFile([{ lines }])) },
    file('moles.html', html),
  );
  await expect(search.status).toContainText(/^Added /);
  await search.ask('animals asleep in the water');
  await expect(search.results.first()).toContainText(
    'Otters hold hands while they sleep, so as not to drift apart.',
  );
  await search.ask('moles');
  await expect(search.results.first()).toContainText('Moles: They dig.');
  expect(await page.title()).not.toBe('ran');
  for (const name of ['pdf-worker', 'documents-worker']) {
    expect(scripts.filter((path) => path.includes(`/${name}-`))).toHaveLength(1);
  }
});

test('a PDF that cannot be read is refused with the reason', async ({ search }) => {
  const locked = Buffer.from(pdfFile([{ lines: paragraph(700, 'x') }], { locked: true }));
  await search.addDocuments({ name: 'locked.pdf', buffer: locked });
  await expect(search.alert).toContainText('locked.pdf cannot be read as a PDF');
  await expect(search.alert).toContainText('password');
  await search.addDocuments({ name: 'scan.pdf', buffer: Buffer.from(pdfFile([{ lines: [] }])) });
  await expect(search.alert).toContainText('scan.pdf: The document has no text');
});

test('pasted text is added and can be removed', async ({ page, search }) => {
  await search.indexDocuments(notes);
  await expect(search.documents).toContainText('harbour.txt');
  await search.paste('Penguins cannot fly, but they swim like arrows.');
  await expect(search.documents).toContainText('Pasted text');
  // The notice of the paste would take the place of the answer's line.
  await expect(search.progress).toBeHidden();
  await search.ask('birds that swim');
  await expect(search.results.first()).toContainText('Penguins');
  await page.getByRole('button', { name: 'Remove Pasted text' }).click();
  await expect(search.documents).not.toContainText('Pasted text');
  await expect(search.results.first()).not.toContainText('Penguins');
  await page.getByRole('button', { name: 'Back to the built-in notes' }).click();
  await expect(search.documents).toContainText('166 passages');
});

test('markup in a document stays text', async ({ search }) => {
  await search.indexDocuments(
    file('page.txt', 'An <img src=x onerror=alert(1)> tag & a <script>.'),
  );
  await search.ask('tag');
  await expect(search.results.first()).toContainText(
    'An <img src=x onerror=alert(1)> tag & a <script>.',
  );
});

test('damaged documents are refused by name, and the page still works', async ({ search }) => {
  await search.addDocuments(file('broken.json', '{"text": '));
  await expect(search.alert).toContainText('The documents were not added');
  await expect(search.alert).toContainText('broken.json');
  await search.alert.getByRole('button', { name: 'Dismiss' }).click();
  await expect(search.alert).toBeEmpty();
  await search.addDocuments({ name: 'noise.txt', buffer: Buffer.from([1, 0, 0, 0, 2, 0, 0, 0]) });
  await expect(search.alert).toContainText('noise.txt is binary, not text');
  await search.ask('goldfish in a bowl');
  await expect(search.results.first()).toContainText('Goldfish do badly in a bowl');
});

test('Word documents, notebooks and texts in other markup are read', async ({ search }) => {
  const styles = style('h', 'heading 1');
  const body = wordParagraph(run('Owls'), 'h') + wordParagraph(run('Owls hunt mice in the dark.'));
  const cells = [{ cell_type: 'markdown', source: ['Bees make honey.'] }];
  await search.indexDocuments(
    { name: 'owls.docx', buffer: Buffer.from(wordFile({ body, styles })) },
    file('bees.ipynb', JSON.stringify({ cells, nbformat: 4 })),
    file('sea.rst', 'Sea\n===\n\nWhales *sing*.\n'),
    file('fire.adoc', '= Fire\n\nVolcanoes throw out ash.\n'),
    file('music.mdx', 'import A from "a";\n\n<A>A violin has four strings.</A>\n'),
  );
  for (const [question, answer] of [
    ['owls', 'Owls: Owls hunt mice in the dark.'],
    ['honey bees', 'Bees make honey.'],
    ['songs of whales', 'Sea: Whales sing.'],
    ['volcanoes and ash', 'Fire: Volcanoes throw out ash.'],
    ['violin strings', 'A violin has four strings.'],
  ] as const) {
    await search.ask(question);
    await expect(search.results.first()).toContainText(answer);
  }
});

test('documents are added, and other files are named as skipped', async ({ search }) => {
  await search.drop(
    notes,
    { name: 'photo.jpg', buffer: Buffer.from([0xff, 0xd8, 0, 0]) },
    file('style.css', 'p { color: red }'),
    file('empty.txt', ' '),
  );
  await expect(search.documents).toContainText('harbour.txt');
  await expect(search.status).toContainText('Skipped files that are hidden or empty: empty.txt.');
  await expect(search.status).toContainText(
    'Skipped 1 picture (.jpg): photo.jpg. Write what it shows',
  );
  await expect(search.status).toContainText('Skipped 1 file of code (.css): style.css.');
});

test('a text in an old encoding is read', async ({ search }) => {
  const buffer = Buffer.from('Das Café öffnet früh am Morgen.', 'latin1');
  await search.indexDocuments({ name: 'latin1.txt', buffer });
  await expect(search.status).toContainText('was read as windows-1252');
  await search.ask('Café');
  await expect(search.results.first()).toContainText('Das Café öffnet früh');
});

test('an empty document is refused by name', async ({ search }) => {
  await search.addDocuments(file('empty.txt', ''));
  await expect(search.alert).toContainText('empty.txt');
  await expect(search.documents).toContainText('166 passages');
});

test('of many documents the first ones are listed, and all on request', async ({
  page,
  search,
}) => {
  const names = Array.from({ length: 30 }, (_, i) => `note-${String(i).padStart(2, '0')}.txt`);
  await search.indexDocuments(...names.map((name, i) => file(name, `Note ${i} is about a ferry.`)));
  const listed = search.documents.getByRole('listitem').locator('.name');
  await expect(listed).toHaveText(names.slice(0, 8));
  const all = search.documents.getByRole('button', { name: 'Show all 30 documents' });
  await all.press('Enter');
  await expect(listed).toHaveText(names);
  const first = search.documents.getByRole('button', { name: 'Show the first 8 only' });
  await expect(first).toBeFocused();
  await expect(first).toBeInViewport();
  await page.getByRole('button', { name: 'Remove note-29.txt' }).click();
  await expect(page.getByRole('button', { name: 'Remove note-28.txt' })).toBeFocused();
  await first.press('Enter');
  await expect(listed).toHaveText(names.slice(0, 8));
  await expect(search.documents.getByRole('button', { name: 'all 29 documents' })).toBeFocused();
});
