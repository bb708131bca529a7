import { describe, expect, test } from 'vitest';
import { paragraph, pdfFile } from '../../support/files/pdf-file.ts';
import { countWords, passagesOf, read } from '../reading.ts';

const first = paragraph(700, 'The ferry leaves the har-', 'bour at seven in the morning.');
const second = paragraph(600, 'Tickets are sold at the kiosk.');

describe('PDF', () => {
  test('the space between lines shows the paragraphs, and hyphenated words are joined', async () => {
    const bytes = pdfFile([
      { lines: [...first, ...second] },
      { lines: paragraph(700, 'Dogs travel free.') },
    ]);
    const found = await read('a.pdf', bytes, { most: 16, count: countWords });
    expect(found).toEqual({
      encoding: null,
      warnings: [],
      passages: [
        {
          id: 'a.pdf#1',
          text: 'The ferry leaves the harbour at seven in the morning.',
          source: 'a.pdf',
          position: 1,
          page: 1,
        },
        {
          id: 'a.pdf#2',
          text: 'Tickets are sold at the kiosk.',
          source: 'a.pdf',
          position: 1,
          page: 1,
        },
        { id: 'a.pdf#3', text: 'Dogs travel free.', source: 'a.pdf', position: 2, page: 2 },
      ],
    });
  });

  test('larger letters are headings, and the largest are level 1', async () => {
    const bytes = pdfFile([
      {
        lines: [
          ['The Sea', 760, 24],
          ['Tides', 720, 16],
          ...paragraph(700, 'The moon pulls at the water,', 'and so the sea rises.'),
          ['Springs and', 640, 16],
          ['neaps', 622, 16],
        ],
      },
      { lines: [...paragraph(760, 'Sun and moon add up.'), ['Contents . . . . . . . 9', 700]] },
    ]);
    expect(await passagesOf('a.pdf', bytes)).toMatchObject([
      {
        text: 'The Sea › Tides: The moon pulls at the water, and so the sea rises.',
        heading: 'The Sea › Tides',
        page: 1,
      },
      {
        text: 'The Sea › Springs and neaps: Sun and moon add up. Contents … 9',
        heading: 'The Sea › Springs and neaps',
        page: 2,
      },
    ]);
  });

  test('list items are lines', async () => {
    const lines = paragraph(700, 'Bring:', '\x95 boots that keep', 'the water out', '\x95 a watch');
    expect(await passagesOf('a.pdf', pdfFile([{ lines }]))).toMatchObject([
      { text: 'Bring:\nboots that keep the water out\na watch' },
    ]);
  });

  test('a sentence may continue on the next page', async () => {
    const bytes = pdfFile([
      { lines: paragraph(100, 'The story goes') },
      { lines: paragraph(700, 'on over the page.') },
    ]);
    expect(await passagesOf('a.pdf', bytes)).toMatchObject([
      { text: 'The story goes on over the page.', page: 1 },
    ]);
  });

  test('a passage begins on the page of its first sentence', async () => {
    const sentence = (n: number) =>
      `sentence ${n} of a paragraph that goes on and on and on, (so) far.`;
    const pages = [0, 1, 2].map((p) => ({
      lines: paragraph(700, ...[0, 1, 2, 3, 4].map((n) => sentence(p * 5 + n))),
    }));
    const passages = await passagesOf('a.pdf', pdfFile(pages), { most: 60, count: countWords });
    for (const { text, page } of passages) {
      const first = Number(/sentence (\d+)/.exec(text)?.[1]);
      expect(page).toBe(1 + Math.floor(first / 5));
    }
    expect(passages.length).toBeGreaterThan(3);
  });

  test('headers and footers are left out, with a warning', async () => {
    const body = ['Alpha one', 'beta two', 'gamma three', 'delta four'];
    const pages = [1, 2, 3, 4].map((n) => ({
      lines: [
        ...paragraph(780, 'The Annual Report'),
        ...paragraph(700, ...body.map((line) => `${line} on sheet${'abcd'[n - 1]}`)),
        ...paragraph(20, `Page ${n} of 4`),
        ...paragraph(6, String(n)),
      ] as [string, number][],
    }));
    const { passages, warnings } = await read('a.pdf', pdfFile(pages));
    const text = passages.map((passage) => passage.text).join(' ');
    expect(text).not.toMatch(/Annual|Page|\d/);
    for (const sheet of 'abcd') {
      expect(text).toContain(`delta four on sheet${sheet}`);
    }
    expect(warnings).toEqual([
      'Headers and footers were left out: “The Annual Report”, “Page 1 of 4”.',
    ]);
  });

  test('a PDF or pages without text have a warning', async () => {
    expect(await read('scan.pdf', pdfFile([{ lines: [] }, { lines: [] }]))).toMatchObject({
      passages: [],
      warnings: [
        'The document has no text. Its pages are empty, or they are images such as scans.',
      ],
    });
    const half = await read('a.pdf', pdfFile([{ lines: second }, { lines: [] }]));
    expect(half.warnings).toEqual(['These pages have no text: 2.']);
    expect(half.passages).toHaveLength(1);
  });

  test('characters without a Unicode mapping are left out, with a warning', async () => {
    const bytes = pdfFile([{ lines: [['one ~~two', 700]] }], { nameless: true });
    const { passages, warnings } = await read('a.pdf', bytes);
    expect(passages).toMatchObject([{ text: 'one two' }]);
    expect(warnings).toEqual([
      '2 characters were left out, because the fonts have no Unicode mapping.',
    ]);
  });

  test('fonts that need a missing character table have a warning', async () => {
    const lines: [string, number][] = [['\\x93\\xfa', 700]];
    const { warnings } = await read('a.pdf', pdfFile([{ lines }], { table: '90ms-RKSJ-H' }));
    expect(warnings.join(' ')).toMatch(/Some text may be missing.*90ms-RKSJ-H/);
  });

  test('a PDF with a password, a damaged PDF and a text are rejected', async () => {
    await expect(
      read('a.pdf', pdfFile([{ lines: first }], { locked: true })),
    ).rejects.toMatchObject({
      code: 'Unsupported',
      message: 'a.pdf cannot be read as a PDF: it is protected by a password.',
    });
    await expect(read('a.pdf', '%PDF-1.7\nnothing more')).rejects.toMatchObject({
      code: 'BadValue',
      message: expect.stringMatching(/^a\.pdf cannot be read as a PDF: .*[^.]\.$/) as string,
    });
    await expect(read('a.pdf', 'plain text')).rejects.toMatchObject({
      code: 'BadMagic',
      byteOffset: 0,
    });
    expect(await read('a.pdf', '')).toMatchObject({
      passages: [],
      warnings: ['The file is empty.'],
    });
  });

  test('every truncated file is read or rejected', async () => {
    const bytes = pdfFile([{ lines: [...first, ...second] }]);
    for (let end = 5; end < bytes.length; end += 61) {
      const cut = read('a.pdf', bytes.subarray(0, end)).then(
        () => 'read',
        (error: { name: string; code: string }) => `${error.name} ${error.code}`,
      );
      expect(await cut).toMatch(/^read$|^AmbryError BadValue$/);
    }
  });

  test('an abort takes effect between pages', async () => {
    const controller = new AbortController();
    const bytes = pdfFile(Array.from({ length: 50 }, () => ({ lines: first })));
    const reading = read('a.pdf', bytes, { signal: controller.signal });
    controller.abort();
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('the caller’s bytes are not changed', async () => {
    const bytes = pdfFile([{ lines: first }]);
    const before = bytes.slice();
    await read('a.pdf', bytes);
    expect(bytes).toEqual(before);
  });
});
