// What Hugging Face's BERT tokenizer believes about every Unicode scalar value, measured by running
// its own components (npm package `tokenizers`) on each of them: they do not follow one Unicode version.
import tokenizers from 'tokenizers';

export const codePointLimit = 0x110000;
export const surrogates = [0xd800, 0xdfff];

/** One bit per question that is asked of a single code point. */
export const flags = {
  drop: 1, // clean_text deletes it
  space: 2, // clean_text turns it into U+0020
  cjk: 4, // handle_chinese_chars puts a space on both sides
  whiteSpace: 8, // BertPreTokenizer removes it; lstrip and rstrip eat it
  punctuation: 16, // BertPreTokenizer makes it a word of its own
  nonspacingMark: 32, // strip_accents removes it
  word: 64, // \w of single_word
};

export function* scalars() {
  for (let c = 0; c < codePointLimit; ++c) {
    if (c < surrogates[0] || c > surrogates[1]) {
      yield c;
    }
  }
}

const codePoints = (text) => Array.from(text, (character) => character.codePointAt(0));

function normalizer(options) {
  const off = {
    cleanText: false,
    handleChineseChars: false,
    stripAccents: false,
    lowercase: false,
  };
  const it = tokenizers.bertNormalizer({ ...off, ...options });
  return (text) => it.normalizeString(text);
}

/** `{flags: Uint8Array, classes: Uint8Array, decompositions: Map, lowercase: Map}`, by code point. */
export async function measure() {
  const result = {
    flags: new Uint8Array(codePointLimit),
    decompositions: new Map(),
    lowercase: new Map(),
  };
  measureCleaning(result);
  measureDecomposition(result);
  measureLowercase(result);
  measurePreTokenizer(result);
  await measureAddedTokens(result);
  result.classes = measureCombiningClasses();
  return result;
}

/** Kinds of code points as the regular expressions of byte-level BPE tell them apart. */
export const kinds = { other: 0, letter: 1, number: 2, space: 3 };
/** Set beside the kind: what the pre-tokenizer Digits calls one. */
export const digitFlag = 4;

/** `{kinds: Uint8Array, exclusions: number[]}`: kinds, and what NFC never composes though it has parts. */
export function measureByteLevel() {
  const byteLevel = tokenizers.byteLevelPreTokenizer(false, true);
  const digits = tokenizers.digitsPreTokenizer(true);
  const nfc = tokenizers.nfcNormalizer();
  const nfd = tokenizers.nfdNormalizer();
  const result = { kinds: new Uint8Array(codePointLimit), exclusions: [] };
  const together = (preTokenizer, text) => preTokenizer.preTokenizeString(text).length === 1;
  for (const c of scalars()) {
    const s = String.fromCodePoint(c);
    if (together(byteLevel, `a${s}`)) {
      result.kinds[c] = kinds.letter;
    } else if (together(byteLevel, `1${s}`)) {
      result.kinds[c] = kinds.number;
    } else if (!together(byteLevel, `.${s}`)) {
      result.kinds[c] = kinds.space;
    }
    if (!together(digits, `a${s}`)) {
      result.kinds[c] |= digitFlag;
    }
    const parts = Array.from(nfd.normalizeString(s));
    if (parts.length > 1 && nfc.normalizeString(s) !== s) {
      result.exclusions.push(c);
    }
  }
  return result;
}

/** The full decomposition of every code point for which NFKD and NFD differ. */
export function measureCompatibility() {
  const nfd = tokenizers.nfdNormalizer();
  const nfkd = tokenizers.nfkdNormalizer();
  const found = new Map();
  for (const c of scalars()) {
    const s = String.fromCodePoint(c);
    const parts = nfkd.normalizeString(s);
    if (parts !== nfd.normalizeString(s)) {
      found.set(c, codePoints(parts));
    }
  }
  return found;
}

/** General categories that the expressions of newer byte-level BPE tell apart, by what `\\p{…}` matches. */
export const categories = {
  upper: [1, ['Lu', 'Lt']],
  lower: [2, ['Ll']],
  uncased: [3, ['Lm', 'Lo']],
  mark: [4, ['M']],
  punctuation: [5, ['P']],
  symbol: [6, ['S']],
};

/** The category of every code point; 0 for numbers, separators and the rest. */
export async function measureCategories() {
  const found = new Uint8Array(codePointLimit);
  const all = [...scalars()];
  for (const [value, names] of Object.values(categories)) {
    const Regex = `[${names.map((name) => `\\p{${name}}`).join('')}]`;
    const tokenizer = tokenizers.Tokenizer.fromString(
      JSON.stringify({
        version: '1.0',
        added_tokens: [],
        pre_tokenizer: { type: 'Split', pattern: { Regex }, behavior: 'Removed', invert: false },
        model: { type: 'WordLevel', vocab: { '?': 0 }, unk_token: '?' },
      }),
    );
    for (let i = 0; i < all.length; i += 4096) {
      const part = all.slice(i, i + 4096);
      const encoding = await tokenizer.encode(String.fromCodePoint(...part));
      const kept = new Uint8Array(part.length);
      for (const [begin, end] of encoding.getOffsets()) {
        kept.fill(1, begin, end);
      }
      part.forEach((c, j) => {
        if (kept[j]) {
          return;
        }
        if (found[c]) {
          throw new Error(`U+${c.toString(16)} has two categories`);
        }
        found[c] = value;
      });
    }
  }
  return found;
}

