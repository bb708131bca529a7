// The tokenizers of sentence encoders, small and made up, as a tokenizer.json for Hugging Face's library and as the files
// of a directory. Where a directory has a tokenizer of another form, `files` are those, and the tokenizer.json is what
// the library's converters make of them.
import { byteLevelJson, trainByteLevel, trainMerges } from './byte-level-oracle.mjs';
import { charsmap, pieceTypes, writeModel } from './sentencepiece-models.mjs';
import { bert, mark, metaspace } from './tokenizer-json-components.mjs';

const utf8 = new TextEncoder();
const jsonFile = (value) => utf8.encode(JSON.stringify(value));

const added = (id, content, more = {}) => ({
  id,
  content,
  special: true,
  single_word: false,
  lstrip: false,
  rstrip: false,
  normalized: false,
  ...more,
});
const put = (id, type_id = 0) => ({ SpecialToken: { id, type_id } });
const text = (id, type_id = 0) => ({ Sequence: { id, type_id } });
const template = (single, pair, ids) => ({
  type: 'TemplateProcessing',
  single,
  pair,
  special_tokens: Object.fromEntries(
    Object.entries(ids).map(([token, id]) => [token, { id: token, ids: [id], tokens: [token] }]),
  ),
});
const bertEnds = (ids, cls = '[CLS]', sep = '[SEP]') =>
  template(
    [put(cls), text('A'), put(sep)],
    [put(cls), text('A'), put(sep), text('B', 1), put(sep, 1)],
    { [cls]: ids[0], [sep]: ids[1] },
  );
const fairseqEnds = template(
  [put('<s>'), text('A'), put('</s>')],
  [put('<s>'), text('A'), put('</s>'), put('</s>'), text('B'), put('</s>')],
  { '<s>': 0, '</s>': 2 },
);
const robertaEnds = {
  type: 'RobertaProcessing',
  sep: ['</s>', 2],
  cls: ['<s>', 0],
  trim_offsets: true,
  add_prefix_space: false,
};
const sequence = (...normalizers) => ({ type: 'Sequence', normalizers });
const replace = (pattern, content) => ({ type: 'Replace', pattern, content });
const spaceRuns = (content) => replace({ Regex: ' {2,}' }, content);
const strip = (left) => ({ type: 'Strip', strip_left: left, strip_right: true });
const precompiled = (map) => ({
  type: 'Precompiled',
  precompiled_charsmap: Buffer.from(map).toString('base64'),
});

/** What stands for a real map of characters where there is none. */
const madeUpMap = charsmap([
  ['\uff21', 'A'],
  ['\ufb01', 'fi'],
  ['\t', ' '],
  ['\n', ' '],
  ['\u3000', ' '],
  ['\u00a0', ' '],
  ['\u00ad', ''],
  ['\u200b', ' '],
  ['\u2460', '1'],
  ['\u00bd', '1\u20442'],
  ['e\u0301', '\u00e9'],
  ['\uff5e', '~'],
]);

/** Pieces with scores as a trainer writes them: f32 numbers, in decimals of 16 digits. */
function piecesOf(corpus, count) {
  const words = corpus.split(/\s+/).filter(Boolean);
  const spaced = words.map((word) => Array.from(mark + word));
  const characters = [...new Set([mark, ...spaced.flat()])].slice(0, 600);
  const known = new Set(characters);
  const joined = trainMerges(spaced, count)
    .map((pair) => pair.join(''))
    .filter((piece) => Array.from(piece).every((c) => known.has(c)));
  // Runs of one character can be cut in two ways of almost one score.
  const runs = ['--', '---', '1,', '2,', '10,', '12', 'aa', 'aaa'];
  // No piece is called as a special token, because one of the two would have no id.
  const isFree = (piece) => !/^(<.*>|\[.*\])$/.test(piece);
  const pieces = [...new Set([...joined, ...runs, ...characters])].filter(isFree);
  return pieces.map((piece, i) => [piece, Math.fround(-3 - Math.log(i + 2) * 1.1 - (i % 7) / 9)]);
}

