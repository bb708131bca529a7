// Tables as programs and people write them.
import { describe, expect, test } from 'vitest';
import { passagesOf, read } from '../reading.ts';

const textsOf = async (path: string, table: string | Uint8Array) =>
  (await passagesOf(path, table)).map(({ text }) => text);

describe('before the header', () => {
  test.each([
    'sep=;\nid;text\n1;a, b\n',
    'SEP=;\r\nid;text\r\n1;a, b\r\n',
    '"sep=;"\nid;text\n1;a, b\n',
    '\uFEFFsep=;\nid;text\n1;a, b\n',
    '\nsep=;\n\nid;text\n1;a, b\n',
    'sep=;;;\nid;text\n1;a, b\n',
    'sep=\t\nid\ttext\n1\ta, b\n',
    'sep=\\t\nid\ttext\n1\ta, b\n',
    'sep=^\nid^text\n1^a, b\n',
    'sep=:\rid:text\r1:a, b\r',
  ])('a hint of Excel tells the delimiter: %j', async (table) => {
    const { passages, warnings } = await read('t.csv', table);
    expect(passages).toMatchObject([{ id: '1', text: 'a, b' }]);
    expect(warnings).toEqual([]);
  });

  test('a hint in UTF-16, and one in a file of tabs', async () => {
    const table = new Uint8Array(Buffer.from('\uFEFFsep=;\nid;text\n1;a, b\n', 'utf16le'));
    expect(await textsOf('t.csv', table)).toEqual(['a, b']);
    expect(await textsOf('t.tsv', 'sep=,\nid,text\n1,a\n')).toEqual(['a']);
  });

  test.each([
    '\nid,text\n1,a\n',
    '\r\n\r\nid,text\r\n1,a\r\n',
    ' \n,\nid,text\n1,a\n',
    '"",""\nid,text\n1,a',
  ])('empty lines are skipped: %j', async (table) => {
    const { passages, warnings } = await read('t.csv', table);
    expect(passages).toMatchObject([{ id: '1', text: 'a' }]);
    expect(passages[0]?.text).not.toContain('\x1f');
    expect(warnings).toEqual([]);
  });

  test('comments and a title are left out, with a warning', async () => {
    const comments = await read('t.csv', '# Made by hand, in May\n# twice\nid,text\n1,a\n');
    expect(comments.passages).toMatchObject([{ id: '1', text: 'a' }]);
    expect(comments.warnings).toEqual([
      '2 lines before the header were left out: “# Made by hand, in May”, “# twice”.',
    ]);
    const title = await read('t.csv', 'Tools of the shed\n\nid;text\n1;a\n');
    expect(title.passages).toMatchObject([{ id: '1', text: 'a' }]);
    expect(title.warnings).toEqual(['A line before the header was left out: “Tools of the shed”.']);
    const noGap = await read('t.csv', 'Tools\nid,text,use\n1,a,x\n2,b,y\n');
    expect(noGap.passages).toMatchObject([{ text: 'a' }, { text: 'b' }]);
  });

  test('a header may begin with a number sign', async () => {
    expect(await passagesOf('t.csv', '# note, or so\n#,text\n1,a\n')).toMatchObject([
      { text: 'a', '#': '1' },
    ]);
  });

  test('texts with commas below one name are no table', async () => {
    const rows = 'text\nRed, green, blue\nOne, two, three\nHay, oats, corn\nA, b, c\n';
    expect(await textsOf('t.csv', rows)).toHaveLength(4);
  });
});

describe('rows and names', () => {
  test('rows may be short, long or empty', async () => {
    const { passages, warnings } = await read('t.csv', 'id,text,use\n1,a\n\n2,b,c,d\n3\n');
    expect(passages).toMatchObject([
      { id: '1', text: 'a' },
      { id: '2', text: 'b', use: 'c,d' },
    ]);
    expect(warnings).toEqual([
      '1 row has more cells than the header. The extra cells were added to the last column.',
      '1 of 3 records had no text and were left out.',
    ]);
  });

  test('columns without a name get one, and those at the end are dropped', async () => {
    const [passage] = await passagesOf('t.csv', ',text,,note,,\n0,a,x,y,,\n');
    expect(passage).toMatchObject({ text: 'a', 'column 1': '0', 'column 3': 'x', note: 'y' });
    expect(Object.keys(passage ?? {})).not.toContain('column 5');
  });

  test('columns of one name are all kept', async () => {
    const [passage] = await passagesOf('t.csv', 'a,a,a 3,a,text\n1,2,3,4,x\n');
    expect(passage).toMatchObject({ a: '1', 'a 2': '2', 'a 3': '3', 'a 4': '4', text: 'x' });
    const [other] = await passagesOf('t.csv', 'a,a 2,a,text\n1,2,3,x\n');
    expect(other).toMatchObject({ a: '1', 'a 2': '2', 'a 3': '3' });
    const [third] = await passagesOf('t.csv', 'a,a,a 2,text\n1,2,3,x\n');
    expect(third).toMatchObject({ a: '1', "a 2'": '2', 'a 2': '3' });
  });

  test('names have no space around them, and capitals do not matter', async () => {
    expect(await passagesOf('t.csv', ' ID , Text \n7,a\n')).toMatchObject([{ id: '7', text: 'a' }]);
    expect(await textsOf('d.jsonl', '{"Title":"T","Body":"b"}')).toEqual(['T: b']);
  });

  test('lines end in a carriage return, and cells have line feeds', async () => {
    expect(await textsOf('t.csv', 'id,text\r1,"a\nb"\r2,c\r')).toEqual(['a b', 'c']);
    expect(await textsOf('t.csv', 'id,text\r\n1,"a\rb"\r\n2,c\rd\r\n')).toEqual(['a b', 'c d']);
  });

  test('quotes within cells are text', async () => {
    const rows = 'id,text\n1,a 12" pipe\n2,"b" is a letter, as is c\n3,"say ""hi"""\n';
    expect(await textsOf('t.csv', rows)).toEqual([
      'a 12" pipe',
      'b is a letter, as is c',
      'say "hi"',
    ]);
    expect(await textsOf('t.csv', 'size 12",text\n1,a\n')).toEqual(['a']);
  });
});

describe('titles and names', () => {
  test.each([
    'title',
    'Name',
    'product_name',
    'productName',
    'Full Name',
    'Titel',
    'Bezeichnung',
    'nom',
    'Título',
    'nombre',
    'Название',
    'başlık',
    'Název',
    'タイトル',
    '标题',
    '제목',
    'العنوان',
    'Όνομα',
  ])('belong to the text: %s', async (name) => {
    const [passage] = await passagesOf('t.csv', `${name},description\nWidget,A small thing\n`);
    expect(passage).toMatchObject({ text: 'Widget: A small thing', [name]: 'Widget' });
  });

  test.each([
    'file_name',
    'username',
    'hostname',
    'price',
    'rename',
    'className',
  ])('are not in a field such as %s', async (name) => {
    expect(await textsOf('t.csv', `${name},text\nxyz,A small thing\n`)).toEqual(['A small thing']);
  });

  test('are all read, once', async () => {
    expect(await textsOf('t.csv', 'First name,Last name,text\nAda,Byron,wrote notes\n')).toEqual([
      'Ada; Byron: wrote notes',
    ]);
    expect(await textsOf('t.csv', 'name,title,text\nOwl,Owl,Owls hunt\n')).toEqual(['Owls hunt']);
    expect(await textsOf('d.json', '[{"name":{"a":1},"title":"T","text":"x"}]')).toEqual(['T: x']);
  });
});
