// Documents that are changed by chance: bytes, parts, and pieces that mean something in their type.

import { drawnAt, pdfWithContent } from '../support/files/pdf-file.ts';
import type { Mutants } from '../support/mutants.ts';

interface Seeds {
  readonly documents: readonly Uint8Array[];
  /** What is put in. */
  readonly pieces: readonly string[];
}

const utf8 = (text: string) => new Uint8Array(Buffer.from(text));
const latin1 = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
const utf16 = (text: string) => new Uint8Array(Buffer.from(`\uFEFF${text}`, 'utf16le'));

const table = 'sep=;\n# note\nid;name;text\n1;Ada;"wrote ""notes""\nof length"\n2;Émile;novels\n';
const records = '[{"id":1,"title":"Owls","text":"Owls hunt at night."},{"a":["x",{"b":"y"}]}]';
const lines = '{"id":1,"text":"Owls"}\n\n{"name":"é","body":"x","n":[1,2]}\n["a"]\n';
const text = 'Grüße aus Köln.\n\nThe ferry leaves at seven. Whales sing.\n\n日本語の文章です。\n';
const markdown =
  '---\ntitle: Tides\n---\n# The sea\n\nA *tide* is a [wave](http://a.b).\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nlet x;\n```\n> quote\n';
const html =
  '<!doctype html><meta charset=utf-8><title>Tides</title><h1>The sea</h1><p>A <b>tide</b> &amp; more<ul><li>one<li>two</ul><table><tr><th>a<td>1</table><ruby>漢<rt>kan</ruby><script>x</script>';
const page = [
  drawnAt(50, 700, 'The left side of the'),
  drawnAt(320, 700, 'and the right side of'),
  drawnAt(50, 686, 'page goes on and on to-'),
  drawnAt(320, 686, 'it has other words and'),
  drawnAt(50, 672, 'wards the foot of it'),
  drawnAt(320, 672, 'more of them below', { more: '3 Tc' }),
  `/Span <</ActualText(meant)>> BDC ${drawnAt(50, 600, 'drawn')} EMC\n`,
].join('');
const annotations = [
  '/Subtype /Widget /FT /Tx /T (town) /V (Elm) /Rect [50 500 200 520] /F 4',
  '/Subtype /FreeText /Contents (A remark) /Rect [50 400 200 420] /DA (/F 11 Tf 0 g) /F 4',
];

const common = [
  '',
  '\0',
  '\n',
  '\r',
  '\r\n',
  '"',
  '\u001f',
  '\uFEFF',
  'é',
  '語',
  '🦉',
  ' '.repeat(99),
];

export const mutantSeeds: Readonly<Record<string, Seeds>> = {
  '.csv': {
    documents: [utf8(table), latin1(table), utf16(table), utf8(table.replaceAll('\n', '\r'))],
    pieces: [...common, ';', ',', '\t', '""', 'sep=,\n', '#', '\n\n', '__proto__', ';'.repeat(99)],
  },
  '.json': {
    documents: [utf8(records), utf16(records)],
    pieces: [...common, '[', ']', '{', '}', ':', ',', '\\u0000', '"__proto__":', '1e999', 'null'],
  },
  '.jsonl': {
    documents: [utf8(lines), utf8(lines.replaceAll('\n', '\r\n'))],
    pieces: [...common, '[', ']', '{', '}', ':', ',', '\\ud800', '"id":{}', 'null', '{}\n'],
  },
  '.txt': {
    documents: [utf8(text), utf16(text), latin1('Die Straße führt über den Fluß nach München.')],
    pieces: [...common, '\x1b$B', '\x80', '. ', '\n\n', '\u00ad', '\u0301'],
  },
  '.md': {
    documents: [utf8(markdown), utf8(text)],
    pieces: [
      ...common,
      '# ',
      '- ',
      '> ',
      '|',
      '```\n',
      '[',
      '](',
      '![',
      '*',
      '<b',
      '---\n',
      '    ',
    ],
  },
  '.html': {
    documents: [utf8(html), latin1(html), utf16(html)],
    pieces: [
      ...common,
      '<',
      '>',
      '<table>',
      '<tr><td>',
      '</',
      '<!--',
      '&#0;',
      '&#x110000;',
      '<h1>',
      '<pre>',
    ],
  },
  '.pdf': {
    documents: [pdfWithContent(page), pdfWithContent(page, '', { annotations })],
    pieces: [
      'q ',
      'Q ',
      'BT ',
      'ET ',
      ' EMC ',
      '/Span BMC ',
      '(',
      ')',
      '<<',
      '>>',
      '[',
      ']',
      '9999999999',
      '-1',
      ' 0 Tr',
      '/Rotate 90',
      '/V null',
      '1 0 R',
    ],
  },
};

/** A document of the type with one to six changes. */
export function mutant(type: string, chance: Mutants): Uint8Array {
  const { documents, pieces } = mutantSeeds[type] as Seeds;
  let bytes = chance.pick(documents);
  for (let changes = 1 + chance.below(6); changes > 0; changes--) {
    bytes = changed(bytes, chance, pieces, documents);
  }
  return bytes;
}

function changed(
  bytes: Uint8Array,
  chance: Mutants,
  pieces: readonly string[],
  documents: readonly Uint8Array[],
): Uint8Array {
  const at = chance.below(bytes.length + 1);
  const end = at + chance.below(Math.min(bytes.length - at + 1, 64));
  const [before, part, after] = [
    bytes.subarray(0, at),
    bytes.subarray(at, end),
    bytes.subarray(end),
  ];
  const kind = chance.below(7);
  const parts = [
    [before, Uint8Array.of(chance.below(256)), bytes.subarray(at + 1)],
    [before, after],
    [before, part, part, part, after],
    [before, utf8(chance.pick(pieces)), bytes.subarray(at)],
    [before, utf8(chance.pick(pieces).repeat(1 + chance.below(20))), after],
    [before, chance.pick(documents).subarray(end)],
    [after, part, before],
  ][kind] as Uint8Array[];
  return new Uint8Array(Buffer.concat(parts));
}