const unigram = (vocab, unk_id, steps) => ({
  version: '1.0',
  truncation: null,
  padding: null,
  ...steps,
  model: { type: 'Unigram', unk_id, byte_fallback: false, vocab },
});
const spiece = (pieces, map) =>
  writeModel({
    pieces,
    kind: 1,
    byteFallback: false,
    dummy: true,
    removeExtra: true,
    charsmap: map,
    unkId: pieces.findIndex(({ type }) => type === pieceTypes.unknown),
  });
const piece = (type) => (name) => ({ text: name, score: 0, type });
const controls = (...names) => names.map(piece(pieceTypes.control));
const unknown = piece(pieceTypes.unknown);
const normal = (pieces) =>
  pieces.map(([name, score]) => ({ text: name, score, type: pieceTypes.normal }));
const both = (steps) => ({ pre_tokenizer: steps, decoder: metaspace('always', true) });

function wordPieces(corpus, specials) {
  const words = [...new Set(corpus.toLowerCase().split(/[\s\p{P}]+/u))].filter(Boolean);
  const characters = [...new Set(Array.from(corpus + corpus.toLowerCase()))].filter((c) =>
    c.trim(),
  );
  const heads = [...words.slice(0, 400), ...characters];
  const tails = [
    ...words.slice(0, 200).map((word) => Array.from(word).slice(1).join('')),
    ...characters,
  ];
  const all = [...specials, ...heads, ...tails.filter(Boolean).map((tail) => `##${tail}`)];
  return [...new Set(all)];
}

const wordPiece = (vocab, post_processor, addedTokens, options = {}) => ({
  version: '1.0',
  truncation: null,
  padding: null,
  added_tokens: addedTokens,
  normalizer: bert(options),
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor,
  decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(vocab.map((token, id) => [token, id])),
  },
});

function bertTokenizers(corpus) {
  const specials = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];
  const vocab = wordPieces(corpus, specials);
  const tokens = specials.map((token, id) => added(id, token));
  const lines = utf8.encode(`${vocab.join('\n')}\n`);
  return {
    'BERT, uncased': { json: wordPiece(vocab, bertEnds([2, 3]), tokens) },
    'BERT, cased': { json: wordPiece(vocab, bertEnds([2, 3]), tokens, { lowercase: false }) },
    'BERT, vocab.txt': {
      json: wordPiece(vocab, bertEnds([2, 3]), tokens),
      files: { 'vocab.txt': lines, 'tokenizer_config.json': jsonFile({ do_lower_case: true }) },
    },
  };
}

function mpnetTokenizers(corpus) {
  const specials = ['<s>', '<pad>', '</s>', '[UNK]', '<mask>'];
  const vocab = wordPieces(corpus, specials);
  const tokens = specials.map((token, id) => added(id, token, { lstrip: token === '<mask>' }));
  const json = wordPiece(vocab, robertaEnds, tokens);
  const names = { tokenizer_class: 'MPNetTokenizer', do_lower_case: true, unk_token: '[UNK]' };
  return {
    MPNet: { json },
    'MPNet, vocab.txt': {
      json,
      files: {
        'vocab.txt': utf8.encode(`${vocab.join('\n')}\n`),
        'tokenizer_config.json': jsonFile({ ...names, pad_token: '<pad>', mask_token: '<mask>' }),
      },
    },
  };
}

