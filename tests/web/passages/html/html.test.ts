import { describe, expect, test } from 'vitest';
import { countWords, passagesOf, read } from '../reading.ts';

const texts = async (html: string) => (await passagesOf('a.html', html)).map(({ text }) => text);

describe('HTML', () => {
  test('has a title, headings and paragraphs, each with its line', async () => {
    const html =
      '<!doctype html>\n<title>A  page</title>\n<p>Intro.\n<h2>Part <i>one</i></h2>\n<p>First\nline.<p>Second.\n<h1>Real</h1><h2>Sub</h2>\nLoose text.';
    expect(await passagesOf('a.html', html)).toEqual([
      { id: 'a.html#1', text: 'A page: Intro.', heading: 'A page', position: 3, source: 'a.html' },
      {
        id: 'a.html#2',
        text: 'A page › Part one: First line. Second.',
        heading: 'A page › Part one',
        position: 5,
        source: 'a.html',
      },
      {
        id: 'a.html#3',
        text: 'Real › Sub: Loose text.',
        heading: 'Real › Sub',
        position: 8,
        source: 'a.html',
      },
    ]);
  });

  test('scripts, styles, navigation and images without text are not read', async () => {
    const html =
      '<style>p{}</style><script>alert("no")</script><nav>Home</nav><p>Yes<!-- no --><img src=x alt="a cat"><svg><text>no</text></svg><template>no</template><noscript>too</noscript>';
    expect(await texts(html)).toEqual(['Yes a cat too']);
  });

  test('list items are lines, and quotations are text', async () => {
    const html =
      '<ul><li>eggs<li>milk<ol start=3><li>fresh<li>cold</ol></ul><blockquote>Said <q>so</q>.</blockquote><dl><dt>Term<dd>Meaning</dl>';
    expect(await texts(html)).toEqual(['eggs\nmilk\n3. fresh\n4. cold Said so. Term Meaning']);
  });

  test('the rows of a table name their columns', async () => {
    const html =
      '<table><caption>Who</caption><thead><tr><th>Name<th>Born</thead><tr><td>Ada<td><p>1815</p><tr><td>Alan<td></table>';
    expect(await texts(html)).toEqual(['Who\nName: Ada; Born: 1815\nName: Alan']);
  });

  test('a table without header has plain rows, and a layout table is read as text', async () => {
    expect(await texts('<table><tr><td>a<td>b<tr><td>c<td>d</table>')).toEqual(['a; b\nc; d']);
    const frame = '<table><tr><td><h1>Top</h1><p>One.<p>Two.<td><ul><li>x</ul></table>';
    expect(await texts(frame)).toEqual(['Top: One. Two.\nx']);
  });

  test('tables in tables, and text that no cell has, are kept', async () => {
    const frame =
      '<table><tr><th>Out<td>side<table><caption>In</caption><tr><th>A<th>B<tr><td>1<td>2</table>end</table>';
    expect(await texts(frame)).toEqual(['Out side\nIn\nA: 1; B: 2 end']);
    const loose = '<table>Lost?<img alt="No."><tr><td>a<td>b</table>';
    expect(await texts(loose)).toEqual(['Lost? No.\na; b']);
    const role = '<table role=presentation><tr><td>a<td>b</table>';
    expect(await texts(role)).toEqual(['a b']);
  });

  test('end tags close what they must, and no more', async () => {
    expect(await texts('<ul><li>a<div>b</li>c</div>d</ul>e</ul>f')).toEqual(['a\nb cd ef']);
    expect(await texts('<div>a</section>b<table><tr><td>c</div>d</table>e</div>f')).toEqual([
      'ab\ncd e f',
    ]);
    expect(await texts('<nav><div>no</nav>a<button>no<div></button>b<svg><p>c')).toEqual(['ab c']);
  });

  test('scripts and comments end where browsers end them', async () => {
    const html =
      '<script><!-- "<script>x</script>" --></script>a<!-->b<!--x--!>c<script>"</scripts>"</script >d<a title=">">e</a><p/>f</ >g<3';
    expect(await texts(html)).toEqual(['abcde fg<3']);
  });

  test('preformatted text keeps its lines', async () => {
    const html = '<p>See\n<pre>\nlet a;\n  b &lt; c;\n</pre>after';
    expect(await passagesOf('a.html', html)).toMatchObject([
      { text: 'See\nlet a;\n  b < c; after', position: 1 },
    ]);
  });

  test('a long table is cut between rows', async () => {
    const rows = Array.from({ length: 100 }, (_, i) => `<tr><td>name ${i}</td><td>value ${i}</td>`);
    const html = `<table>\n<tr><th>A</th><th>B</th>\n${rows.join('\n')}</table>`;
    const passages = await passagesOf('a.html', html, { count: countWords });
    expect(passages.length).toBeGreaterThan(3);
    for (const { text, position } of passages) {
      expect(text.split('\n')[0]).toBe(`A: name ${position - 3}; B: value ${position - 3}`);
    }
  });

  test('elements may be nested thousands of levels deep', async () => {
    const html = `${'<div><b>'.repeat(30_000)}deep`;
    expect(await texts(html)).toEqual(['deep']);
  });

  test('invalid markup is read as browsers read it', async () => {
    expect(await texts('<p>one <b>two<p>three</i> &amp four &#x1F600; <a href="')).toEqual([
      'one two three & four 😀',
    ]);
  });

  test('a page without text has a warning', async () => {
    const { passages, warnings } = await read('a.html', '<img src="a.png"><script>x</script>');
    expect(passages).toEqual([]);
    expect(warnings).toEqual(['The document has no text.']);
  });
});

describe('the encoding that a page declares', () => {
  const page = (meta: string, ...bytes: number[]) =>
    new Uint8Array([...Buffer.from(`${meta}<p>caf`), ...bytes]);

  test.each([
    ['<meta charset=iso-8859-1>', [0xe9], 'windows-1252', 'café'],
    [
      '<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">',
      [0xd1],
      'koi8-r',
      'cafя',
    ],
    ['<meta charset="utf-16">', [0xc3, 0xa9], 'utf-8', 'café'],
    ['<meta charset="no-such">', [0xc3, 0xa9], 'utf-8', 'café'],
    ['<?xml version="1.0" encoding="shift_jis"?>', [0x94, 0x4c], 'shift_jis', 'caf猫'],
  ])('%s', async (meta, bytes, encoding, text) => {
    const found = await read('a.html', page(meta, ...bytes));
    expect(found).toMatchObject({ encoding, warnings: [], passages: [{ text }] });
  });
});
