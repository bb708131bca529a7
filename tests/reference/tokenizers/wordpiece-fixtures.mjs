// Writes tests/fixtures/wordpiece/: a small vocabulary of our own and what the official Hugging Face
// tokenizer makes of texts with it. The same every time it runs.
// Usage: node tests/reference/tokenizers/wordpiece-fixtures.mjs
import { mkdirSync, writeFileSync } from 'node:fs';
import { generateString, makeRandom } from './string-generator.mjs';
import { Oracle, specialTokens, tokenizerJson } from './wordpiece-oracle.mjs';

const words =
  `the a of and to in is it that was for on are as with his they at be this have from or one had
  by word but not what all were we when your can said there use an each which she do how their if will up
  other about out many then them these so some her would make like him into time has look two more write go
  see number no way could people my than first water been call who oil its now find long down day did get
  come made may part tell model token text search open small machine memory cafe naive uber strasse istanbul
  hello world play sing read walk work talk happy kind quick brown fox jump lazy dog`.split(/\s+/);
const endings = `s ed ing er est ly ness ment able ful less ion tion al y ize izer un re`.split(
  ' ',
);
const ranges = ['az', '09', '!/', ':@', '[`', '{~', 'άώ', 'аё', 'ぁん', 'ァン', '가갂', 'את'];
const single =
  'ßøıαςÅÉé一中文国語日本人你好世界東京，。！？、「」…–—’“”€£¥°½²③☃♥😀👍ﬁ\u1100\u1161\u11a8\u11ab\u0323\u0301\u08d4\u302e';

function makeVocabulary() {
  const letters = ranges.flatMap((range) => {
    const [first, last] = Array.from(range, (c) => c.codePointAt(0));
    return Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i));
  });
  const chars = [...new Set([...letters, ...single])];
  const joining = chars.filter((c) => /[\p{L}\p{N}\p{M}]/u.test(c));
  const vocabulary = [
    '[PAD]',
    '[unused0]',
    '[UNK]',
    '[CLS]',
    '[SEP]',
    '[MASK]',
    ...chars,
    ...words,
    'HELLO',
    'Hello',
    'É',
  ];
  return [
    ...new Set([...vocabulary, ...joining.map((c) => `##${c}`), ...endings.map((e) => `##${e}`)]),
  ];
}

const vocabulary = makeVocabulary();
const added = (content, id, flags = {}) => ({
  id,
  content,
  single_word: false,
  lstrip: false,
  rstrip: false,
  normalized: false,
  special: false,
  ...flags,
});

const sets = [
  { options: {}, seed: 1, generated: 50, texts: handWritten() },
  {
    options: { lowercase: false },
    seed: 2,
    generated: 8,
    texts: ['HELLO Hello hello', 'É é E\u0301'],
  },
  {
    options: { lowercase: true, stripAccents: false },
    seed: 3,
    generated: 8,
    texts: ['É é e\u0301', 'İ I ı'],
  },
  {
    options: { lowercase: false, stripAccents: true },
    seed: 4,
    generated: 6,
    texts: ['É é e\u0301', 'Hello 각'],
  },
  {
    options: { cleanText: false },
    seed: 5,
    generated: 8,
    texts: ['a\u200bb\u00adc\ufffdd\u0000e', 'a\u0085b\u3000c'],
  },
  { options: { handleChineseChars: false }, seed: 6, generated: 6, texts: ['a中文b 日本人'] },
  { options: { maxInputChars: 5 }, seed: 7, generated: 4, texts: ['hello readers', '각각 각각각'] },
  {
    options: {},
    seed: 8,
    generated: 6,
    added: [
      ...specialTokens(vocabulary).filter(({ content }) => content !== '[MASK]'),
      added('[MASK]', vocabulary.indexOf('[MASK]'), { lstrip: true, special: true }),
      added('<end>', vocabulary.length, { rstrip: true }),
      added('<endless>', vocabulary.length + 1),
      added('Café', vocabulary.length + 2, { normalized: true }),
      added('fox', vocabulary.indexOf('fox'), { single_word: true }),
    ],
    texts: [
      'a  [MASK] b',
      'a<end>  b <endless> c',
      'cafe CAFÉ cafés xcafe\u0301x',
      'fox foxes xfox _fox -fox- é fox中',
      '[MASK]<end> \t[MASK]',
    ],
  },
];

