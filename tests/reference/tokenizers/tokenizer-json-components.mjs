// Every component of Hugging Face's tokenizer.json with its options, by the names that
// core/formats/huggingface/README.md lists.

export const mark = '\u2581';
const replace = (pattern, content) => ({ type: 'Replace', pattern, content });
const split = (pattern, behavior, invert = false) => ({ type: 'Split', pattern, behavior, invert });
const sequence = (key, ...parts) => ({ type: 'Sequence', [key]: parts });
export const byteLevel = (add_prefix_space, use_regex) => ({
  type: 'ByteLevel',
  add_prefix_space,
  trim_offsets: true,
  use_regex,
});
export const metaspace = (prepend_scheme, splits, replacement = mark) => ({
  type: 'Metaspace',
  replacement,
  prepend_scheme,
  split: splits,
});
export const bert = (more = {}) => ({
  type: 'BertNormalizer',
  clean_text: true,
  handle_chinese_chars: true,
  strip_accents: null,
  lowercase: true,
  ...more,
});

export const normalizers = {
  none: null,
  BertNormalizer: bert(),
  'BertNormalizer, cased': bert({ lowercase: false }),
  'BertNormalizer, all off': bert({
    clean_text: false,
    handle_chinese_chars: false,
    strip_accents: false,
    lowercase: false,
  }),
  'BertNormalizer, strip_accents': bert({ lowercase: false, strip_accents: true }),
  Strip: { type: 'Strip', strip_left: true, strip_right: true },
  'Strip, left': { type: 'Strip', strip_left: true, strip_right: false },
  StripAccents: { type: 'StripAccents' },
  NFC: { type: 'NFC' },
  NFD: { type: 'NFD' },
  NFKC: { type: 'NFKC' },
  NFKD: { type: 'NFKD' },
  Nmt: { type: 'Nmt' },
  Lowercase: { type: 'Lowercase' },
  ByteLevel: { type: 'ByteLevel' },
  'Prepend ▁': { type: 'Prepend', prepend: mark },
  'Prepend x': { type: 'Prepend', prepend: 'x' },
  'Replace text': replace({ String: 'a' }, 'bc'),
  'Replace space, ▁': replace({ String: ' ' }, mark),
  'Replace space, _': replace({ String: ' ' }, '_'),
  'Replace {2,}': replace({ Regex: ' {2,}' }, ' '),
  'Replace \\s+': replace({ Regex: '\\s+' }, ' '),
  'Replace [0-9]': replace({ Regex: '[0-9]' }, '0'),
  'empty Sequence': sequence('normalizers'),
  'NFC, Lowercase': sequence('normalizers', { type: 'NFC' }, { type: 'Lowercase' }),
  'Lowercase, NFC': sequence('normalizers', { type: 'Lowercase' }, { type: 'NFC' }),
  'NFKC, Lowercase': sequence('normalizers', { type: 'NFKC' }, { type: 'Lowercase' }),
  'NFC, Replace \\s+, Lowercase': sequence(
    'normalizers',
    { type: 'NFC' },
    replace({ Regex: '\\s+' }, ' '),
    { type: 'Lowercase' },
  ),
  'Prepend ▁, Replace space': sequence(
    'normalizers',
    { type: 'Prepend', prepend: mark },
    replace({ String: ' ' }, mark),
  ),
  'Replace space, Prepend ▁': sequence('normalizers', replace({ String: ' ' }, mark), {
    type: 'Prepend',
    prepend: mark,
  }),
  'Strip, Replace {2,}': sequence(
    'normalizers',
    { type: 'Strip', strip_left: false, strip_right: true },
    replace({ Regex: ' {2,}' }, mark),
  ),
  'Sequence in a Sequence': sequence('normalizers', sequence('normalizers', { type: 'NFC' })),
};

