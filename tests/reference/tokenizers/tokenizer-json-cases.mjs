// Each component of tokenizer-json-components.mjs, put into one small tokenizer for each kind of model. `cases()` makes
// them; the test compares what is read with what the library does, and the rest must be refused.
import { alphabet, byteLevelJson, spell, trainMerges } from './byte-level-oracle.mjs';
import {
  bert,
  byteLevel,
  decoders,
  mark,
  metaspace,
  normalizers,
  postProcessorsOf,
  preTokenizers,
} from './tokenizer-json-components.mjs';

const special = (id, content) => ({
  id,
  content,
  special: true,
  single_word: false,
  lstrip: false,
  rstrip: false,
  normalized: false,
});
const bertEnds = postProcessorsOf('[CLS]', '[SEP]');

const bpeOptions = {
  dropout: { dropout: 0.1 },
  'dropout 0': { dropout: 0 },
  unk_token: { unk_token: '<unk>' },
  'unk_token, fuse_unk': { unk_token: '<unk>', fuse_unk: true },
  fuse_unk: { fuse_unk: true },
  continuing_subword_prefix: { continuing_subword_prefix: '##' },
  end_of_word_suffix: { end_of_word_suffix: '</w>' },
  'end_of_word_suffix, unk_token': { end_of_word_suffix: '</w>', unk_token: '<unk>' },
  'byte_fallback false': { byte_fallback: false },
  byte_fallback: { byte_fallback: true },
  'byte_fallback, end_of_word_suffix': { byte_fallback: true, end_of_word_suffix: '</w>' },
  ignore_merges: { ignore_merges: true },
};
const modelOptions = {
  ByteLevelBpe: bpeOptions,
  PieceBpe: bpeOptions,
  WordPiece: {
    'max_input_chars_per_word 5': { max_input_chars_per_word: 5 },
    'continuing_subword_prefix @@': { continuing_subword_prefix: '@@' },
    'continuing_subword_prefix, empty': { continuing_subword_prefix: '' },
    'unk_token [CLS]': { unk_token: '[CLS]' },
  },
  Unigram: { byte_fallback: { byte_fallback: true }, 'unk_id null': { unk_id: null } },
  WordLevel: {},
};