function handWritten() {
  const combinations = [
    'e\u0301\u0323',
    '\u1ed9',
    'q\u0323\u0307',
    'q\u0307\u0323',
    'a\u0344\u08d4\u0323b',
    'e\u0301\u08d4\u302e',
    '\u00e9\u08d4\u302e\u0323',
  ];
  return [
    '',
    '   \t\n',
    'hello world',
    'Hello, World!',
    'The quickest foxes jumped unhappily.',
    "don't stop: it's 3.14",
    'x[SEP]y [CLS][sep] [MASK',
    '中文and日本人 ぁあ',
    'a\u200bb c\u00add e\u0085f g\u3000h',
    'naïve Ångström İstanbul STRASSE ΑΣ',
    '각 한 \u1100\u1161\u11a8',
    '👍 ok😀ok',
    ...combinations,
    'a'.repeat(100),
    'a'.repeat(101),
    `${'e\u0301'.repeat(100)} ${'e\u0301'.repeat(101)}`,
    '\u{10ffff}a\ue000b',
  ];
}

function pairs() {
  const long = 'one two more words to cut down';
  const texts = ['', 'a', 'hello world', 'readers walking', long];
  const requests = [];
  for (const text of texts) {
    for (const pair of texts) {
      for (const max of [3, 6, 7, 9]) {
        requests.push({ text, pair, max });
      }
    }
  }
  // Few enough to stay small: every second, and some with neither specials nor a limit.
  return [
    ...requests.filter((_, i) => i % 4 === 1),
    { text: long, pair: 'walking', special: false },
    { text: long, pair: long, special: false, max: 5 },
    { text: long, max: 2 },
    { text: long, max: 5 },
    { text: long, max: 5, special: false },
    { text: '', max: 2 },
  ];
}

function decodings() {
  const id = (token) => vocabulary.indexOf(token);
  const lists = [
    '[CLS] hello , world ! [SEP]',
    "the fox ##es don ' t jump . [PAD] [PAD]",
    'it \' s a " quote " ? no : yes',
    '##ing play ##ed [UNK] ##s',
    "we do not , i ' m",
    'Hello 中 文 ##ing',
  ];
  return lists.map((list) =>
    list
      .split(' ')
      .map(id)
      .filter((i) => i >= 0),
  );
}

const flat = (spans) => spans.flat();
async function record(oracle, request) {
  const { ids, typeIds, offsets, byteOffsets } = await oracle.encode(request);
  return { ...request, ids, types: typeIds, utf16: flat(offsets), bytes: flat(byteOffsets) };
}

const lines = [];
for (const { options, seed, generated, texts, added: list } of sets) {
  const oracle = new Oracle(tokenizerJson(vocabulary, options, list));
  const random = makeRandom(seed);
  const requests = texts.map((text) => ({ text }));
  while (requests.length < texts.length + generated) {
    const text = generateString(random, words).toWellFormed(); // JSON has no lone surrogates
    if (text.length <= 60) {
      requests.push({ text, special: random.below(2) === 0 });
    }
  }
  if (seed === 1) {
    requests.push(...pairs());
  }
  const cases = [];
  for (const request of requests) {
    cases.push(JSON.stringify(await record(oracle, request)));
  }
  const decoded = [];
  for (const ids of seed === 1 ? decodings() : []) {
    for (const skip of [true, false]) {
      decoded.push(JSON.stringify({ ids, skip, text: await oracle.decode(ids, skip) }));
    }
  }
  lines.push(`{"options":${JSON.stringify(options)},"added":${JSON.stringify(list ?? null)},
"cases":[\n${cases.join(',\n')}],\n"decoded":[\n${decoded.join(',\n')}]}`);
}

const folder = new URL('../../fixtures/wordpiece/', import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL('vocab.txt', folder), `${vocabulary.join('\n')}\n`);
writeFileSync(new URL('cases.json', folder), `{"sets":[\n${lines.join(',\n')}\n]}\n`);