function byteLevelTokenizers(corpus) {
  const { vocab, merges } = trainByteLevel(corpus, 600);
  const specials = ['<s>', '<pad>', '</s>', '<unk>'];
  const ids = [...specials, ...Object.keys(vocab), '<mask>'].map((token, id) => [token, id]);
  const all = Object.fromEntries(ids);
  const tokens = [...specials.map((token, id) => added(id, token))];
  tokens.push(added(all['<mask>'], '<mask>', { lstrip: true }));
  const roberta = {
    ...byteLevelJson('gpt2', all, merges, { added: tokens }),
    post_processor: robertaEnds,
  };
  const modern = Object.fromEntries(Object.keys(vocab).map((token, id) => [token, id]));
  const n = Object.keys(modern).length;
  const names = ['[UNK]', '[CLS]', '[SEP]', '[PAD]', '[MASK]', '|||EMAIL|||', '   '];
  const modernTokens = names.map((name, i) =>
    added(n + i, name, {
      special: name.startsWith('['),
      lstrip: name === '[MASK]',
      normalized: !name.startsWith('['),
    }),
  );
  return {
    RoBERTa: { json: roberta },
    'RoBERTa, vocab.json': {
      json: roberta,
      files: {
        'vocab.json': jsonFile(all),
        'merges.txt': utf8.encode(`#version: 0.2\n${merges.map((m) => m.join(' ')).join('\n')}\n`),
      },
    },
    ModernBERT: {
      json: {
        ...byteLevelJson('gptneox', modern, merges, { added: modernTokens }),
        post_processor: bertEnds([n + 1, n + 2]),
      },
    },
  };
}

/** `exactly`: with scores of few digits. The library's converters take a model file's scores as they are, while its reader
 *  of JSON does not round longer ones correctly. */
