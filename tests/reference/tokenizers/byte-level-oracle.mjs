// The official Hugging Face tokenizer for byte-level BPE of every way of cutting words that AMB has a
// name for, as a tokenizer.json, and a small vocabulary trained on a text.

const contractions = "(?i:'s|'t|'re|'ve|'m|'ll|'d)";
const cl100k = (digits) =>
  String.raw`${contractions}|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}${digits}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`;

const byteLevel = (use_regex, add_prefix_space = false) => ({
  type: 'ByteLevel',
  add_prefix_space,
  trim_offsets: false,
  use_regex,
});
const sequence = (...pretokenizers) => ({ type: 'Sequence', pretokenizers });
const split = (Regex) => ({
  type: 'Split',
  pattern: { Regex },
  behavior: 'Isolated',
  invert: false,
});

/** By name, AMB's where it has one: the pre-tokenizer and, where there is one, the normalizer of its tokenizer.json. */
export const styles = {
  gpt2: { pre_tokenizer: byteLevel(true) },
  gptneox: { pre_tokenizer: byteLevel(true), normalizer: { type: 'NFC' } },
  llama3: { pre_tokenizer: sequence(split(cl100k('{1,3}')), byteLevel(false)) },
  qwen2: {
    pre_tokenizer: sequence(split(cl100k('')), byteLevel(false)),
    normalizer: { type: 'NFC' },
  },
  falcon: {
    pre_tokenizer: sequence(
      { type: 'Punctuation', behavior: 'Contiguous' },
      byteLevel(true),
      { type: 'Digits', individual_digits: false },
      split('[0-9][0-9][0-9]'),
    ),
  },
  none: { pre_tokenizer: byteLevel(false) },
  // Ways without a name of their own.
  digits: {
    pre_tokenizer: sequence({ type: 'Digits', individual_digits: true }, byteLevel(true)),
  },
  mixed: {
    pre_tokenizer: sequence(
      { type: 'Digits', individual_digits: false },
      { type: 'Punctuation', behavior: 'Isolated' },
      byteLevel(false),
      { type: 'Digits', individual_digits: false },
    ),
    normalizer: { type: 'NFC' },
  },
};

/** `options`: added (added_tokens), prefixSpace, ignoreMerges. `vocab` by token, `merges` as pairs. */
export function byteLevelJson(style, vocab, merges, options = {}) {
  const { pre_tokenizer, normalizer = null } = structuredClone(styles[style]);
  const steps = pre_tokenizer.pretokenizers ?? [pre_tokenizer];
  for (const step of steps) {
    if (step.type === 'ByteLevel') {
      step.add_prefix_space = options.prefixSpace ?? false;
    }
  }
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: options.added ?? [],
    normalizer,
    pre_tokenizer,
    post_processor: null,
    decoder: byteLevel(true),
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: false,
      ignore_merges: options.ignoreMerges ?? false,
      vocab,
      merges,
    },
  };
}

/** GPT-2's alphabet: the character of each byte. */
export const alphabet = (() => {
  const own = (byte) => (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte !== 0xad);
  let next = 0x100;
  return Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(own(byte) ? byte : next++));
})();

const pairsOf = (symbols) => symbols.slice(1).map((right, i) => `${symbols[i]} ${right}`);

/** The characters of a text's bytes. */
export const spell = (text) => Array.from(new TextEncoder().encode(text), (byte) => alphabet[byte]);

/** `{vocab, merges}`: the alphabet and the `count` most frequent merges of a text. */
export function trainByteLevel(text, count) {
  const words = text.match(/ ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+/gu) ?? [];
  const merges = trainMerges(words.map(spell), count);
  const tokens = [...alphabet, ...merges.map((pair) => pair.join(''))];
  return { vocab: Object.fromEntries([...new Set(tokens)].map((t, id) => [t, id])), merges };
}

/** The `count` most frequent merges of words, which are lists of symbols without spaces; of equal ones the first. */
export function trainMerges(words, count) {
  const found = new Map();
  for (const symbols of words) {
    const key = symbols.join(' ');
    const entry = found.get(key) ?? { symbols, frequency: 0 };
    entry.frequency += 1;
    found.set(key, entry);
  }
  const entries = [...found.values()];
  const merges = [];
  while (merges.length < count) {
    const counts = new Map();
    for (const { symbols, frequency } of entries) {
      for (const pair of pairsOf(symbols)) {
        counts.set(pair, (counts.get(pair) ?? 0) + frequency);
      }
    }
    let [best, most] = ['', 1];
    for (const [pair, n] of counts) {
      if (n > most) {
        [best, most] = [pair, n];
      }
    }
    if (!best) {
      break;
    }
    merges.push(best.split(' '));
    for (const entry of entries) {
      entry.symbols = joinPair(entry.symbols, best);
    }
  }
  return merges;
}

function joinPair(symbols, pair) {
  const out = [];
  for (let i = 0; i < symbols.length; ++i) {
    const joined = i + 1 < symbols.length && `${symbols[i]} ${symbols[i + 1]}` === pair;
    out.push(joined ? symbols[i] + symbols[++i] : symbols[i]);
  }
  return out;
}
