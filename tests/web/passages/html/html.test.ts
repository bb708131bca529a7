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

  test('numbers of footnotes are no part of the word before them, and powers are', async () => {
    expect(await texts('<p>quokka<sup>1</sup> 10 m<sup>2</sup> <b>Note</b><sup>a</sup>')).toEqual([
      'quokka 1 10 m2 Note a',
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

describe('ruby', () => {
  const ruby = (base: string, reading: string) =>
    `<ruby>${base}<rp>（</rp><rt>${reading}</rt><rp>）</rp></ruby>`;

  test('leaves words whole, and its readings follow where the word ends', async () => {
    expect(await texts(`<p>${ruby('月', 'つき')}${ruby('夜', 'よ')}を歩く。`)).toEqual([
      '月夜を歩く（つきよ）。',
    ]);
    expect(await texts(`<p>${ruby('見', 'み')}る、${ruby('森', 'もり')}`)).toEqual([
      '見る（み）、森（もり）',
    ]);
    expect(await texts(`The ${ruby('DOM', 'Document Object Model')} is a tree.`)).toEqual([
      'The DOM (Document Object Model) is a tree.',
    ]);
  });

  test('may leave out end tags, and have several annotations', async () => {
    expect(await texts('<ruby>森<rt>もり<rb>林<rt>はやし</ruby>。')).toEqual([
      '森林（もりはやし）。',
    ]);
    const complex =
      '<ruby>\n  <rb>月</rb>\n  <rb>光</rb>\n  <rtc><rt>げっ</rt><rt>こう</rt></rtc>\n  <rtc>moonlight</rtc>\n</ruby>は';
    expect(await texts(complex)).toEqual(['月光は（げっこう moonlight）']);
    expect(await texts('<ruby><ruby>月<rt>つき</ruby><rt>moon</ruby>!')).toEqual([
      '月（つき moon）!',
    ]);
  });

  test('stays out of headings, and loses no text without end tags', async () => {
    expect(await texts(`<h2>${ruby('森', 'もり')}へ</h2>道`)).toEqual(['森へ: 道']);
    expect(await texts('<ruby>a<rt>b<p>Next one.')).toEqual(['a (b) Next one.']);
    const long = `<ruby>a<rt>${'lost and found '.repeat(50)}`;
    expect((await texts(long)).join(' ')).toContain('lost and found');
    expect(await texts('no ruby <rt>here</rt> at all')).toEqual(['no ruby here at all']);
  });

  test('in a table stays in its cell', async () => {
    const table = `<table><tr><td>${ruby('森', 'もり')}<td>2<tr><td>b<td>4</table>`;
    expect(await texts(table)).toEqual(['森（もり）; 2\nb; 4']);
  });
});

describe('formulas', () => {
  const mathml = (tex: string) =>
    `<math><semantics><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow>${tex}</semantics></math>`;
  const tex = '<annotation encoding="application/x-tex">a + b^2</annotation>';

  test('of KaTeX are read once, as their source', async () => {
    const shown = '<span class="katex-html" aria-hidden="true"><span>a+b2</span></span>';
    const katex = `<span class="katex"><span class="katex-mathml">${mathml(tex)}</span>${shown}</span>`;
    expect(await texts(`The sum ${katex}grows (${katex}), ${katex}.`)).toEqual([
      'The sum a + b^2 grows (a + b^2), a + b^2.',
    ]);
    expect(await texts(`See <span class="katex">${shown}</span> here.`)).toEqual([
      'See a+b2 here.',
    ]);
  });

  test('of MathJax and Wikipedia are read once', async () => {
    const mathjax = `<mjx-container><mjx-math aria-hidden="true"><mjx-mi>ab</mjx-mi></mjx-math><mjx-assistive-mml>${mathml('')}</mjx-assistive-mml></mjx-container>`;
    expect(await texts(`Sum ${mathjax}.`)).toEqual(['Sum a + b.']);
    const picture = '<img src="x.svg" aria-hidden="true" alt="{\\displaystyle a}">';
    const stated = `<math alttext="{\\displaystyle a_{1}}"><mi>a</mi></math>${picture}`;
    expect(await texts(`Sum ${stated}.`)).toEqual(['Sum a_{1}.']);
  });

  test('without a source are their signs, and other annotations are not read', async () => {
    const other = '<annotation encoding="application/x-other">NO</annotation>';
    const tree = '<annotation-xml><apply><ci>NO</ci></apply></annotation-xml>';
    expect(await texts(`x${mathml(other + tree)}y`)).toEqual(['x a + b y']);
    expect(await texts('<table><tr><td>if <math><mi>x</mi></math>y<td>2</table>')).toEqual([
      'if x y; 2',
    ]);
  });
});

describe('what readers of a page do not see', () => {
  test('is not read: icons, links of headings to themselves, texts for screen readers', async () => {
    const heading = '<h2>Owls<a class="headerlink" href="#owls">¶</a></h2>';
    const icon = '<i class="icon" aria-hidden="true">star</i>';
    const link = '<a href="#owls">Owls <span class="sr-only">opens a tab</span></a>';
    expect(await texts(`${heading}${icon}They ${link} hoot.`)).toEqual(['Owls: They Owls hoot.']);
    const inner = '<span aria-hidden="true"><div>no</div>no<span>no</span></span>';
    expect(await texts(`<div>a ${inner}b</div>c`)).toEqual(['a b c']);
    expect(await texts('<div class="line-numbers" aria-hidden="true">1<br>2</div>a')).toEqual([
      'a',
    ]);
  });

  test('ends where an element around it ends', async () => {
    expect(await texts('<p><i aria-hidden="true">no</p>Yes.')).toEqual(['Yes.']);
    expect(await texts('<div><b aria-hidden="true">no</div>Yes.<ol><li>a</ol>')).toEqual([
      'Yes.\n1. a',
    ]);
    expect(await texts('a<wbr aria-hidden="true">b<br aria-hidden="true">c')).toEqual(['ab c']);
  });

  test('is read where it is a block, such as a page below a dialog or a panel of tabs', async () => {
    expect(
      await texts('<div id="app" aria-hidden="true"><p>Page.</div><div hidden>Tab.</div>'),
    ).toEqual(['Page. Tab.']);
    expect(await texts('<h3><button aria-expanded="false">How?</button></h3>So.')).toEqual([
      'How?: So.',
    ]);
  });

  test('does not part words', async () => {
    expect(
      await texts('Netz&shy;ge&shy;rät, Fire<wbr>fox, Fire&#8203;fox, &#8206;a&#8288;b'),
    ).toEqual(['Netzgerät, Firefox, Firefox, ab']);
    expect(await texts('<h2>Netz&shy;gerät &#8203;</h2>x<pre>fire&shy;fox</pre>')).toEqual([
      'Netzgerät: x\nfirefox',
    ]);
    expect(await texts('ภาษา\u200bไทย می\u200cخواهم')).toEqual(['ภาษา\u200bไทย می\u200cخواهم']);
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
