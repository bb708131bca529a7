// How the text of a page is put in the order of reading.
import { describe, expect, test } from 'vitest';
import { drawnAt, pdfWithContent } from '../../support/files/pdf-file.ts';
import { passagesOf } from '../reading.ts';

async function textOf(...content: readonly string[]): Promise<string> {
  const passages = await passagesOf('a.pdf', pdfWithContent(content.join('')), { most: 999 });
  return passages.map(({ text }) => text).join(' | ');
}

const left = [
  'The mill by the river',
  'stands on oak piles and',
  'grinds the barley of nine',
  'farms. In spring the wheel',
  'turns day and night.',
];
const right = [
  'Far to the north the snow',
  'stays until June, and then',
  'the meadows fill with bees',
  'from the hives that the',
  'priest keeps by the wall.',
];
const third = [
  'Ships with tall masts lie',
  'at anchor in the bay while',
  'their crews mend nets and',
  'sing of cities that none',
  'of them has ever seen.',
];

/** Rows of texts that begin at `places`, from `y` downwards. */
function rows(places: readonly number[], columns: readonly (readonly string[])[], y = 700): string {
  const lines = columns[0] ?? [];
  return lines
    .flatMap((_, row) => places.map((x, i) => drawnAt(x, y - 14 * row, columns[i]?.[row] ?? '')))
    .join('');
}

const joined = (...columns: (readonly string[])[]) =>
  columns.map((lines) => lines.join(' ')).join(' ');

describe('columns', () => {
  test('two columns that are drawn row by row are read one after the other', async () => {
    expect(await textOf(rows([50, 320], [left, right]))).toBe(joined(left, right));
  });

  test('three columns, and columns whose lines are not level', async () => {
    expect(await textOf(rows([30, 220, 410], [left, right, third]))).toBe(
      joined(left, right, third),
    );
    const offset = left.map((text, i) => {
      const other = right[i] ?? '';
      return drawnAt(50, 700 - 14 * i, text) + drawnAt(320, 693 - 14 * i, other);
    });
    expect(await textOf(...offset)).toBe(joined(left, right));
  });

  test('the right column may be drawn first', async () => {
    expect(await textOf(rows([320, 50], [right, left]))).toBe(joined(left, right));
  });

  test('a title and a line below go over both columns', async () => {
    const title = drawnAt(120, 740, 'Mills, bees and other things of the country', { size: 18 });
    const foot = drawnAt(50, 600, 'Both of these columns were written by one and the same person.');
    const text = await textOf(title, rows([50, 320], [left, right]), foot);
    expect(text).toMatch(
      /^Mills, bees.*: The mill .* day and night\. Far to .* by the wall\. Both of these/,
    );
  });

  test('columns that follow each other stay as they are', async () => {
    const column = (x: number, lines: readonly string[]) => rows([x], [lines]);
    expect(await textOf(column(50, left), column(320, right))).toBe(joined(left, right));
    expect(await textOf(column(320, right), column(50, left))).toBe(joined(right, left));
  });

  test('a table is read row by row', async () => {
    const table = rows(
      [50, 200, 350],
      [
        ['City', 'Bergen', 'Porto', 'Gdansk', 'Split'],
        ['People', '291,940', '231,800', '486,022', '160,577'],
        ['Sea', 'North Sea', 'Atlantic Ocean', 'Baltic Sea', 'Adriatic Sea'],
      ],
    );
    expect(await textOf(table)).toContain('Bergen 291,940 North Sea Porto 231,800 Atlantic Ocean');
  });

  test('questions and answers in two columns are read row by row', async () => {
    const table = rows(
      [50, 320],
      [
        ['Who keeps the key?', 'When does it open?', 'Where is the well?', 'What does it cost?'],
        ['The miller keeps it.', 'It opens at nine.', 'The well is behind.', 'It costs nothing.'],
      ],
    );
    expect(await textOf(table)).toContain('Who keeps the key? The miller keeps it. When does');
  });
});

