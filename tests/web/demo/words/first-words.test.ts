// The file of the most frequent words, from which the words page answers until all of them are here.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { open, validate } from 'ambry';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firstWords } from '../../../../web/build/first-words.mjs';

const whole = fileURLToPath(
  new URL('../../../../web/demo/public/models/books-96.fifu', import.meta.url),
);
const count = 3000;

describe('the first words', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ambry-first-words-'));
  const path = join(folder, 'first.fifu');
  beforeAll(async () => writeFileSync(path, await firstWords(whole, count)));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('are a sound file', async () => {
    const { valid, errors, warnings } = await validate(path, { values: true });
    expect({ valid, errors, warnings }).toEqual({ valid: true, errors: [], warnings: [] });
  });

  it('have the rows and the vectors that they have in the whole file', async () => {
    await using first = await open(path, { kind: 'words' });
    await using all = await open(whole, { kind: 'words' });
    const words = await first.list({ offset: 0, limit: count + 1 });
    expect(words).toEqual(await all.list({ offset: 0, limit: count }));
    expect((await first.vectors(words)).vectors).toEqual((await all.vectors(words)).vectors);
    expect(await first.explain('winter')).toMatchObject({ found: 'known' });
    expect(await first.explain('winter')).toEqual(await all.explain('winter'));
  });
});
