// Reads texts in many encodings and rejects files that are not text.
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { read } from '../reading.ts';

const german = 'Die Straße führt über den Fluß nach München. Viele Grüße aus Köln.';
const japanese = '日本語の文章です。猫が好きです。';
const russian = 'Сегодня хорошая погода, мы идём в парк.';

const encoded = (text: string, encoding: string): Uint8Array =>
  execFileSync('iconv', ['-f', 'utf-8', '-t', encoding], { input: text });
const withMark = (mark: readonly number[], bytes: Uint8Array) =>
  new Uint8Array([...mark, ...bytes]);

describe('encodings with a byte order mark', () => {
  test.each([
    ['utf-8', [], 'utf-8'],
    ['utf-8', [0xef, 0xbb, 0xbf], 'utf-8'],
    ['utf-16le', [0xff, 0xfe], 'utf-16le'],
    ['utf-16be', [0xfe, 0xff], 'utf-16be'],
  ])('%s after %j', async (encoding, mark, name) => {
    const bytes = withMark(mark, encoded(german, encoding));
    expect(await read('a.txt', bytes)).toMatchObject({
      encoding: name,
      warnings: [],
      passages: [{ text: german }],
    });
  });

  test('UTF-32 is rejected by name', async () => {
    const bytes = withMark([0xff, 0xfe, 0, 0], encoded('abc', 'utf-32le'));
    await expect(read('a.txt', bytes)).rejects.toMatchObject({
      code: 'Unsupported',
      message: expect.stringMatching(/a\.txt.*UTF-32LE/) as string,
    });
  });
});

describe('encodings that are guessed, with a warning', () => {
  test.each([
    [german, 'cp1252', 'windows-1252'],
    ['café', 'latin1', 'windows-1252'],
    ['résumé naïve', 'latin1', 'windows-1252'],
    ['“Quoted” – it’s dear.', 'cp1252', 'windows-1252'],
    [japanese, 'shift_jis', 'shift_jis'],
    [japanese, 'euc-jp', 'euc-jp'],
    [japanese, 'iso-2022-jp', 'iso-2022-jp'],
    ['今天天气很好，我们去公园散步。', 'gb18030', 'gb18030'],
    ['今天天氣很好，我們去公園散步。', 'big5', 'big5'],
    ['오늘 날씨가 좋습니다. 공원에 갑시다.', 'euc-kr', 'euc-kr'],
    [russian, 'cp1251', 'windows-1251'],
    [russian, 'koi8-r', 'koi8-r'],
    [german, 'utf-16le', 'utf-16le'],
    [german, 'utf-16be', 'utf-16be'],
    [`${japanese}\n`, 'utf-16le', 'utf-16le'],
    [`${japanese}\n`, 'utf-16be', 'utf-16be'],
  ])('%s in %s', async (text, encoding, name) => {
    const found = await read('a.txt', encoded(text, encoding));
    expect(found).toMatchObject({
      encoding: name,
      warnings: [`The document does not declare its encoding. It was read as ${name}.`],
      passages: [{ text: text.trim() }],
    });
  });

  test('in tables and HTML', async () => {
    const table = await read('a.csv', encoded('id,text\n1,Grüße\n', 'latin1'));
    expect(table).toMatchObject({ encoding: 'windows-1252', passages: [{ text: 'Grüße' }] });
    const page = await read('a.html', encoded(`<p>${japanese}`, 'shift_jis'));
    expect(page).toMatchObject({ encoding: 'shift_jis', passages: [{ text: japanese }] });
  });
});

