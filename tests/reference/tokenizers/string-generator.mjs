// Strings that are hard on a tokenizer, the same ones for the same seed: mixed scripts, controls, runs
// of combining marks, emoji, Hangul in pieces, special tokens whole and broken, words at the length limit.

/** A random source with a state of 32 bits (mulberry32): `next()` in [0, 1), `below(n)`, `pick(list)`. */
export function makeRandom(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (n) => Math.floor(next() * n);
  return {
    next,
    below,
    pick: (list) => list[below(list.length)],
    between: (a, b) => a + below(b - a + 1),
  };
}

const spaces = [
  0x9, 0xa, 0xb, 0xc, 0xd, 0x20, 0x20, 0x20, 0x85, 0xa0, 0x1680, 0x2003, 0x2028, 0x202f, 0x3000,
];
const invisible = [
  0, 1, 0x1f, 0x7f, 0xad, 0x61c, 0x180e, 0x200b, 0x200c, 0x200d, 0x2060, 0xfeff, 0xfffd, 0xfff9,
  0xe000, 0xe0020, 0x10fffd,
];
const edges = [
  0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xfffe, 0xffff, 0x10000, 0x10ffff, 0x378, 0xe0000,
];
// Decompositions with several marks, marks that decompose, letters whose case mapping is special.
const tricky = [
  0x1e9b, 0x1ea7, 0x1ed5, 0x1f82, 0x1fa7, 0x1fee, 0x344, 0x385, 0xf73, 0xf75, 0xf77, 0xf81, 0xdda,
  0xddd, 0x9cb, 0x1026, 0x212b, 0x2126, 0x130, 0x131, 0x49, 0x1e9e, 0xdf, 0x3a3, 0x3c2, 0x1c5,
  0x1c4, 0xfb1d, 0xfb2c, 0x1d15e, 0x1d1be, 0x110ab, 0x1134b, 0x11938, 0xf951, 0xfa6c, 0x2f81a,
  0x2fa1d, 0x1734, 0x1b06, 0x1b43, 0x3094, 0x30f7, 0x226e, 0x2adc, 0x13a0, 0x10a0, 0x1c90, 0xa64a,
  0x1c88,
];
// Marks of many combining classes; some are newer than the tables and therefore survive.
const combiningMarks = [
  0x300, 0x301, 0x302, 0x303, 0x304, 0x307, 0x308, 0x30a, 0x315, 0x31b, 0x321, 0x322, 0x323, 0x327,
  0x328, 0x334, 0x338, 0x345, 0x34f, 0x35c, 0x35d, 0x360, 0x362, 0x5b0, 0x5b1, 0x5bc, 0x5c4, 0x64b,
  0x64f, 0x651, 0x670, 0x711, 0x93c, 0x94d, 0x9bc, 0xe38, 0xe48, 0xeb8, 0xf39, 0xf71, 0xf72, 0xf74,
  0x1037, 0x1dce, 0x1dfa, 0x20d0, 0x20d8, 0x302a, 0x302d, 0x302e, 0x302f, 0x3099, 0x309a, 0xfb1e,
  0xfe20, 0x8d4, 0x898, 0x1ab0, 0x1abf, 0x1d165, 0x1d16d, 0x1d16e, 0x1d17b, 0x1d185, 0x1d1aa,
  0x16ff0, 0x11f41, 0x1e8d0, 0x1e94a,
];
const emojis = [
  '😀',
  '👍🏽',
  '👨‍👩‍👧‍👦',
  '🏳️‍🌈',
  '🇩🇪',
  '🇯🇵',
  '❤️',
  '☺︎',
  '1️⃣',
  '🧑🏿‍🚀',
  '🫠',
  '©️',
  '™',
  '🥹',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
];
const punctuation = [
  ...'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~',
  ...'¡§«¶·»¿–—‘’“”…‰′‹›⁇〈〉《》「」『』、。・！？，．：；（）［］｛｝～€£¥°±×÷¬',
  ...'؛؟।॥༄⸮⸺﹏﹐︙',
  '\u{10100}',
  '\u{1F676}',
  '\u2e43',
  '\u2e52',
  '\u061d',
  '\u166d',
  '\u{111c9}',
];
const specialTokens = [
  '[CLS]',
  '[SEP]',
  '[PAD]',
  '[UNK]',
  '[MASK]',
  '[CLS]',
  '[SEP]',
  '[cls]',
  '[ SEP ]',
  '[SEP',
  'SEP]',
  '[[SEP]]',
  '[MASK]]',
  '[MA',
  '[MASK\u0301]',
  '[PAD',
  '##',
  '##ing',
  '[UNK][UNK]',
  '[Se\u00adp]',
  '[unused1]',
  '<s>',
  '</s>',
];
const codePointRanges = [
  [0x20, 0x7e],
  [0xa0, 0xff],
  [0x100, 0x24f],
  [0x250, 0x2af],
  [0x370, 0x3ff],
  [0x400, 0x52f],
  [0x531, 0x58f],
  [0x590, 0x5ff],
  [0x600, 0x6ff],
  [0x700, 0x7bf],
  [0x900, 0x97f],
  [0x980, 0xdff],
  [0xe00, 0xeff],
  [0xf00, 0xfff],
  [0x1000, 0x109f],
  [0x10a0, 0x10ff],
  [0x1200, 0x13ff],
  [0x1780, 0x18af],
  [0x1ab0, 0x1bff],
  [0x1c80, 0x1cff],
  [0x1d00, 0x1dff],
  [0x1e00, 0x1fff],
  [0x2000, 0x206f],
  [0x2070, 0x218f],
  [0x2190, 0x2bff],
  [0x2c00, 0x2dff],
  [0x2e00, 0x2e7f],
  [0x3000, 0x303f],
  [0x3040, 0x30ff],
  [0x3100, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xabff],
  [0xf900, 0xfaff],
  [0xfb00, 0xfdff],
  [0xfe00, 0xfeff],
  [0xff00, 0xffef],
  [0x10000, 0x10fff],
  [0x11000, 0x11fff],
  [0x16800, 0x16fff],
  [0x1d000, 0x1d7ff],
  [0x1e000, 0x1eeff],
  [0x1f000, 0x1faff],
  [0x20000, 0x2ebef],
  [0x2f800, 0x2fa1f],
  [0x30000, 0x323af],
];
const sampleWords = [
  'the',
  'of',
  'Tokenizer',
  'unaffable',
  'Größe',
  'naïve',
  'café',
  'ΑΣΣ',
  'İstanbul',
  'straße',
  'Привет',
  'мир',
  'שלום',
  'مرحبا',
  'สวัสดี',
  'नमस्ते',
  'こんにちは',
  'カタカナ',
  '你好',
  '한국어',
  'Việt',
  'Tiếng',
  "don't",
  'e.g.',
  '3.14',
  '1,000',
  'a_b',
  'x=y+z',
  'http://a.b/c?d=e',
  'WWII',
];

