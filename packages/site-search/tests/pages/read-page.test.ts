// What is read of a page: its content, its headings, and what it says about itself.
import { describe, expect, test } from 'vitest';
import { sectionText } from '../../src/build/html/page-content.ts';
import { readPage } from '../../src/build/html/read-page.ts';
import { matcherOf } from '../../src/build/html/selectors.ts';

const read = (html: string) => readPage(html, 'page.html');
/** The text of the page, with its headings. */
const textOf = (html: string): string[] =>
  read(html).sections.map(
    (section) => `${section.heading}|${section.anchor}|${sectionText(section)}`,
  );

describe('the content of a page', () => {
  const around = '<nav>Menu</nav><header>Logo</header><aside>Ad</aside>';

  test.each([
    ['main', `${around}<article>No</article><main>Yes</main>`],
    ['role=main', `${around}<article>No</article><div role="main">Yes</div>`],
    ['article', `${around}<p>No</p><article>Yes</article>`],
    ['body without what surrounds it', `${around}<div>Yes</div><footer>End</footer>`],
    ['what is marked', `<main>No<div data-ambry-body>Yes</div></main>`],
  ])('is %s', (_, html) => expect(textOf(html)).toEqual(['||Yes']));

  test('is the body where main has no text', () => {
    expect(textOf('<main><img src="x"></main><p>Yes</p>')).toEqual(['||Yes']);
  });

  test('has whole words where ruby tells how they are read', () => {
    const ruby = '<ruby>月<rp>（</rp><rt>つき</rt><rp>）</rp></ruby><ruby>夜<rt>よ</ruby>';
    const complex = '<ruby><rb>月</rb><rb>光</rb><rtc><rt>げっ</rt><rt>こう</rt></rtc></ruby>';
    expect(textOf(`<main><h2>${ruby}へ</h2>${ruby}の${complex}</main>`)).toEqual([
      '月夜へ||月夜の月光',
    ]);
  });

  test('has no scripts, styles, hidden or ignored text', () => {
    const hidden = [
      '<script>a</script>',
      '<style>a</style>',
      '<template>a</template>',
      '<svg><title>a</title><text>a</text></svg>',
      '<p hidden>a</p>',
      '<p aria-hidden="true">a</p>',
      '<div data-ambry-ignore>a<p>a</p></div>',
      '<div data-pagefind-ignore>a</div>',
      '<h2 data-search-exclude>a</h2>',
      '<button aria-expanded="false" aria-controls="m" aria-haspopup="menu">a</button>',
      '<nav>a</nav>',
      '<!-- a -->',
    ];
    expect(textOf(`<main>${hidden.join('')}<p>Yes</p></main>`)).toEqual(['||Yes']);
  });

  test.each([
    ['a tab that is not chosen', '<div role="tabpanel" hidden>Yes</div>'],
    ['what a search of the browser unfolds', '<div hidden="until-found">Yes</div>'],
    [
      'a panel that a button opens',
      '<button aria-controls="x p"></button><div id="p" hidden>Yes</div>',
    ],
    ['a region with a name', '<div role="region" aria-labelledby="b" hidden>Yes</div>'],
    ['the title of an aside', '<aside aria-label="Yes"><p aria-hidden="true">Yes</p></aside>'],
    ['a panel before its button', '<p id="p" hidden>Yes</p><button aria-controls=p></button>'],
    ['a tab that is a button', '<button role="tab">Yes</button>'],
    ['a button that opens', '<button aria-expanded="false" aria-controls="p">Yes</button>'],
    ['a button of Bootstrap', '<button data-bs-toggle="collapse">Yes</button>'],
    ['a button in a list of terms', '<dl><dt><button>Yes</button></dt></dl>'],
  ])('has %s', (_, html) => expect(textOf(`<main>${html}</main>`)).toEqual(['||Yes']));

  test('has headings that are buttons', () => {
    expect(textOf('<main><h3><button aria-expanded="false">Why?</button></h3>So.</main>')).toEqual([
      'Why?||So.',
    ]);
    expect(textOf('<main><button>Copy</button>Yes</main>')).toEqual(['||Yes']);
    const role = '<span role="heading" aria-level="3" id="w"><button>Why?</button></span>';
    expect(textOf(`<main>A ${role} So.</main>`)).toEqual(['||A', 'Why?|w|So.']);
  });

  test('has headings without ids that stand in their text', () => {
    expect(textOf('<main><h2 id="a">One {#a}</h2>x<h2>A {b}</h2>y</main>')).toEqual([
      'One|a|x',
      'A {b}||y',
    ]);
  });

  test('has a formula once, apart from the words beside it', () => {
    const annotation = '<annotation encoding="application/x-tex">E = mc^2</annotation>';
    const formula = `<math><semantics><mi>E</mi><mo>=</mo><mi>m</mi>${annotation}</semantics></math>`;
    const shown = '<span aria-hidden="true">E=m</span>';
    expect(textOf(`<main>Energy${formula}${shown}equals</main>`)).toEqual(['||Energy E=m equals']);
  });

  test('has numbers of footnotes apart from words, and powers with theirs', () => {
    expect(textOf('<main>quokka<sup>1</sup> 10 m<sup>2</sup> 20<sup>th</sup></main>')).toEqual([
      '||quokka 1 10 m2 20th',
    ]);
  });

  test('has words without signs that nobody sees', () => {
    expect(textOf('<main>Ge\u00adsamt Foo\u200bBar \u2060x</main>')).toEqual(['||Gesamt FooBar x']);
    expect(textOf('<main>ไทย\u200bดี</main>')).toEqual(['||ไทย\u200bดี']);
  });

  test('keeps paragraphs apart and inline elements together', () => {
    expect(textOf('<main><p>One <b>tw</b>o</p><ul><li>three<li>four</ul>a<br>b</main>')).toEqual([
      '||One two\nthree\nfour\na b',
    ]);
  });

  test('keeps the lines of code, and divides cells', () => {
    expect(textOf('<main><pre>a\n  b\n</pre><table><tr><td>1<td>2</table></main>')).toEqual([
      '||a\n  b\n1 2',
    ]);
  });

  test('decodes character references', () => {
    expect(textOf('<main>A &amp;&eacute;</main>')).toEqual(['||A &é']);
  });
});

