// The encodings of short texts are guessed rightly.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dataFolder } from '../../../data-folder.mjs';
import { read } from '../reading.ts';
import { guessedTexts, phrases } from './guessed-texts.ts';

const rows = guessedTexts.flatMap(({ text, encodings }) =>
  encodings.map(([iconv, reported]) => [text, iconv, reported] as const),
);

async function decoded(bytes: Uint8Array) {
  const { passages, encoding, warnings } = await read('a.txt', bytes);
  return { text: passages.map((passage) => passage.text).join(' '), encoding, warnings };
}

describe('short texts', () => {
  test('are many', () => {
    expect(rows.length).toBeGreaterThan(60);
  });

  test.each(rows)('%s in %s', async (text, iconv, reported) => {
    const bytes = execFileSync('iconv', ['-f', 'utf-8', '-t', iconv], { input: text });
    expect(await decoded(bytes)).toEqual({
      text,
      encoding: reported,
      warnings: [`The document does not declare its encoding. It was read as ${reported}.`],
    });
  });

  test.each(phrases)('%s in %j', async (text, encodings) => {
    for (const iconv of encodings) {
      const bytes = execFileSync('iconv', ['-f', 'utf-8', '-t', iconv], { input: text });
      expect((await decoded(bytes)).text, iconv).toBe(text);
    }
  });

  test('after much text in ASCII', async () => {
    const [text, iconv] = ['Příliš mnoho žab sedělo u rybníka.', 'iso-8859-2'];
    const bytes = execFileSync('iconv', ['-f', 'utf-8', '-t', iconv], { input: text });
    for (const before of ['word '.repeat(900), 'a line\n'.repeat(900)]) {
      const { text: whole } = await decoded(Buffer.concat([Buffer.from(before), bytes]));
      expect(whole.endsWith(text)).toBe(true);
    }
  });

  test('of any bytes are read as something, with a warning', async () => {
    for (let i = 0; i < 200; i++) {
      const bytes = Uint8Array.from(
        { length: 40 },
        (_, at) => 32 + ((i * 7919 + at * at * 104729) % 224),
      );
      const { encoding, warnings } = await decoded(bytes);
      if (encoding !== 'utf-8') {
        expect(warnings[0]).toContain(encoding);
      }
    }
  });
});

const cases = dataFolder ? join(dataFolder, 'cases/documents/17-encodings') : '';
test.skipIf(!existsSync(cases))('the cases of the data folder', async () => {
  for (const name of [
    'cs.iso8859_2',
    'el.cp1253',
    'jashort.shift_jis',
    'lt.cp1257',
    'ru.cp866',
    'tr.cp1254',
    'uk.koi8_u',
  ]) {
    const { text } = await decoded(readFileSync(join(cases, `${name}.txt`)));
    expect(text).toBe(readFileSync(join(cases, `${name}.want`), 'utf8').trim());
  }
});