function measureCleaning(result) {
  const clean = normalizer({ cleanText: true });
  const spread = normalizer({ handleChineseChars: true });
  for (const c of scalars()) {
    const s = String.fromCodePoint(c);
    const cleaned = clean(`x${s}y`);
    if (cleaned === 'xy') {
      result.flags[c] |= flags.drop;
    } else if (cleaned === 'x y') {
      result.flags[c] |= c === 0x20 ? 0 : flags.space;
    } else if (cleaned !== `x${s}y`) {
      throw new Error(`clean_text of U+${c.toString(16)}: ${cleaned}`);
    }
    const spaced = spread(`x${s}y`);
    if (spaced === `x ${s} y`) {
      result.flags[c] |= flags.cjk;
    } else if (spaced !== `x${s}y`) {
      throw new Error(`CJK spacing of U+${c.toString(16)}: ${spaced}`);
    }
  }
}

function measureDecomposition(result) {
  const nfd = tokenizers.nfdNormalizer();
  const strip = normalizer({ stripAccents: true });
  for (const c of scalars()) {
    const s = String.fromCodePoint(c);
    const parts = nfd.normalizeString(s);
    if (parts !== s) {
      result.decompositions.set(c, codePoints(parts));
    } else if (strip(s) === '') {
      result.flags[c] |= flags.nonspacingMark;
    } else if (strip(s) !== s) {
      throw new Error(`strip_accents of U+${c.toString(16)}`);
    }
  }
  // Stripping is nothing but decomposing and dropping the marks found above.
  for (const [c, parts] of result.decompositions) {
    const kept = parts.filter((part) => !(result.flags[part] & flags.nonspacingMark));
    if (strip(String.fromCodePoint(c)) !== String.fromCodePoint(...kept)) {
      throw new Error(
        `strip_accents of U+${c.toString(16)} is not its decomposition without marks`,
      );
    }
  }
}

function measureLowercase(result) {
  const lower = normalizer({ lowercase: true });
  for (const c of scalars()) {
    const s = String.fromCodePoint(c);
    const lowered = lower(s);
    if (lowered !== s) {
      result.lowercase.set(c, codePoints(lowered));
    }
  }
}

function measurePreTokenizer(result) {
  const preTokenizer = tokenizers.bertPreTokenizer();
  for (const c of scalars()) {
    const s = String.fromCodePoint(c);
    const words = preTokenizer.preTokenizeString(`x${s}y`).map(([word]) => word);
    if (words.length === 3) {
      result.flags[c] |= flags.punctuation;
    } else if (words.length === 2) {
      result.flags[c] |= flags.whiteSpace;
    }
  }
}

/** `\w` and `\s` as the flags single_word and rstrip of an added token see them. */
async function measureAddedTokens(result) {
  const make = (options) => {
    const model = tokenizers.WordPiece.init({ '[UNK]': 0 }, { unkToken: '[UNK]' });
    const tokenizer = new tokenizers.Tokenizer(model);
    tokenizer.addAddedTokens([
      new tokenizers.AddedToken('@@', false, { normalized: false, ...options }),
    ]);
    return tokenizer;
  };
  const single = make({ singleWord: true });
  const stripping = make({ rightStrip: true });
  const all = [...scalars()];
  for (let i = 0; i < all.length; i += 10000) {
    const batch = all.slice(i, i + 10000);
    const texts = batch.map((c) => `@@${String.fromCodePoint(c)}x`);
    const singles = await single.encodeBatch(texts);
    const stripped = await stripping.encodeBatch(texts);
    batch.forEach((c, j) => {
      if (singles[j].getTokens()[0] !== '@@') {
        result.flags[c] |= flags.word;
      }
      const isSpace = stripped[j].getOffsets()[0][1] === 3;
      if (isSpace !== Boolean(result.flags[c] & flags.whiteSpace)) {
        throw new Error(`rstrip and BertPreTokenizer disagree on U+${c.toString(16)}`);
      }
    });
  }
}

/** Ranks of canonical combining classes (0: starter), from which of two marks NFD moves forward. */
function measureCombiningClasses() {
  const nfd = tokenizers.nfdNormalizer();
  const order = (first, second) =>
    nfd.normalizeString(`a${first}${second}`) === `a${first}${second}`;
  const lowest = '\u0334';
  const highest = '\u0345';
  const marks = [];
  for (const c of scalars()) {
    const s = String.fromCodePoint(c);
    if (nfd.normalizeString(s) !== s) {
      continue;
    }
    if (!order(highest, s) || !order(s, lowest) || s === lowest || s === highest) {
      marks.push(s);
    }
  }
  const ranks = []; // one mark of each class, in order
  const classOf = new Map();
  for (const mark of marks) {
    let low = 0;
    let high = ranks.length;
    let found = -1;
    while (low < high) {
      const middle = (low + high) >> 1;
      const before = !order(ranks[middle], mark);
      const after = !order(mark, ranks[middle]);
      if (before) {
        high = middle;
      } else if (after) {
        low = middle + 1;
      } else {
        found = middle;
        break;
      }
    }
    if (found < 0) {
      ranks.splice(low, 0, mark);
      found = low;
    }
    classOf.set(mark, ranks[found]);
  }
  const classes = new Uint8Array(codePointLimit);
  const rankOf = new Map(ranks.map((mark, index) => [mark, index + 1]));
  for (const [mark, representative] of classOf) {
    classes[mark.codePointAt(0)] = rankOf.get(representative);
  }
  return classes;
}