const expressions = {
  llama3: String.raw`(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`,
  qwen2: String.raw`(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`,
  cl100k: String.raw`'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+`,
  o200k: String.raw`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`,
  tekken: String.raw`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`,
  qwen35: String.raw`(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`,
  bailingmoe: String.raw`'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+`,
  'seed-coder': String.raw`(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1}| ?[^\s\p{L}\p{N}\r\n]+|\s*[\r\n]+|\s+(?!\S)|\s+`,
  ufakzeka: String.raw`[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`,
  'runs of line feeds': String.raw`[^\n]+|[\n]+`,
  bloom: ' ?[^(\\s|[.,!?\u2026\u3002\uff0c\u3001\u0964\u06d4\u060c])]+',
  clip: String.raw`<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+`,
};
const deepseekLetters =
  'A-Za-z\u00b5\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u01ba\u01bc-\u01bf\u01c4-\u0293\u0295-\u02af' +
  '\u0370-\u0373\u0376\u0377\u037b-\u037d\u037f\u0386\u0388-\u038a\u038c\u038e-\u03a1\u03a3-' +
  '\u03f5\u03f7-\u0481\u048a-\u052f\u0531-\u0556\u10a0-\u10c5\u13a0-\u13f5\u13f8-\u13fd\u1c90-' +
  '\u1cba\u1cbd-\u1cbf\u1d00-\u1d2b\u1d6b-\u1d77\u1d79-\u1d9a\u1e00-\u1f15\u1f18-\u1f1d\u1f20-' +
  '\u1f45\u1f48-\u1f4d\u1f50-\u1f57\u1f59\u1f5b\u1f5d\u1f5f-\u1f7d\u1f80-\u1fb4\u1fb6-\u1fbc' +
  '\u1fbe\u1fc2-\u1fc4\u1fc6-\u1fcc\u1fd0-\u1fd3\u1fd6-\u1fdb\u1fe0-\u1fec\u1ff2-\u1ff4\u1ff6-' +
  '\u1ffc\u2102\u2107\u210a-\u2113\u2115\u2119-\u211d\u2124\u2126\u2128\u212a-\u212d\u212f-' +
  '\u2134\u2139\u213c-\u213f\u2145-\u2149\u214e\u2183\u2184\u2c00-\u2c7b\u2c7e-\u2ce4\u2ceb-' +
  '\u2cee\u2cf2\u2cf3\ua640-\ua66d\ua680-\ua69b\ua722-\ua76f\ua771-\ua787\ua78b-\ua78e\uab70-' +
  '\uabbf\ufb00-\ufb06\ufb13-\ufb17\uff21-\uff3a\uff41-\uff5a\u{10400}-\u{1044f}\u{104b0}-' +
  '\u{104d3}\u{104d8}-\u{104fb}\u{10c80}-\u{10cb2}\u{10cc0}-\u{10cf2}\u{118a0}-\u{118df}' +
  '\u{1e900}-\u{1e943}';
const cjk = '[\u4e00-\u9fa5\u0800-\u4e00\uac00-\ud7ff]+';
const deepseek3 =
  '[!"#$%&\'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\r\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+' +
  '| ?[\\p{P}\\p{S}]+[\r\n]*|\\s*[\r\n]+|\\s+(?!\\S)|\\s+';
const isolated = (Regex) => split({ Regex }, 'Isolated');
const digits = (individual_digits) => ({ type: 'Digits', individual_digits });
const punctuation = (behavior) => ({ type: 'Punctuation', behavior });
const behaviors = ['Removed', 'Isolated', 'MergedWithPrevious', 'MergedWithNext', 'Contiguous'];

/** Splits that must be followed by ByteLevel without its own expression. */
const splits = {
  ...Object.fromEntries(
    Object.entries(expressions)
      .filter(([name]) => name !== 'clip')
      .map(([name, Regex]) => [name, [isolated(Regex)]]),
  ),
  'o200k, kept': [split({ Regex: expressions.o200k }, 'Removed', true)],
  'bloom, kept': [split({ Regex: expressions.bloom }, 'Removed', true)],
  'clip, isolated': [isolated(expressions.clip)],
  'clip, kept': [split({ Regex: expressions.clip }, 'Removed', true)],
  'deepseek-coder': [
    isolated('[\r\n]'),
    isolated('\\s?\\p{L}+'),
    isolated('\\s?\\p{P}+'),
    isolated(cjk),
    digits(true),
  ],
  'deepseek-llm': [
    isolated('[\r\n]'),
    isolated(`\\s?[${deepseekLetters}]+`),
    isolated('\\s?[!-/:-~\uff01-\uff0f\uff1a-\uff5e\u2018-\u201f\u3000-\u3002]+'),
    isolated('\\s+$'),
    isolated(cjk),
    digits(true),
  ],
  'last spaces': [isolated('\\s+$')],
  'deepseek-v3': [
    isolated('\\p{N}{1,3}'),
    isolated('[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+'),
    isolated(deepseek3),
  ],
  'three digits': [isolated('[0-9][0-9][0-9]')],
  'white space': [isolated('\\s+')],
  Digits: [digits(true)],
  'Digits, in runs': [digits(false)],
  ...Object.fromEntries(behaviors.map((b) => [`Punctuation, ${b}`, [punctuation(b)]])),
  ...Object.fromEntries(behaviors.map((b) => [`Split " ", ${b}`, [split({ String: ' ' }, b)]])),
};

