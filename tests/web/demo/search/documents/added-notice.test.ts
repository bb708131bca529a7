// What the page says of added documents.
import { expect, test } from 'vitest';
import { addedNotice } from '../../../../../web/demo/search/documents/added-notice.ts';
import { readDocuments } from '../../../../../web/demo/search/documents/read-documents.ts';
import type { PathFile } from '../../../../../web/demo/shared/files/given-files.ts';

const given = (path: string, text: string): PathFile => ({ path, file: new File([text], path) });
const context = { signal: new AbortController().signal, report: () => {} };
const files = [given('a.txt', 'Cats purr.'), given('b.txt', 'Dogs bark.'), given('c.txt', ' ')];

test('names each file that was left out', async () => {
  const others = ['x/report.rtf', 'one.png', 'two.JPG', 'data.xyz', 'Makefile'];
  const read = await readDocuments(files, [], null, others, context);
  const notice = addedNotice(read, ['.git/config'], false);
  expect(notice).toContain('Added 2 passages from 2 documents.');
  expect(notice).toContain('hidden or empty: .git/config, c.txt.');
  expect(notice).toContain('Skipped 2 pictures (.jpg, .png): one.png, two.JPG. Write');
  expect(notice).toContain('Skipped 1 RTF document (.rtf): x/report.rtf. Save');
  expect(notice).toContain('data.xyz.');
  expect(notice).toContain('Makefile.');
  expect(notice).not.toContain('notes');
});

test('names some of many, and says how many more there are', async () => {
  const others = Array.from({ length: 30 }, (_, i) => `${i}.png`);
  const notice = addedNotice(await readDocuments(files, [], null, others, context), [], true);
  expect(notice).toContain('0.png, 1.png,');
  expect(notice).toContain('11.png and 18 more.');
  expect(notice).toContain('“Keep the notes, too” brings them back');
});
