// What was typed into a PDF: form fields and remarks.
import { describe, expect, test } from 'vitest';
import { drawnAt, pdfWithContent } from '../../support/files/pdf-file.ts';
import { read } from '../reading.ts';

const box = (x: number, y: number, width = 180) => `/Rect [${x} ${y - 4} ${x + width} ${y + 13}]`;
const typed = (name: string, value: string, x: number, y: number, more = '') =>
  `/Subtype /Widget /FT /Tx /T (${name}) /V (${value}) ${box(x, y)} /F 4 ${more}`;
const ticked = (name: string, value: string, x: number, y: number) =>
  `/Subtype /Widget /FT /Btn /T (${name}) /V /${value} /AS /${value} ${box(x, y, 18)} /F 4`;

async function readForm(content: string, ...annotations: readonly string[]) {
  const bytes = pdfWithContent(content, '', { annotations });
  const { passages, warnings } = await read('form.pdf', bytes, { most: 999 });
  return { text: passages.map(({ text }) => text).join(' | '), warnings };
}

describe('form fields', () => {
  test('stand beside their labels', async () => {
    const labels = ['Surname:', 'Town:', 'Member:', 'Languages:'];
    const content = labels.map((label, i) => drawnAt(50, 700 - 30 * i, label)).join('');
    const towns = '/Opt [[(1) (Marlow Haven)] [(2) (Elm Bridge)]] /Ff 131072';
    const languages = '/Opt [(Dutch) (Frisian) (Low German)] /Ff 2097152';
    const { text, warnings } = await readForm(
      content,
      typed('surname', 'Quillfeather', 120, 700),
      `/Subtype /Widget /FT /Ch /T (town) /V (2) ${towns} ${box(120, 670)} /F 4`,
      ticked('member', 'Yes', 120, 640),
      `/Subtype /Widget /FT /Ch /T (l) /V [(Dutch) (Low German)] ${languages} ${box(120, 610)} /F 4`,
    );
    expect(text).toBe(
      'Surname: Quillfeather Town: Elm Bridge Member: Yes Languages: Dutch, Low German',
    );
    expect(warnings).toEqual([]);
  });

  test('stand below a label above them, and a box before its label', async () => {
    const content = [
      drawnAt(50, 700, 'Full name'),
      drawnAt(80, 640, 'I want the newsletter'),
      drawnAt(80, 620, 'I want the catalogue'),
    ].join('');
    const { text } = await readForm(
      content,
      typed('name', 'Ada Byron', 50, 682),
      ticked('news', 'On', 50, 640),
      ticked('catalogue', 'Off', 50, 620),
    );
    expect(text).toBe('Full name Ada Byron ☑ I want the newsletter I want the catalogue');
  });

  test('without a label have their names, if these are words', async () => {
    const { text, warnings } = await readForm(
      '',
      typed('first_name', 'Ada', 50, 700),
      typed('form1[0].page1[0].f1_02[0]', 'Byron', 50, 650),
      typed('x', 'London', 50, 600, '/TU (Place of birth)'),
    );
    expect(text).toBe('first name: Ada Byron Place of birth: London');
    expect(warnings).toEqual([]);
  });

  test('of two columns stand beside the nearest label', async () => {
    const content = drawnAt(50, 700, 'Name:') + drawnAt(320, 700, 'Age:');
    const { text } = await readForm(
      content,
      typed('age', '36', 360, 700),
      typed('name', 'Ada', 90, 700),
    );
    expect(text).toBe('Name: Ada Age: 36');
  });

  test('have lines and accents, but no secrets', async () => {
    const { text } = await readForm(
      drawnAt(50, 700, 'Remarks:'),
      typed('a', 'first line\\rsecond line', 120, 700, '/Ff 4096'),
      typed('b', 'hidden value', 120, 650, '/F 2'),
      typed('c', 'pass word', 120, 600, '/Ff 8192'),
      `/Subtype /Widget /FT /Tx /T (town) /V <FEFF004D00FC006E> ${box(50, 550)} /F 4`,
    );
    expect(text).toBe('Remarks: first line second line town: Mün');
  });

  test('that are empty are a form and no scan', async () => {
    const { warnings } = await readForm('', typed('a', '', 50, 700), ticked('b', 'Off', 50, 600));
    expect(warnings).toEqual(['The document has no text. It is a form, and its fields are empty.']);
  });

  test('in thousands at one place are read in time', async () => {
    const many = Array.from({ length: 3000 }, (_, i) => typed(`f${i}`, `v${i}`, 50, 700));
    const { text } = await readForm(drawnAt(50, 700, 'Label').repeat(2000), ...many);
    expect(text).toMatch(/\bv0\b/);
    expect(text).toMatch(/\bv2999\b/);
  });
});

test('remarks that are written on the page are read, and notes that open with a click are not', async () => {
  const { text } = await readForm(
    drawnAt(50, 700, 'Printed text.') + drawnAt(50, 500, 'The end.'),
    `/Subtype /FreeText /Contents (A typed remark) /Rect [50 600 300 640] /DA (/F 11 Tf 0 g) /F 4`,
    `/Subtype /Text /Contents (A sticky note) /Rect [300 700 320 720] /F 4`,
  );
  expect(text).toBe('Printed text. A typed remark The end.');
});
