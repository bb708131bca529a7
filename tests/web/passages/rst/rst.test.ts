import { describe, expect, test } from 'vitest';
import { passagesOf, read } from '../reading.ts';

const texts = async (rst: string) => (await passagesOf('a.rst', rst)).map(({ text }) => text);

describe('reStructuredText', () => {
  test('has headings of the levels in which their underlines occur', async () => {
    const text =
      '====\nOwls\n====\n\nThey hoot.\n\nFood\n----\n\nMice.\n\nMore\n~~~~\n\nVoles.\n\nSleep\n-----\n\nBy day.\n';
    expect(await passagesOf('a.rst', text)).toMatchObject([
      { text: 'Owls: They hoot.', position: 5 },
      { text: 'Owls › Food: Mice.', position: 10 },
      { text: 'Owls › Food › More: Voles.', position: 15 },
      { text: 'Owls › Sleep: By day.', position: 20 },
    ]);
  });

  test('has text without the signs of markup', async () => {
    const text =
      'Owls *hunt* **mice**, see `the docs <https://x.org>`_, :ref:`shown <t>`, :class:`~a.Owl`, ``*code*``,\n|name|, a_b_c, a [1]_ and note_.\n\n.. [1] A footnote.\n.. _note: https://x.org\n.. A comment\n   of two lines.\n';
    expect(await texts(text)).toEqual([
      'Owls hunt mice, see the docs, shown, a.Owl, *code*, name, a_b_c, a and note. A footnote.',
    ]);
  });

  test('has lists, fields, definitions and verses', async () => {
    const text =
      '- one\n  goes on\n- two\n\n3. three\n#. four\n\n:param x: A number.\n\nterm\n    Meaning.\n\n| First\n| second\n\n----\n\nA. Milne wrote.\n';
    expect(await texts(text)).toEqual([
      'one goes on\ntwo\n3. three\n#. four\nparam x: A number. term Meaning.\nFirst\nsecond A. Milne wrote.',
    ]);
  });

  test('has the text of directives, and their code', async () => {
    const text =
      '.. note:: Be still.\n   They hear.\n\n.. warning::\n   :class: x\n\n   Hot.\n\n.. code-block:: python\n   :linenos:\n\n   def f():\n       pass\n\n.. toctree::\n   NO\n\n.. image:: a.png\n   :alt: An owl\n\n.. math:: a + b\n';
    expect(await texts(text)).toEqual([
      'Be still. They hear. Hot.\ndef f():\n    pass An owl\na + b',
    ]);
  });

  test('has code after two colons, and sessions', async () => {
    const text = 'See::\n\n   x = 1\n     y\n\n::\n\n   z\n\n>>> 1 + 1\n2\n\nEnd: :: here.\n';
    expect(await texts(text)).toEqual(['See:\nx = 1\n  y\nz\n>>> 1 + 1\n2 End: :: here.']);
  });

  test('has both kinds of tables, whose rows name their columns', async () => {
    const grid =
      '+------+--------+\n| Name | Born   |\n+======+========+\n| Ada  | 1815,  |\n|      | London |\n+------+--------+\n| Alan | 1912   |\n+------+--------+\n';
    expect(await texts(grid)).toEqual(['Name: Ada; Born: 1815, London\nName: Alan; Born: 1912']);
    const simple =
      '====  =====\nName  Born\n====  =====\nAda   1815,\n      London\nAlan  1912\n====  =====\n';
    expect(await texts(`${simple}\nAfter.`)).toEqual([
      'Name: Ada; Born: 1815, London\nName: Alan; Born: 1912 After.',
    ]);
  });

  test('a table of many columns has the cells of its lines only', async () => {
    const border = `+${'-+'.repeat(20_000)}\n`;
    const passages = await passagesOf('a.rst', `${border}${`|a\n${border}`.repeat(50)}`);
    expect(
      passages
        .map(({ text }) => text)
        .join('')
        .match(/a/g),
    ).toHaveLength(50);
  });

  test('of many open signs is read', async () => {
    const units = [
      '*a ',
      '`a ',
      '|a',
      '.. a\n',
      '.. a::\n',
      '+--+\n',
      '== ==\n',
      'a\n==\n',
      '- a\n',
      '::\n\n',
      '>>> a\n',
      '\\',
      '[a]_',
    ];
    for (const unit of units) {
      await read('a.rst', unit.repeat(50_000 / unit.length));
    }
  });
});
