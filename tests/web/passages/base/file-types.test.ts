import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { passageFileTypes } from '../../../../web/src/entries/passages/passages.ts';

test('the table of types names all that are read, and no others', async () => {
  const page = new URL('../../../../web/src/passages/README.md', import.meta.url);
  const table = (await readFile(page, 'utf8')).match(/\n\| type \|[\s\S]*?\n\n/)?.[0] ?? '';
  const named = table.split('\n').flatMap((row) => row.split('|')[1]?.match(/\.\w+/g) ?? []);
  expect(named.sort()).toEqual([...passageFileTypes].sort());
});
