// Documents that are made to be slow to read. `tests/bench/passages/documents-bench.ts` measures them.
import { deflateSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { pdfWithContent } from '../support/files/pdf-file.ts';

export interface HostileDocument {
  readonly path: string;
  /** Makes about so many bytes. */
  readonly make: (bytes: number) => string | Uint8Array;
}

const repeated = (unit: string) => (bytes: number) =>
  unit.repeat(Math.ceil(bytes / Buffer.byteLength(unit)));

/** Opens and closes as often as fits. */
const nested = (open: string, close: string) => (bytes: number) => {
  const depth = Math.ceil(bytes / (open.length + close.length));
  return `${open.repeat(depth)}deep${close.repeat(depth)}`;
};

const numbered = (unit: (i: number) => string) => (bytes: number) => {
  const parts: string[] = [];
  for (let length = 0, i = 0; length < bytes; i++) {
    const part = unit(i);
    parts.push(part);
    length += part.length;
  }
  return parts.join('');
};

/** A list whose items are each two columns further in. */
const staircase = (bytes: number) => {
  const depth = Math.ceil(Math.sqrt(bytes));
  return Array.from({ length: depth }, (_, i) => `${'  '.repeat(i)}- item`).join('\n');
};

/** Many short nested lists, so that no limit is met. */
const shallowStairs = (bytes: number) =>
  repeated(`${Array.from({ length: 12 }, (_, i) => `${'  '.repeat(i)}- item`).join('\n')}\n\n`)(
    bytes,
  );

const header = (unit: (i: number) => string, rows: string) => (bytes: number) =>
  `${numbered((i) => `${unit(i)},`)(bytes)}last\n${rows}`;

const withBom = (text: string) => (bytes: number) =>
  new Uint8Array(Buffer.concat([Buffer.from('\uFEFF'), Buffer.from(repeated(text)(bytes))]));

const utf16 = (bytes: number) =>
  new Uint8Array(Buffer.from(`\uFEFF${repeated('Eule. ')(bytes / 2)}`, 'utf16le'));

const deflated = (unit: string) => (bytes: number) => {
  // Zeros shrink to a thousandth, and so does this.
  const content = deflateSync(Buffer.from(repeated(unit)(bytes * 200)));
  return pdfWithContent(content.toString('latin1'), '/Filter /FlateDecode');
};

export const hostileDocuments: Readonly<Record<string, HostileDocument>> = {
  'html: nested tables': { path: 'a.html', make: nested('<table><tr><td>', '') },
  'html: nested tables in captions': { path: 'a.html', make: nested('<table><caption>', '') },
  'html: nested closed tables': {
    path: 'a.html',
    make: nested('<table><tr><td>', '</td></tr></table>'),
  },
  'html: nested divs': { path: 'a.html', make: nested('<div>', '</div>') },
  'html: nested spans': { path: 'a.html', make: nested('<span>', '</span>') },
  'html: nested bold': { path: 'a.html', make: nested('<b>', '') },
  'html: spans, then wrong ends': { path: 'a.html', make: nested('<span>', '</i>') },
  'html: formatting with attributes': { path: 'a.html', make: numbered((i) => `<b id=${i}>`) },
  'html: formatting over paragraphs': {
    path: 'a.html',
    make: numbered((i) => `<font id=${i}><p>`),
  },
  'html: adoption agency': { path: 'a.html', make: repeated('<a><div></a>') },
  'html: foster parents': { path: 'a.html', make: (n) => `<table>${repeated('<b>x')(n)}` },
  'html: flat table cells': { path: 'a.html', make: (n) => `<table><tr>${repeated('<td>1')(n)}` },
  'html: flat table rows': { path: 'a.html', make: (n) => `<table>${repeated('<tr><td>1')(n)}` },
  'html: flat paragraphs': { path: 'a.html', make: repeated('<p>a') },
  'html: numbered list': { path: 'a.html', make: (n) => `<ol>${repeated('<li>a')(n)}` },
  'html: nested numbered lists': { path: 'a.html', make: nested('<ol><li>', '') },
  'html: definition lists': { path: 'a.html', make: nested('<dl><dd>', '') },
  'html: entities': { path: 'a.html', make: repeated('&notit;&amp') },
  'html: one word': { path: 'a.html', make: repeated('x') },
  'html: huge attribute': { path: 'a.html', make: (n) => `<img alt="${repeated('x ')(n)}">` },
  'html: data address': { path: 'a.html', make: (n) => `<p>a<img src="${repeated('x')(n)}">` },
  'html: many attributes': { path: 'a.html', make: (n) => `<p ${numbered((i) => `a${i} `)(n)}>` },
  'html: repeated attribute': { path: 'a.html', make: (n) => `<p ${repeated('a=1 ')(n)}>` },
  'html: open angle brackets': { path: 'a.html', make: repeated('<') },
  'html: open tags': { path: 'a.html', make: repeated('<a ') },
  'html: open comments': { path: 'a.html', make: repeated('<!--') },
  'html: open scripts': { path: 'a.html', make: repeated('<script>') },
  'html: open templates': { path: 'a.html', make: repeated('<template>') },
  'html: open selects': { path: 'a.html', make: repeated('<select><option>') },
  'html: ruby': { path: 'a.html', make: repeated('<ruby>a<rt>b') },
  'html: nested ruby': { path: 'a.html', make: nested('<ruby>', '</ruby>') },
  'html: readings': { path: 'a.html', make: repeated('<ruby>a<rt>b</ruby>') },
  'html: formulas': { path: 'a.html', make: repeated('<math><mi>x</math>') },
  'html: open formulas': { path: 'a.html', make: repeated('<math><mi>x') },
  'html: icons': { path: 'a.html', make: repeated('<i aria-hidden=true>') },
  'html: names of hidden elements': {
    path: 'a.html',
    make: numbered((i) => `<x${i} aria-hidden=true>`),
  },
  'html: soft hyphens': { path: 'a.html', make: repeated('a&shy;') },
  'html: svg': { path: 'a.html', make: nested('<svg>', '') },
  'html: mathml in svg': { path: 'a.html', make: nested('<svg><desc><math><mi>', '') },
  'html: framesets': { path: 'a.html', make: nested('<frameset>', '') },
  'html: titles': { path: 'a.html', make: repeated('<title>a</title>') },
  'html: headings': { path: 'a.html', make: repeated('<h1>a</h1><h2>b</h2>') },
  'html: bodies': { path: 'a.html', make: numbered((i) => `<body a${i}=1>`) },
  'html: line ends': { path: 'a.html', make: repeated('\r\n') },
  'md: nested list': { path: 'a.md', make: staircase },
  'md: nested list in a line': { path: 'a.md', make: repeated('- ') },
  'md: shallow nested lists': { path: 'a.md', make: shallowStairs },
  'md: flat list': { path: 'a.md', make: repeated('- item\n') },
  'md: numbered list': { path: 'a.md', make: numbered((i) => `${i % 1e8}. item\n`) },
  'md: loose list': { path: 'a.md', make: repeated('- item\n\n') },
  'md: list and text': { path: 'a.md', make: repeated('- item\ntext\n') },
  'md: nested quotes': { path: 'a.md', make: repeated('> ') },
  'md: quote lines': { path: 'a.md', make: repeated('> quote\n') },
  'md: quote and text': { path: 'a.md', make: repeated('> quote\ntext\n') },
  'md: quotes of lists': { path: 'a.md', make: repeated('> - a\n') },
  'md: open brackets': { path: 'a.md', make: repeated('[') },
  'md: open links': { path: 'a.md', make: repeated('[a](') },
  'md: open images': { path: 'a.md', make: repeated('![a](b') },
  'md: nested links': { path: 'a.md', make: nested('[', '](a)') },
  'md: stars': { path: 'a.md', make: repeated('*') },
  'md: open emphasis': { path: 'a.md', make: repeated('*a ') },
  'md: open strong': { path: 'a.md', make: repeated('**a ') },
  'md: closing emphasis': { path: 'a.md', make: repeated('a* ') },
  'md: mixed emphasis': { path: 'a.md', make: repeated('*a **b _c ') },
  'md: nested emphasis': { path: 'a.md', make: nested('*a **b ', 'c** d*') },
  'md: underscores': { path: 'a.md', make: repeated('_a ') },
  'md: tildes': { path: 'a.md', make: repeated('~~a ') },
  'md: backticks': { path: 'a.md', make: numbered((i) => `${'`'.repeat((i % 999) + 1)} `) },
  'md: open code span': { path: 'a.md', make: repeated('`a ``b ') },
  'md: open fences': { path: 'a.md', make: repeated('```\n') },
  'md: different fences': {
    path: 'a.md',
    make: numbered((i) => `${'~'.repeat(3 + (i % 500))}\na\n`),
  },
  'md: references': { path: 'a.md', make: numbered((i) => `[a${i}]: b\n`) },
  'md: uses of a reference': { path: 'a.md', make: (n) => `[a]: b\n\n${repeated('[a] ')(n)}` },
  'md: missing references': { path: 'a.md', make: repeated('[a][b] ') },
  'md: open html': { path: 'a.md', make: repeated('<a ') },
  'md: html comments': { path: 'a.md', make: repeated('<!-- ') },
  'md: html blocks': { path: 'a.md', make: repeated('<div>\n\n') },
  'md: angle brackets': { path: 'a.md', make: repeated('<') },
  'md: html tags in a line': { path: 'a.md', make: repeated('a <b>') },
  'md: entities': { path: 'a.md', make: repeated('&amp; ') },
  'md: backslashes': { path: 'a.md', make: repeated('\\') },
  'md: addresses': { path: 'a.md', make: repeated('http://a.b ') },
  'md: address parentheses': { path: 'a.md', make: (n) => `http://a.b/${repeated(')')(n)}` },
  'md: mail addresses': { path: 'a.md', make: repeated('a.b@c.d ') },
  'md: dots and letters': { path: 'a.md', make: repeated('a.') },
  'md: table rows': { path: 'a.md', make: (n) => `|a|b|\n|-|-|\n${repeated('|1|2|\n')(n)}` },
  'md: table columns': {
    path: 'a.md',
    make: (n) =>
      `${repeated('|a')(n / 3)}|\n${repeated('|-')(n / 3)}|\n${repeated('|1')(n / 3)}|\n`,
  },
  'md: wide table, short rows': {
    path: 'a.md',
    make: (n) => `${repeated('|a')(n / 4)}|\n${repeated('|-')(n / 4)}|\n${repeated('|1\n')(n / 4)}`,
  },
  'md: possible tables': { path: 'a.md', make: repeated('|a|\n') },
  'md: dashes': { path: 'a.md', make: repeated('-') },
  'md: lines of dashes': { path: 'a.md', make: repeated('a\n---\n') },
  'md: one paragraph': { path: 'a.md', make: repeated('word word word\n') },
  'md: one line': { path: 'a.md', make: repeated('word ') },
  'md: one word': { path: 'a.md', make: repeated('x') },
  'md: paragraphs': { path: 'a.md', make: repeated('a\n\n') },
  'md: spaces': { path: 'a.md', make: (n) => `a${repeated(' ')(n)}b` },
  'md: blank lines': { path: 'a.md', make: (n) => `a${repeated('\n')(n)}b` },
  'md: tabs': { path: 'a.md', make: repeated('\t') },
  'md: containers': { path: 'a.md', make: repeated(':::note\ntext\n') },
  'md: containers in lists': { path: 'a.md', make: repeated('- a\n  :::\n') },
  'md: colons': { path: 'a.md', make: repeated(':') },
  'md: braces': { path: 'a.md', make: repeated('# a {#b} {') },
  'md: open braces': { path: 'a.md', make: (n) => `# a {${repeated('#b ')(n)}` },
  'md: attributes': { path: 'a.md', make: repeated('[a]{.b}') },
  'md: roles': { path: 'a.md', make: repeated('{a}`b`') },
  'md: dollars': { path: 'a.md', make: repeated('$') },
  'md: open formulas': { path: 'a.md', make: repeated('$a ') },
  'md: formulas': { path: 'a.md', make: repeated('$a$ ') },
  'md: links of wikis': { path: 'a.md', make: repeated('[[a') },
  'md: tags of templates': { path: 'a.md', make: repeated('{{< a ') },
  'md: directives': {
    path: 'a.md',
    make: numbered((i) => `${'`'.repeat(3 + (i % 40))}{note}\n`),
  },
  'md: headings': { path: 'a.md', make: repeated('# a\n') },
  'md: hashes': { path: 'a.md', make: (n) => `# a ${repeated('# ')(n)}b` },
  'md: open front matter': { path: 'a.md', make: (n) => `---\n${repeated('a: b\n')(n)}` },
  'md: front matter': { path: 'a.md', make: (n) => `---\n${repeated('a: b\n')(n)}---\n` },
  'md: front matter of spaces': { path: 'a.md', make: (n) => `---\n${repeated(' ')(n)}\n---\nx` },
  'mdx: braces': { path: 'a.mdx', make: repeated('{') },
  'mdx: open tags': { path: 'a.mdx', make: repeated('<a b={') },
  'mdx: elements': { path: 'a.mdx', make: nested('<A>', '</A>') },
  'mdx: exports': { path: 'a.mdx', make: repeated('export {\n\n') },
  'rst: headings': { path: 'a.rst', make: repeated('a\n==\n\n') },
  'rst: open tables': { path: 'a.rst', make: repeated('== ==\n') },
  'rst: directives': { path: 'a.rst', make: repeated('.. a::\n') },
  'rst: open emphasis': { path: 'a.rst', make: repeated('*a ') },
  'adoc: anchors': { path: 'a.adoc', make: repeated('[[a') },
  'adoc: cells': { path: 'a.adoc', make: (n) => `|===\n${repeated('|a')(n)}` },
  'adoc: open code': { path: 'a.adoc', make: repeated('----\n') },
  'ipynb: cells': {
    path: 'a.ipynb',
    make: (n) => `{"cells":[${repeated('{"cell_type":"markdown","source":"# a"},')(n)}{}]}`,
  },
  'yaml: keys': { path: 'a.yaml', make: numbered((i) => `k${i}:\n`) },
  'yaml: lines': { path: 'a.yaml', make: repeated('- a\n') },
  'log: lines': { path: 'a.log', make: repeated('a\n') },
  'log: escapes': { path: 'a.log', make: repeated('\x1b[1mx\x1b]0;') },
  'docx: zeros': {
    path: 'a.docx',
    make: (n) => zipSync({ 'word/document.xml': new Uint8Array(n * 100) }),
  },
  'docx: paragraphs': {
    path: 'a.docx',
    make: (n) =>
      zipSync({
        'word/document.xml': Buffer.from(repeated('<w:p><w:r><w:t>a</w:t></w:r></w:p>')(n)),
      }),
  },
  'csv: repeated headers': { path: 'a.csv', make: header(() => 'name', '1,2\n') },
  'csv: columns': { path: 'a.csv', make: header((i) => `c${i}`, '1,2\n') },
  'csv: short names': { path: 'a.csv', make: header(() => 'a', '1,2\n') },
  'csv: delimiters': { path: 'a.csv', make: repeated(',') },
  'csv: rows beyond the header': { path: 'a.csv', make: (n) => `a,b\n1,2${repeated(',x')(n)}` },
  'csv: rows of delimiters': { path: 'a.csv', make: (n) => `a,b\n${repeated(',')(n)}` },
  'csv: open quote': { path: 'a.csv', make: (n) => `a,b\n"${repeated('x,\n')(n)}` },
  'csv: quotes': { path: 'a.csv', make: repeated('"') },
  'csv: quoted header': { path: 'a.csv', make: repeated('"a""') },
  'csv: quotes and delimiters': { path: 'a.csv', make: repeated('"",') },
  'csv: line ends': { path: 'a.csv', make: repeated('\n') },
  'csv: carriage returns': { path: 'a.csv', make: repeated('a\r') },
  'csv: short rows': { path: 'a.csv', make: repeated('a\n') },
  'csv: two columns': {
    path: 'a.csv',
    make: (n) => `id,text\n${repeated('1,Owls hunt mice.\n')(n)}`,
  },
  'csv: dates as names': { path: 'a.csv', make: (n) => `__proto__,a\n${repeated('1,2\n')(n)}` },
  'json: nested lists': { path: 'a.json', make: nested('[', ']') },
  'json: nested objects': { path: 'a.json', make: nested('{"a":', '}') },
  'json: open lists': { path: 'a.json', make: repeated('[') },
  'json: numbers': { path: 'a.json', make: (n) => `[${repeated('1,')(n)}1]` },
  'json: empty lists': { path: 'a.json', make: (n) => `[${repeated('[],')(n)}1]` },
  'json: empty objects': { path: 'a.json', make: (n) => `[${repeated('{},')(n)}1]` },
  'json: keys': { path: 'a.json', make: (n) => `{${numbered((i) => `"k${i}":1,`)(n)}"a":"b"}` },
  'json: short strings': { path: 'a.json', make: (n) => `[${repeated('"a",')(n)}"b"]` },
  'json: one string': { path: 'a.json', make: (n) => `["${repeated('word ')(n)}"]` },
  'json: escapes': { path: 'a.json', make: (n) => `["${repeated('\\u0041')(n)}"]` },
  'json: open string': { path: 'a.json', make: (n) => `["${repeated('a')(n)}` },
  'json: spaces, then an error': { path: 'a.json', make: (n) => `${repeated(' ')(n)}x` },
  'json: an error at the end': { path: 'a.json', make: (n) => `[${repeated('1,')(n)}x` },
  'jsonl: records': { path: 'a.jsonl', make: repeated('{"text":"Owls hunt mice."}\n') },
  'jsonl: line ends': { path: 'a.jsonl', make: repeated('\n') },
  'jsonl: line ends of Windows': { path: 'a.jsonl', make: repeated('\r\n') },
  'jsonl: spaces': { path: 'a.jsonl', make: (n) => `${repeated(' ')(n)}1` },
  'jsonl: numbers': { path: 'a.jsonl', make: repeated('1\n') },
  'jsonl: one line': { path: 'a.jsonl', make: (n) => `{"text":"${repeated('word ')(n)}"}` },
  'jsonl: a list in a line': { path: 'a.jsonl', make: (n) => `[${repeated('1,')(n)}1]` },
  'txt: one word': { path: 'a.txt', make: repeated('x') },
  'txt: words': { path: 'a.txt', make: repeated('word ') },
  'txt: sentences': { path: 'a.txt', make: repeated('Owls hunt mice. ') },
  'txt: initials': { path: 'a.txt', make: repeated('A. ') },
  'txt: dots': { path: 'a.txt', make: repeated('.') },
  'txt: numbers with dots': { path: 'a.txt', make: repeated('1. ') },
  'txt: spaces': { path: 'a.txt', make: (n) => `a${repeated(' ')(n)}b` },
  'txt: line ends': { path: 'a.txt', make: repeated('\n') },
  'txt: short paragraphs': { path: 'a.txt', make: repeated('a\n\n') },
  'txt: short lines': { path: 'a.txt', make: repeated('a\n') },
  'txt: no-break spaces': { path: 'a.txt', make: repeated('\u00a0') },
  'txt: emoji': { path: 'a.txt', make: repeated('👩‍👩‍👧') },
  'txt: combining marks': { path: 'a.txt', make: (n) => `a${repeated('\u0301')(n)}` },
  'txt: Thai': { path: 'a.txt', make: repeated('กขค') },
  'txt: a mark of order': { path: 'a.txt', make: withBom('a\n\n') },
  'txt: UTF-16': { path: 'a.txt', make: utf16 },
  'txt: broken UTF-8': { path: 'a.txt', make: (n) => new Uint8Array(n).fill(0xe4) },
  'txt: Latin-1': {
    path: 'a.txt',
    make: (n) => new Uint8Array(Buffer.from(repeated('für ')(n), 'latin1')),
  },
  'txt: escapes': { path: 'a.txt', make: repeated('\x1b$B') },
  'txt: zeros': { path: 'a.txt', make: (n) => new Uint8Array(n) },
  'pdf: saved states': { path: 'a.pdf', make: (n) => pdfWithContent(repeated('q ')(n)) },
  'pdf: numbers': { path: 'a.pdf', make: (n) => pdfWithContent(repeated('1 ')(n)) },
  'pdf: open lists': { path: 'a.pdf', make: (n) => pdfWithContent(repeated('[')(n)) },
  'pdf: open dictionaries': { path: 'a.pdf', make: (n) => pdfWithContent(repeated('<<')(n)) },
  'pdf: open strings': { path: 'a.pdf', make: (n) => pdfWithContent(repeated('(')(n)) },
  'pdf: open texts': { path: 'a.pdf', make: (n) => pdfWithContent(repeated('BT ')(n)) },
  'pdf: texts': {
    path: 'a.pdf',
    make: (n) => pdfWithContent(`BT /F 12 Tf ${repeated('(a)Tj ')(n)}ET`),
  },
  'pdf: inline pictures': { path: 'a.pdf', make: (n) => pdfWithContent(repeated('BI ID ')(n)) },
  'pdf: deflated states': { path: 'a.pdf', make: deflated('q ') },
  'pdf: deflated texts': { path: 'a.pdf', make: deflated('BT /F 12 Tf (a)Tj ET ') },
  'pdf: deflated zeros': { path: 'a.pdf', make: deflated('\0') },
  'pdf: no objects': { path: 'a.pdf', make: (n) => `%PDF-1.4\n${repeated('1 0 obj\n')(n)}` },
  'pdf: only the magic': { path: 'a.pdf', make: (n) => `%PDF-1.4\n${repeated('x')(n)}` },
};