export const preTokenizers = {
  none: null,
  BertPreTokenizer: { type: 'BertPreTokenizer' },
  ByteLevel: byteLevel(false, true),
  'ByteLevel, add_prefix_space': byteLevel(true, true),
  'ByteLevel, use_regex false': byteLevel(false, false),
  'ByteLevel, both': byteLevel(true, false),
  CharDelimiterSplit: { type: 'CharDelimiterSplit', delimiter: '-' },
  Whitespace: { type: 'Whitespace' },
  WhitespaceSplit: { type: 'WhitespaceSplit' },
  UnicodeScripts: { type: 'UnicodeScripts' },
  FixedLength: { type: 'FixedLength', length: 3 },
  'empty Sequence': sequence('pretokenizers'),
  ...Object.fromEntries(
    ['always', 'first', 'never'].flatMap((scheme) => [
      [`Metaspace, ${scheme}`, metaspace(scheme, true)],
      [`Metaspace, ${scheme}, split false`, metaspace(scheme, false)],
    ]),
  ),
  'Metaspace _': metaspace('always', true, '_'),
  'WhitespaceSplit, Metaspace': sequence(
    'pretokenizers',
    { type: 'WhitespaceSplit' },
    metaspace('always', true),
  ),
  'Metaspace, WhitespaceSplit': sequence('pretokenizers', metaspace('always', true), {
    type: 'WhitespaceSplit',
  }),
  'ByteLevel, Digits': sequence('pretokenizers', byteLevel(false, true), digits(false)),
  'ByteLevel, Digits each': sequence('pretokenizers', byteLevel(false, true), digits(true)),
  'ByteLevel twice': sequence('pretokenizers', byteLevel(false, true), byteLevel(false, true)),
  'Digits, ByteLevel with a prefix': sequence('pretokenizers', digits(true), byteLevel(true, true)),
  ...Object.fromEntries(
    Object.entries(splits).map(([name, parts]) => [
      `${name}; ByteLevel`,
      sequence('pretokenizers', ...parts, byteLevel(false, name === 'clip, kept')),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(splits)
      .filter(([, parts]) => parts.length === 1)
      .map(([name, [part]]) => [name, part]),
  ),
};

const llamaDecoder = (...more) =>
  sequence(
    'decoders',
    replace({ String: mark }, ' '),
    { type: 'ByteFallback' },
    { type: 'Fuse' },
    ...more,
  );
const strip = (start) => ({ type: 'Strip', content: ' ', start, stop: 0 });
export const decoders = {
  none: null,
  BPEDecoder: { type: 'BPEDecoder', suffix: '</w>' },
  ByteLevel: byteLevel(true, true),
  WordPiece: { type: 'WordPiece', prefix: '##', cleanup: true },
  'WordPiece, no cleanup': { type: 'WordPiece', prefix: '##', cleanup: false },
  'WordPiece, prefix @@': { type: 'WordPiece', prefix: '@@', cleanup: true },
  'Metaspace, always': metaspace('always', true),
  'Metaspace, never': metaspace('never', true),
  'Metaspace _': metaspace('always', true, '_'),
  CTC: { type: 'CTC', pad_token: '<pad>', word_delimiter_token: '|', cleanup: true },
  Replace: replace({ String: mark }, ' '),
  Fuse: { type: 'Fuse' },
  Strip: strip(1),
  ByteFallback: { type: 'ByteFallback' },
  'empty Sequence': sequence('decoders'),
  "Llama's": llamaDecoder(strip(1)),
  "Gemma's": llamaDecoder(),
  'Llama, Strip 2': llamaDecoder(strip(2)),
  "ChatGLM's": sequence('decoders', { type: 'ByteFallback' }, metaspace('always', true)),
};

const text = { Sequence: { id: 'A', type_id: 0 } };
/** The post-processors around the tokens 0 and 1 of these names. */
export function postProcessorsOf(before, after) {
  const ids = (token, ...numbers) => ({
    id: token,
    ids: numbers,
    tokens: numbers.map(() => token),
  });
  const put = (id) => ({ SpecialToken: { id, type_id: 0 } });
  const template = (single, first = ids(before, 0)) => ({
    type: 'TemplateProcessing',
    single,
    pair: [...single, { Sequence: { id: 'B', type_id: 1 } }],
    special_tokens: { [before]: first, [after]: ids(after, 1) },
  });
  const ends = { sep: [after, 1], cls: [before, 0] };
  return {
    none: null,
    ByteLevel: byteLevel(true, true),
    'TemplateProcessing, before': template([put(before), text]),
    'TemplateProcessing, after': template([text, put(after)]),
    'TemplateProcessing, both': template([put(before), text, put(after)]),
    'TemplateProcessing, exchanged': template([put(after), text, put(before)]),
    'TemplateProcessing, text only': template([text]),
    'TemplateProcessing, two before': template([put(before), put(after), text]),
    'TemplateProcessing, two ids': template([put(before), text], {
      id: before,
      ids: [0, 1],
      tokens: [before, after],
    }),
    'TemplateProcessing, text twice': template([text, put(before), text]),
    BertProcessing: { type: 'BertProcessing', ...ends },
    'BertProcessing, exchanged': { type: 'BertProcessing', sep: [before, 0], cls: [after, 1] },
    RobertaProcessing: {
      type: 'RobertaProcessing',
      ...ends,
      trim_offsets: true,
      add_prefix_space: false,
    },
    'Sequence of ByteLevel and TemplateProcessing': sequence(
      'processors',
      byteLevel(true, true),
      template([put(before), text]),
    ),
    'empty Sequence': sequence('processors'),
  };
}