const fallback = Array.from(
  { length: 256 },
  (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`,
);
const numbered = (tokens) => Object.fromEntries([...new Set(tokens)].map((t, id) => [t, id]));

/** One tokenizer that is read for each kind of model, made from a text. */
export function bases(corpus) {
  const words = corpus.split(/\s+/).filter(Boolean);
  const spaced = words.map((word) => Array.from(`${mark}${word}`));
  const characters = [...new Set([mark, ...'abcdefghijklmnopqrstuvwxyz', ...spaced.flat()])].slice(
    0,
    400,
  );
  const isKnown = (pair) => Array.from(pair.join('')).every((c) => characters.includes(c));
  const merges = trainMerges(spaced, 300).filter(isKnown);
  const joined = merges.map((pair) => pair.join(''));
  const added = [special(0, '<s>'), special(1, '</s>'), special(2, '<unk>')];
  const first = ['<s>', '</s>', '<unk>'];
  const bytes = byteLevelJson('gpt2', {}, [], { added });
  const byteWords = words.map((word) => spell(` ${word}`));
  const byteMerges = trainMerges(byteWords, 300);
  const suffixed = words.map((word) =>
    spell(word).map((c, i, all) => (i + 1 < all.length ? c : `${c}</w>`)),
  );
  const suffixMerges = trainMerges(suffixed, 100);
  const byteTokens = [
    ...first,
    ...fallback,
    ...alphabet,
    ...alphabet.map((c) => `${c}</w>`),
    ...byteMerges.map((pair) => pair.join('')),
    ...suffixMerges.map((pair) => pair.join('')),
  ];
  const pieceTokens = [...first, ...fallback, ...characters, mark, ...joined];
  const whole = (model, parts) => ({
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: added,
    normalizer: null,
    pre_tokenizer: null,
    post_processor: null,
    decoder: null,
    ...parts,
    model,
  });
  const bpe = { ...bytes.model, unk_token: null };
  const common = [...new Set(words)].slice(0, 300);
  const wordPieces = numbered([
    '[CLS]',
    '[SEP]',
    '[UNK]',
    ...characters,
    ...characters.map((c) => `##${c}`),
    ...joined
      .map((piece) => (piece.startsWith(mark) ? piece.slice(1) : `##${piece}`))
      .filter(Boolean),
  ]);
  return {
    ByteLevelBpe: whole(
      { ...bpe, vocab: numbered(byteTokens), merges: [...byteMerges, ...suffixMerges] },
      { pre_tokenizer: byteLevel(false, true), decoder: byteLevel(true, true) },
    ),
    PieceBpe: whole(
      {
        ...bpe,
        unk_token: '<unk>',
        fuse_unk: true,
        byte_fallback: true,
        vocab: numbered(pieceTokens),
        merges,
      },
      { normalizer: normalizers['Prepend ▁, Replace space'], decoder: decoders["Llama's"] },
    ),
    WordPiece: whole(
      {
        type: 'WordPiece',
        unk_token: '[UNK]',
        continuing_subword_prefix: '##',
        max_input_chars_per_word: 100,
        vocab: wordPieces,
      },
      {
        normalizer: bert(),
        pre_tokenizer: { type: 'BertPreTokenizer' },
        decoder: decoders.WordPiece,
        added_tokens: ['[CLS]', '[SEP]', '[UNK]'].map((token, id) => special(id, token)),
        post_processor: bertEnds['TemplateProcessing, both'],
      },
    ),
    Unigram: whole(
      {
        type: 'Unigram',
        unk_id: 2,
        byte_fallback: false,
        vocab: [...new Set(pieceTokens)].map((piece, i) => [
          piece,
          i < 3 ? 0 : -1 - ((i * 37) % 101) / 10,
        ]),
      },
      { pre_tokenizer: metaspace('always', true), decoder: metaspace('always', true) },
    ),
    WordLevel: whole(
      { type: 'WordLevel', vocab: numbered([...first, ...common]), unk_token: '<unk>' },
      { pre_tokenizer: { type: 'Whitespace' } },
    ),
  };
}

/** `{kind, slot, name, json}` for every component of every kind of model. */
export function cases(corpus) {
  const slotsOf = (kind) => ({
    normalizer: normalizers,
    pre_tokenizer: preTokenizers,
    post_processor: kind === 'WordPiece' ? bertEnds : postProcessorsOf('<s>', '</s>'),
    decoder: decoders,
  });
  return Object.entries(bases(corpus)).flatMap(([kind, base]) => [
    ...Object.entries(slotsOf(kind)).flatMap(([slot, components]) =>
      Object.entries(components).map(([name, component]) => ({
        kind,
        slot,
        name,
        json: { ...base, [slot]: component, ...partner(kind, slot, name) },
      })),
    ),
    ...Object.entries(modelOptions[kind]).map(([name, options]) => ({
      kind,
      slot: 'model',
      name,
      json: { ...base, model: { ...base.model, ...options } },
    })),
  ]);
}

/** What a component needs beside it to be of use: Metaspace marks spaces itself. */
function partner(kind, slot, name) {
  if (kind !== 'PieceBpe') {
    return {};
  }
  if (slot === 'pre_tokenizer' && name.startsWith('Metaspace')) {
    const decoder = name.includes('never') ? decoders["Gemma's"] : decoders["Llama's"];
    return { normalizer: null, decoder };
  }
  if (slot === 'normalizer' && name === 'Replace space, ▁') {
    return { decoder: decoders["Gemma's"] };
  }
  return {};
}