describe('letters', () => {
  test.each([
    ['as one text', ['Old Mill Road']],
    ['in words', ['Old', 'Mill', 'Road']],
    ['in letters', ['B', 'o', 'n', 'e']],
  ])('bold letters that are drawn twice %s are read once', async (_, words) => {
    const space = words[0] === 'B' ? '' : ' ';
    let x = 50;
    const content = words.map((word) => {
      const drawn = drawnAt(x, 700, word) + drawnAt(x + 0.4, 700, word);
      x += widthOf(word + space);
      return drawn;
    });
    expect(await textOf(...content)).toBe(words.join(space));
  });

  test('a page that is drawn twice is read once, and repeated words stay', async () => {
    const page = rows([50], [left]);
    expect(await textOf(page, page)).toBe(left.join(' '));
    const bells = drawnAt(50, 700, 'ding') + drawnAt(50 + widthOf('ding '), 700, 'ding');
    expect(await textOf(bells, drawnAt(50, 686, 'ding'))).toBe('ding ding ding');
  });

  test.each([
    [2, 'HARBOUR'],
    [4, 'OLD HARBOUR'],
    [7, 'OLD HARBOUR'],
    [12, 'OLD HARBOUR'],
    [4, 'The Old Harbour'],
  ])('letters with %d points between them are words: %s', async (space, text) => {
    const heading = drawnAt(50, 700, text, { more: `${space} Tc` });
    expect(await textOf(heading, drawnAt(50, 600, 'Boats lie here.'))).toBe(
      `${text} Boats lie here.`,
    );
  });

  test('single letters in a table and initials stay apart', async () => {
    const places = [50, 150, 250, 350];
    const cells = places.map((x, i) => drawnAt(x, 700, 'ABCD'[i] ?? ''));
    expect(await textOf(...cells)).toBe('A B C D');
    expect(await textOf(drawnAt(50, 700, 'E. A. Poe and I'))).toBe('E. A. Poe and I');
  });

  test('hidden letters below a picture are read, as after text recognition', async () => {
    expect(await textOf(drawnAt(50, 700, 'found by a scanner', { more: '3 Tr' }))).toBe(
      'found by a scanner',
    );
  });

  test('raised letters stay on their line, and do not change its place', async () => {
    const note = drawnAt(50, 704, '7', { size: 7 }) + drawnAt(55, 700, 'The note begins here and');
    const area = `${drawnAt(50, 686, 'goes on for 12 m')}${drawnAt(50 + widthOf('goes on for 12 m'), 690, '2', { size: 7 })}`;
    expect(await textOf(note, area)).toMatch(/^7 ?The note begins here and goes on for 12 m2$/);
  });

  test('turned text is a paragraph of its own', async () => {
    const turned =
      'BT /F 11 Tf 0 1 -1 0 30 300 Tm (Draft of the ninth) Tj ET\nBT /F 11 Tf 0 1 -1 0 44 300 Tm (of May) Tj ET\n';
    const text = await textOf(rows([50], [left.slice(0, 3)]), turned, drawnAt(50, 500, 'End.'));
    expect(text).toBe(`${left.slice(0, 3).join(' ')} Draft of the ninth of May End.`);
  });
});

describe('the text that marked content stands for', () => {
  const marked = (properties: string, ...content: readonly string[]) =>
    `/Span ${properties} BDC ${content.join('')} EMC `;

  test('is read in the place of the letters', async () => {
    const ligature = marked('<</ActualText(difficult)>>', drawnAt(50, 700, 'di#cult'));
    expect(await textOf(ligature, drawnAt(95, 700, 'to read'))).toBe('difficult to read');
    const wide = marked('<</ActualText<FEFF0066006600E9>>>', drawnAt(50, 700, '#'));
    expect(await textOf(wide)).toBe('ffé');
    expect(await textOf(marked('/P', drawnAt(50, 700, '#')))).toBe('by name');
  });

  test('may stand for several texts or for none', async () => {
    const inner = marked('<</MCID 1>>', drawnAt(60, 700, 'nce upon'));
    const initial = marked('<</ActualText(Once upon)>>', drawnAt(50, 700, 'O'), inner);
    const ornament = marked('<</ActualText()>>', drawnAt(120, 700, '~~'));
    expect(await textOf(initial, ornament, drawnAt(160, 700, 'a time'))).toBe('Once upon a time');
    expect(await textOf('/Span BMC ', drawnAt(50, 700, 'plain'), ' EMC EMC ')).toBe('plain');
  });

  test('a hyphen that stands for a soft one joins the word', async () => {
    const hyphen = marked('<</ActualText<FEFF00AD>>>', drawnAt(50 + widthOf('Wonder'), 700, '-'));
    const lines = [drawnAt(50, 700, 'Wonder'), hyphen, drawnAt(50, 686, 'Land of')];
    expect(await textOf(...lines)).toBe('WonderLand of');
  });
});

/** The width of a text in Helvetica of 11 points: letters that the tests use. */
function widthOf(text: string): number {
  const narrow: Readonly<Record<string, number>> = {
    ...{ i: 222, l: 222, f: 278, t: 278, r: 333, ' ': 278, m: 833, M: 833, O: 778, W: 944 },
    ...{ R: 722, s: 500, B: 667 },
  };
  return [...text].reduce((sum, letter) => sum + ((narrow[letter] ?? 556) * 11) / 1000, 0);
}