test('alt texts of images are read on request', () => {
  const html = '<main>A<img alt="B">C</main>';
  const rules = { isContent: () => false, isIgnored: () => false };
  const textWith = (altTexts?: boolean) =>
    readPage(html, 'page.html', undefined, { ...rules, altTexts }).sections.map(sectionText);
  expect(textWith()).toEqual(['AC']);
  expect(textWith(true)).toEqual(['A B C']);
});

test('options state the content and what is left out, where a page has no attributes for it', () => {
  const html =
    '<main>No<div class="doc wide">Yes<span class="lang">js</span></div><h1 data-title>Title</h1></main>';
  const rules = {
    isContent: matcherOf('.doc, h1[data-title]', 'options.content'),
    isIgnored: matcherOf('span.lang', 'options.ignore'),
  };
  const { sections } = readPage(html, 'page.html', undefined, rules);
  expect(sections.map((section) => [section.heading, sectionText(section)])).toEqual([
    ['', 'Yes'],
    ['Title', ''],
  ]);
});

describe('headings', () => {
  test('divide the text, and their ids are anchors', () => {
    expect(textOf('<main>a<h1 id="x">X</h1>b<h2>Y</h2>c</main>')).toEqual(['||a', 'X|x|b', 'Y||c']);
  });

  test.each([
    ['a link in it', '<h2><a id="x"></a>X</h2>a'],
    ['a named link in it', '<h2>X<a name="x"></a></h2>a'],
    ['the section around it', '<section id="x"><h2>X</h2>a</section>'],
  ])('have the anchor of %s', (_, html) =>
    expect(textOf(`<main>${html}</main>`)).toEqual(['X|x|a']));

  test('take the id of a section once', () => {
    expect(textOf('<main><section id="x"><h2>X</h2>a<h3>Y</h3>b</section></main>')).toEqual([
      'X|x|a',
      'Y||b',
    ]);
  });

  test.each(['#', '¶', ' 🔗', '​'])('lose the sign of a permanent link %s', (sign) => {
    expect(textOf(`<main><h2 id="x">X<a href="#x">${sign}</a></h2>a</main>`)).toEqual(['X|x|a']);
  });
});

