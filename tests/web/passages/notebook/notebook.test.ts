import { describe, expect, test } from 'vitest';
import { passagesOf, read } from '../reading.ts';

const notebook = (cells: readonly object[]) =>
  JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 });
const markdown = (source: string | string[]) => ({ cell_type: 'markdown', source });
const code = (source: string, outputs: readonly object[] = []) => ({
  cell_type: 'code',
  source,
  outputs,
});
const texts = async (cells: readonly object[]) =>
  (await passagesOf('a.ipynb', notebook(cells))).map(({ text }) => text);

describe('a notebook', () => {
  test('has the text and code of its cells, each with the number of its cell', async () => {
    const cells = [
      markdown(['# Owls\n', '\n', 'Count *them*.']),
      code('owls = 3\nprint(owls)', [{ output_type: 'stream', name: 'stdout', text: ['3\n'] }]),
      markdown('## Food\n\nMice.'),
    ];
    expect(await passagesOf('a.ipynb', notebook(cells))).toMatchObject([
      { text: 'Owls: Count them.\nowls = 3\nprint(owls)\n3', heading: 'Owls', position: 1 },
      { text: 'Owls › Food: Mice.', heading: 'Owls › Food', position: 3 },
    ]);
  });

  test('has outputs that are text, once, and no pictures', async () => {
    const outputs = [
      {
        output_type: 'execute_result',
        data: { 'text/plain': '   a\n0  1', 'text/html': '<table><tr><td>NO</table>' },
      },
      {
        output_type: 'display_data',
        data: { 'image/png': 'iVBORw0KGgo=', 'text/plain': ['<Figure size 640x480 with 1 Axes>'] },
      },
      {
        output_type: 'display_data',
        data: { 'text/plain': '<IPython.core.display.HTML object>', 'text/html': '<b>Bold</b>.' },
      },
      { output_type: 'display_data', data: { 'text/markdown': '*Said*.', 'text/plain': 'NO' } },
      { output_type: 'error', ename: 'KeyError', evalue: "'owl'", traceback: ['NO'] },
      { output_type: 'stream', text: '\u001b[31mred\u001b[0m' },
    ];
    expect(await texts([code('run()', outputs)])).toEqual([
      "run()\n   a\n0  1 Bold. Said.\nKeyError: 'owl'\nred",
    ]);
  });

  test('of version 3 is read too', async () => {
    const cells = [
      { cell_type: 'heading', level: 2, source: ['Owls'] },
      { cell_type: 'code', input: 'x = 1', outputs: [{ output_type: 'pyout', text: '1' }] },
      { cell_type: 'raw', source: 'as it is' },
    ];
    const text = JSON.stringify({ worksheets: [{ cells }], nbformat: 3 });
    expect(await passagesOf('a.ipynb', text)).toMatchObject([{ text: 'Owls: x = 1\n1\nas it is' }]);
  });

  test('that is long is cut, and each piece has its cell', async () => {
    const lines = Array.from({ length: 200 }, (_, i) => `value_${i} = compute(${i})`).join('\n');
    const passages = await passagesOf('a.ipynb', notebook([markdown('Code:'), code(lines)]));
    expect(passages.length).toBeGreaterThan(5);
    expect(passages.at(-1)).toMatchObject({ position: 2 });
  });

  test.each([
    ['{"a": 1}', 'BadValue', /no list of cells/],
    ['[]', 'BadValue', /no list of cells/],
    ['{"cells": [', 'BadValue', /not valid JSON/],
  ])('that is none is refused: %s', async (text, errorCode, message) => {
    await expect(read('a.ipynb', text)).rejects.toMatchObject({
      code: errorCode,
      message: expect.stringMatching(message) as string,
    });
  });

  test('with cells of no known form loses no text, and does not fail', async () => {
    expect(await texts([{ cell_type: 'new', source: 'Some text.' }, {}, { source: 7 }])).toEqual([
      'Some text.',
    ]);
    expect(
      (await read('a.ipynb', notebook([null as never, markdown('ok')]))).passages,
    ).toHaveLength(1);
  });
});