function unigramTokenizers(corpus, map, exactly = false) {
  const rough = piecesOf(corpus, 700);
  const pieces = exactly ? rough.map(([name, x]) => [name, Math.round(x * 64) / 64]) : rough;
  const words = both(metaspace('always', true));
  const oldWords = {
    pre_tokenizer: {
      type: 'Sequence',
      pretokenizers: [{ type: 'WhitespaceSplit' }, metaspace('always', true)],
    },
    decoder: metaspace('always', true),
  };
  const zero = (names) => names.map((name) => [name, 0]);
  const fairseq = [...zero(['<s>', '<pad>', '</s>', '<unk>']), ...pieces, ...zero(['<mask>'])];
  const fairseqTokens = [
    ...['<s>', '<pad>', '</s>', '<unk>'].map((token, id) => added(id, token)),
    added(fairseq.length - 1, '<mask>', { lstrip: true }),
  ];
  const xlm = (normalizer, steps) =>
    unigram(fairseq, 3, {
      added_tokens: fairseqTokens,
      normalizer,
      post_processor: fairseqEnds,
      ...steps,
    });
  const xlmPieces = [unknown('<unk>'), ...controls('<s>', '</s>'), ...normal(pieces)];

  const albertNames = ['<pad>', '<unk>', '[CLS]', '[SEP]', '[MASK]'];
  const albertScore = ([name, score]) => [name, /\d,$/.test(name) ? score - 100 : score];
  const albertVocab = [...zero(albertNames), ...pieces.map(albertScore)];
  const albertTokens = albertNames.map((name, id) =>
    added(id, name, { lstrip: name === '[MASK]' }),
  );
  const albert = (...steps) =>
    unigram(albertVocab, 1, {
      added_tokens: albertTokens,
      normalizer: sequence(
        replace({ String: '``' }, '"'),
        replace({ String: "''" }, '"'),
        ...steps,
        precompiled(map),
        spaceRuns(' '),
      ),
      post_processor: bertEnds([2, 3]),
      ...words,
    });
  const withoutAccents = [{ type: 'NFKD' }, { type: 'StripAccents' }];
  const lower = { type: 'Lowercase' };
  const albertPieces = [
    ...controls('<pad>'),
    unknown('<unk>'),
    ...controls('[CLS]', '[SEP]', '[MASK]'),
    ...normal(pieces),
  ];

  const extra = Array.from({ length: 20 }, (_, i) => `<extra_id_${19 - i}>`);
  const t5Names = ['<pad>', '</s>', '<unk>'];
  const t5Vocab = [...zero(t5Names), ...pieces, ...zero(extra)];
  const t5 = unigram(t5Vocab, 2, {
    added_tokens: [
      ...t5Names.map((name, id) => added(id, name)),
      ...extra.map((name, i) => added(t5Vocab.length - extra.length + i, name)),
    ],
    normalizer: sequence(precompiled(map), strip(false), spaceRuns(mark)),
    post_processor: template(
      [text('A'), put('</s>')],
      [text('A'), put('</s>'), text('B'), put('</s>')],
      { '</s>': 1 },
    ),
    ...words,
  });
  const t5Pieces = [...controls('<pad>', '</s>'), unknown('<unk>'), ...normal(pieces)];

  const debertaNames = ['[PAD]', '[CLS]', '[SEP]', '[UNK]'];
  const debertaVocab = [...zero(debertaNames), ...pieces];
  const deberta = unigram(debertaVocab, 3, {
    added_tokens: [...debertaNames, '[MASK]'].map((name, id) =>
      added(id < 4 ? id : debertaVocab.length, name),
    ),
    normalizer: sequence(strip(true), precompiled(map), spaceRuns(' ')),
    post_processor: bertEnds([1, 2]),
    ...words,
  });
  const debertaPieces = [
    ...controls('[PAD]', '[CLS]', '[SEP]'),
    unknown('[UNK]'),
    ...normal(pieces),
  ];

  const form = (name, tokenizer_class, model, more = {}) => ({
    [name]: model,
    'tokenizer_config.json': jsonFile({ tokenizer_class, ...more }),
  });
  return {
    'XLM-R': { json: xlm(sequence(precompiled(map), strip(false), spaceRuns(mark)), words) },
    'XLM-R, older': { json: xlm(precompiled(map), oldWords) },
    'XLM-R, sentencepiece.bpe.model': {
      json: xlm(sequence(precompiled(map), strip(false), spaceRuns(mark)), words),
      files: form('sentencepiece.bpe.model', 'XLMRobertaTokenizer', spiece(xlmPieces, map)),
    },
    ALBERT: { json: albert(...withoutAccents, lower) },
    'ALBERT, keeps accents': { json: albert(lower) },
    'ALBERT, spiece.model': {
      json: albert(...withoutAccents, lower),
      files: form('spiece.model', 'AlbertTokenizer', spiece(albertPieces, map)),
    },
    'ALBERT, spiece.model, cased with accents': {
      json: albert(),
      files: form('spiece.model', 'AlbertTokenizer', spiece(albertPieces, map), {
        keep_accents: true,
        do_lower_case: false,
      }),
    },
    T5: { json: t5 },
    'T5, spiece.model': {
      json: t5,
      files: form('spiece.model', 'T5Tokenizer', spiece(t5Pieces, map), { extra_ids: 20 }),
    },
    'DeBERTa-v3': { json: deberta },
    'DeBERTa-v3, spm.model': {
      json: deberta,
      files: form('spm.model', 'DebertaV2Tokenizer', spiece(debertaPieces, map)),
    },
  };
}

const withFiles = (kinds) =>
  Object.fromEntries(Object.entries(kinds).filter(([, { files }]) => files !== undefined));

/** By name: `json` for the library, and `files` of a directory, which are the tokenizer.json where there are no others.
 *  `map` is a real precompiled_charsmap, if there is one. */
export function encoderTokenizers(corpus, map = madeUpMap) {
  const all = {
    ...bertTokenizers(corpus),
    ...mpnetTokenizers(corpus),
    ...byteLevelTokenizers(corpus),
    ...unigramTokenizers(corpus, map),
    ...withFiles(unigramTokenizers(corpus, map, true)),
  };
  return Object.entries(all).map(([name, { json, files }]) => ({
    name,
    json,
    files: files ?? { 'tokenizer.json': jsonFile(json) },
  }));
}