describe('damaged texts', () => {
  test('UTF-8 that is cut off is read as UTF-8, with a warning', async () => {
    const bytes = Buffer.from(`${german} ü`).subarray(0, -1);
    expect(await read('a.txt', bytes)).toMatchObject({
      encoding: 'utf-8',
      warnings: ['Bytes that are not valid UTF-8 were replaced by \uFFFD in 1 place.'],
      passages: [{ text: `${german} \uFFFD` }],
    });
  });

  test('UTF-16 that ends in half of a character', async () => {
    const bytes = withMark([0xff, 0xfe], encoded('abc', 'utf-16le')).subarray(0, -1);
    const { warnings } = await read('a.txt', bytes);
    expect(warnings).toEqual([
      'Bytes that are not valid utf-16le were replaced by \uFFFD in 1 place.',
    ]);
  });

  test.each([
    ['a.html', '<p>sun \0 and moon'],
    ['a.txt', 'sun \0 and moon'],
    ['a.md', '# sun \0\n\n\0 and moon \0'],
    ['a.txt', 'sun\0and\0moon\0'],
    ['a.csv', 'text\nsun \0 and moon\n'],
  ])('a stray zero byte does not make UTF-16 of a short text: %s', async (path, text) => {
    const { encoding, passages, warnings } = await read(path, text);
    expect(encoding).toBe('utf-8');
    expect(passages.map((passage) => passage.text).join(' ')).toMatch(/sun[:\s]+and\s+moon/);
    expect(warnings).toContain('Zero bytes in the text were replaced by spaces.');
  });

  test('a stray zero byte in a text of another encoding', async () => {
    const latin = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
    const prose = 'La fen\xeatre est ferm\xe9e et la for\xeat est loin. '.repeat(5);
    const guessed = await read('a.txt', latin(`${prose}\0 fin`));
    expect(guessed.passages[0]?.text).toContain('La fenêtre est fermée');
    const declared = await read('a.html', latin('<meta charset=iso-8859-2><p>\xb1 \0 b'));
    expect(declared).toMatchObject({ encoding: 'iso-8859-2', passages: [{ text: 'ą b' }] });
  });

  test.each([
    'utf-16le',
    'utf-16be',
  ])('a short text in %s without a mark stays one', async (name) => {
    for (const text of [
      'Owls hunt at night.\n',
      '森の中で月が光る。\n',
      'Совы охотятся ночью.',
      '明月几时有？把酒问青天。',
    ]) {
      const units = new Uint8Array(Buffer.from(text, 'utf16le'));
      const bytes = name === 'utf-16le' ? units : new Uint8Array(Buffer.from(units).swap16());
      if (bytes.includes(0)) {
        const { encoding, passages } = await read('a.txt', bytes);
        expect([encoding, passages[0]?.text]).toEqual([name, text.trim()]);
      }
    }
  });

  test('a few zero bytes in a text become spaces', async () => {
    const text = `${'Grüße. '.repeat(300)}\0end`;
    const { encoding, warnings, passages } = await read('a.txt', text);
    expect(encoding).toBe('utf-8');
    expect(warnings).toEqual(['Zero bytes in the text were replaced by spaces.']);
    expect(passages.at(-1)?.text).toMatch(/Grüße\. end$/);
  });

  test('terminal colour codes are not taken for Japanese', async () => {
    const found = await read('a.txt', '\x1b[31mred\x1b[0m text');
    expect(found).toMatchObject({ encoding: 'utf-8', warnings: [] });
  });
});

describe('files that are not text', () => {
  test.each([
    ['PDF', [...Buffer.from('%PDF-1.7\n')], /is a PDF, not plain text\. Rename it to end in \.pdf/],
    ['DOCX', [0x50, 0x4b, 3, 4, 20, 0], /is a ZIP archive/],
    ['PNG', [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0], /is a PNG image/],
    ['RTF', [...Buffer.from('{\\rtf1 x}')], /is an RTF document/],
    ['a model', [...Buffer.from('EMBD'), 0, 1], /is a model/],
    ['noise', Array.from({ length: 512 }, (_, i) => (i * 7919) % 251), /is binary/],
    [
      'integers',
      [...new Uint8Array(Uint32Array.from({ length: 99 }, (_, i) => i).buffer)],
      /is binary/,
    ],
  ])('%s is rejected by name', async (_, bytes, message) => {
    for (const path of ['x.txt', 'x.csv', 'x.html', 'x.jsonl']) {
      await expect(read(path, new Uint8Array(bytes))).rejects.toMatchObject({
        code: 'Unsupported',
        byteOffset: expect.any(Number) as number,
        message: expect.stringMatching(message) as string,
      });
    }
  });

  test('a text that begins like a binary file is read as text', async () => {
    for (const text of ['ID3 tags hold titles.', 'RIFF means a phrase.', 'GIF89a is old.']) {
      expect(await read('a.txt', text)).toMatchObject({ passages: [{ text }] });
    }
  });
});