const scalar = (random) => {
  const c = random.below(0x110000 - 0x800);
  return c < 0xd800 ? c : c + 0x800;
};

const repeat = (n, make) => Array.from({ length: n }, make).join('');
const char = (list) => (random) => String.fromCodePoint(random.pick(list));
const letter = (random) => String.fromCodePoint(random.between(0x61, 0x7a));
const space = char(spaces);
const mark = char(combiningMarks);

function blockText(random) {
  const [first, last] = random.pick(codePointRanges);
  const one = () =>
    random.below(6) === 0 ? space(random) : String.fromCodePoint(random.between(first, last));
  return repeat(random.between(1, 12), one);
}

/** A word of exactly or almost 100 characters, in letters or in what decomposes or is deleted. */
function longWord(random) {
  const unit = random.pick([
    letter,
    letter,
    () => 'é',
    () => '각',
    () => 'カ',
    () => '😀',
    () => 'q\u0301',
    () => 'b\u200b',
    () => '\u1e9b\u0323',
    () => '\u0898',
  ]);
  const n = random.pick([49, 50, 51, 98, 99, 100, 100, 101, 102, 250]);
  return repeat(n, () => unit(random));
}

const makers = [
  (random) => random.pick(sampleWords),
  (random) => random.pick(sampleWords),
  (random) => repeat(random.between(1, 8), () => letter(random)),
  blockText,
  blockText,
  (random) => repeat(random.between(1, 4), () => String.fromCodePoint(scalar(random))),
  (random) => random.pick(sampleWords) + random.pick(punctuation) + random.pick(sampleWords),
  (random) => repeat(random.between(1, 5), () => random.pick(punctuation)),
  (random) => letter(random) + char(invisible)(random) + letter(random),
  (random) => repeat(random.between(1, 3), () => char(invisible)(random)),
  (random) => repeat(random.between(1, 3), () => char(edges)(random)),
  (random) => repeat(random.between(1, 4), () => char(tricky)(random)),
  (random) => char(tricky)(random) + repeat(random.between(1, 4), () => mark(random)),
  (random) => letter(random) + repeat(random.between(1, 6), () => mark(random)) + letter(random),
  (random) => repeat(random.pick([2, 3, 30, 31, 32, 60]), () => mark(random)),
  (random) =>
    repeat(
      random.between(1, 4),
      () => mark(random) + (random.below(3) ? '' : char(invisible)(random)),
    ),
  (random) => random.pick(emojis) + (random.below(2) ? random.pick(emojis) : ''),
  (random) => random.pick(specialTokens),
  (random) => space(random) + random.pick(specialTokens) + space(random),
  (random) => random.pick(sampleWords) + random.pick(specialTokens) + random.pick(sampleWords),
  (random) =>
    repeat(random.between(1, 4), () => String.fromCodePoint(random.between(0xac00, 0xd7a3))),
  (random) =>
    repeat(random.between(1, 6), () => String.fromCodePoint(random.between(0x1100, 0x11ff))),
  (random) =>
    repeat(random.between(1, 4), () =>
      String.fromCodePoint(
        random.pick([0x3400, 0x4e00, 0x9fff, 0x3042, 0x30a2, 0x2b820, 0x2b91f, 0x2b920]),
      ),
    ),
  (random) => String.fromCharCode(random.between(0xd800, 0xdfff)), // a lone surrogate
  (random) => repeat(random.between(1, 7), () => random.pick('0123456789٣७')),
  (random) => repeat(random.between(1, 3), () => space(random)),
];

/** One string of 1 to 10 parts; `pieces` (optional) are more words to draw from, such as a vocabulary. */
export function generateString(random, pieces = []) {
  if (random.below(40) === 0) {
    return longWord(random) + (random.below(2) ? letter(random) : space(random));
  }
  const part = () =>
    pieces.length && random.below(3) === 0
      ? random.pick(pieces).replace(/^##/, '')
      : random.pick(makers)(random);
  const glue = () => random.pick(['', '', ' ', ' ', '\t', '-']);
  return repeat(random.between(1, 10), () => part() + glue());
}