describe('what a page says about itself', () => {
  test('is read', () => {
    const facts = read(`<html lang="de-AT"><head><title> Ein
      Titel </title><meta name="description" content="Worum es geht">
      <link rel="canonical" href="https://a.example/x"></head><body><p>Text</html>`);
    expect(facts).toMatchObject({
      title: 'Ein Titel',
      description: 'Worum es geht',
      language: 'de-AT',
      canonical: 'https://a.example/x',
      isHidden: false,
    });
  });

  test('has a title from the first heading where there is no other', () => {
    expect(read('<main><p>a</p><h2>Second</h2></main>').title).toBe('Second');
  });

  test.each(['noindex', 'NONE', 'follow, noindex'])('hides it by robots %s', (content) => {
    expect(read(`<meta name="robots" content="${content}"><p>a`).isHidden).toBe(true);
  });

  test('takes the language of XHTML', () => {
    expect(read('<html xml:lang="de"><p>a').language).toBe('de');
    expect(read('<html lang="fr" xml:lang="de"><p>a').language).toBe('fr');
  });

  test.each([
    ['0; url=new.html', true],
    ['5;URL=/new', true],
    ['30', false],
  ])('leads elsewhere by a refresh "%s": %s', (content, isRedirect) => {
    const html = `<meta http-equiv="Refresh" content="${content}"><p>a`;
    expect(read(html).isRedirect).toBe(isRedirect);
  });

  test('hides it where a mark is required that it does not have', () => {
    const rules = { isContent: () => false, isIgnored: () => false };
    const isRequired = matcherOf('[data-pagefind-body]', 'options.requires');
    const isHidden = (html: string) =>
      readPage(html, 'page.html', undefined, { ...rules, isRequired }).isHidden;
    expect(isHidden('<main data-pagefind-body>a</main>')).toBe(false);
    expect(isHidden('<main>a</main>')).toBe(true);
  });

  test('names filters with values, by attributes, texts and meta elements', () => {
    const html = `<meta data-ambry-filter="author" content="Ada">
      <main><span data-ambry-filter="kind:guide, level:1"></span>
      <b data-ambry-filter="author">Grace <i>H.</i></b></main>`;
    expect(read(html).filters).toEqual({
      author: ['Ada', 'Grace H.'],
      kind: ['guide'],
      level: ['1'],
    });
  });

  test('has no more filters than the limit', () => {
    const many = Array.from({ length: 300 }, (_, i) => `<i data-ambry-filter="a:${i}"></i>`);
    expect(read(many.join('')).filters['a']).toHaveLength(256);
  });
});

describe('weights', () => {
  const weightsIn = (html: string) =>
    read(html).sections.flatMap(({ blocks }) => blocks.map(({ weight }) => weight));

  test('are those of the nearest element', () => {
    const html = '<main><p>a<div data-ambry-weight="2">b<p data-ambry-weight="0.5">c</div>d</main>';
    expect(weightsIn(html)).toEqual([1, 2, 0.5, 1]);
  });

  test.each(['', 'x', '-1', '11', '0', 'NaN'])('are 1 where one is stated as "%s"', (stated) => {
    expect(weightsIn(`<main data-ambry-weight="${stated}">a</main>`)).toEqual([1]);
  });
});

describe('broken pages', () => {
  test.each([
    ['elements that do not end', '<main><div><p>Yes<b>'],
    ['end tags without elements', '</p></div><main></b>Yes</i></main></main>'],
    ['a tag that is cut', '<main>Yes<a href="'],
    ['attributes without an end', '<main>Yes</main><p class="x>'],
    ['nothing but text', 'Yes'],
  ])('are read in spite of %s', (_, html) => expect(textOf(html)).toEqual(['||Yes']));

  test('with elements in each other without an end are refused', () => {
    expect(() => read('<div>'.repeat(600))).toThrowError(
      expect.objectContaining({ code: 'LimitExceeded', path: 'page.html' }),
    );
  });

  test('with many elements one after another are read', () => {
    const html = `<main>${'<p>a</p></x>'.repeat(100_000)}</main>`;
    expect(read(html).sections[0]?.blocks).toHaveLength(100_000);
  });
});

test('an abort ends the reading', () => {
  const signal = AbortSignal.abort();
  expect(() => readPage('<p>a', 'page.html', signal)).toThrowError(
    expect.objectContaining({ name: 'AbortError' }),
  );
});
