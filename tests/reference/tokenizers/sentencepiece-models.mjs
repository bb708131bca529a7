// SentencePiece models for comparing tokenizers: the pieces of a model file, small models with random
// pieces, both as a ModelProto, as an AMB file that holds nothing but the tokenizer, and as the
// tokenizer.json that Hugging Face makes of them.

export const pieceTypes = { normal: 1, unknown: 2, control: 3, userDefined: 4, unused: 5, byte: 6 };
const mark = '\u2581';
const utf8 = new TextEncoder();

/** Protocol buffers: fields as a list of [number, value], a value being a number, a Float32Array of one, or bytes. */
function encodeFields(fields) {
  const out = [];
  const varint = (value) => {
    for (; value > 127; value = Math.floor(value / 128)) {
      out.push((value & 127) | 128);
    }
    out.push(value);
  };
  for (const [number, value] of fields) {
    if (typeof value === 'number') {
      varint(number * 8);
      varint(value);
    } else if (value instanceof Float32Array) {
      varint(number * 8 + 5);
      out.push(...new Uint8Array(value.buffer));
    } else {
      varint(number * 8 + 2);
      varint(value.length);
      for (const byte of value) {
        out.push(byte);
      }
    }
  }
  return Uint8Array.from(out);
}

function* decodeFields(bytes) {
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++];
      value += (byte & 127) * scale;
      if (byte < 128) {
        return value;
      }
    }
  };
  while (at < bytes.length) {
    const key = varint();
    const kind = key & 7;
    if (kind === 0) {
      yield [key >> 3, varint()];
    } else {
      const size = kind === 5 ? 4 : kind === 1 ? 8 : varint();
      yield [key >> 3, bytes.subarray(at, at + size)];
      at += size;
    }
  }
}

/**
 * @typedef {{ text: string, score: number, type: number }} Piece
 * @typedef {{
 *   pieces: Piece[], kind: number, byteFallback: boolean, dummy: boolean, removeExtra: boolean,
 *   charsmap?: Uint8Array, suffix?: boolean, alphabet?: string[], unkId?: number,
 * }} Model kind: 1 Unigram, 2 BPE
 */

/** @returns {Model} */
export function readModel(bytes) {
  /** @type {Model} */
  const model = { pieces: [], kind: 1, byteFallback: false, dummy: true, removeExtra: true };
  for (const [number, value] of decodeFields(bytes)) {
    const fields = typeof value === 'number' ? {} : Object.fromEntries(decodeFields(value));
    if (number === 1) {
      const score = fields[2] ? new Float32Array(Uint8Array.from(fields[2]).buffer)[0] : 0;
      const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(fields[1]);
      model.pieces.push({ text, score, type: fields[3] ?? 1 });
    } else if (number === 2) {
      model.kind = fields[3] ?? 1;
      model.byteFallback = Boolean(fields[35]);
    } else if (number === 3) {
      model.dummy = Boolean(fields[3] ?? 1);
      model.removeExtra = Boolean(fields[4] ?? 1);
      model.charsmap = fields[2];
    }
  }
  return model;
}

export function writeModel(model) {
  const pieces = model.pieces.map(({ text, score, type }) => [
    1,
    encodeFields([
      [1, utf8.encode(text)],
      [2, Float32Array.of(score)],
      [3, type],
    ]),
  ]);
  const trainer = [
    [3, model.kind],
    [24, model.suffix ? 1 : 0],
    [35, model.byteFallback ? 1 : 0],
    [40, model.unkId ?? 0],
  ];
  const normalizer = [
    [1, utf8.encode('made-up')],
    [2, model.charsmap ?? new Uint8Array()],
    [3, model.dummy ? 1 : 0],
    [4, model.removeExtra ? 1 : 0],
  ];
  return encodeFields([...pieces, [2, encodeFields(trainer)], [3, encodeFields(normalizer)]]);
}

/** A precompiled_charsmap of [key, replacement] pairs; each node has 256 units of the double array to itself. */
export function charsmap(rules) {
  const root = { children: new Map() };
  const replacements = [];
  for (const [key, replacement] of rules) {
    let node = root;
    for (const byte of utf8.encode(key)) {
      if (!node.children.has(byte)) {
        node.children.set(byte, { children: new Map() });
      }
      node = node.children.get(byte);
    }
    node.value = replacements.length;
    replacements.push(...utf8.encode(replacement), 0);
  }
  const units = new Array(256).fill(0);
  const open = [[root, 0]];
  for (const [node, index] of open) {
    const ends = node.value !== undefined;
    if (!ends && node.children.size === 0) {
      continue;
    }
    const base = units.length;
    for (let i = 0; i < 256; ++i) {
      units.push(0);
    }
    const offset = index ^ base;
    const far = offset >= 2 ** 21;
    units[index] |= (ends ? 0x100 : 0) | (far ? 0x200 : 0) | ((far ? offset >>> 8 : offset) << 10);
    if (ends) {
      units[base] = node.value | 0x80000000;
    }
    for (const [byte, child] of node.children) {
      units[base ^ byte] = byte;
      open.push([child, base ^ byte]);
    }
  }
  const trie = new Uint8Array(Int32Array.from(units).buffer);
  const size = new Uint8Array(Uint32Array.of(trie.length).buffer);
  return Uint8Array.from([...size, ...trie, ...replacements]);
}

/** An AMB file without weights. `options` is its config.tokenizer. */
export function ambFile(model, options = {}) {
  const config = {
    architecture: 'llama',
    n_vocab: model.pieces.length,
    n_embd: 8,
    n_layers: 1,
    n_heads: 1,
    tokenizer: options,
  };
  const tokenizer = [1, ...[1, 2, 0xffff, 0, 0xffff].flatMap((id) => [id & 255, id >> 8])];
  const payload = writeModel(model);
  const metadata = utf8.encode('{"name":"tokenizer"}');
  const head = 28 + metadata.length;
  const json = JSON.stringify(config);
  const padding = 64 - ((head + json.length + tokenizer.length + payload.length) % 64);
  const text = utf8.encode(json + ' '.repeat(padding));
  const file = new Uint8Array(head + text.length + tokenizer.length + payload.length);
  const view = new DataView(file.buffer);
  file.set(utf8.encode('AMBEE\x01'));
  view.setUint32(8, metadata.length, true);
  view.setUint32(12, text.length, true);
  view.setUint32(16, tokenizer.length + payload.length, true);
  file.set(metadata, 28);
  file.set(text, head);
  file.set(tokenizer, head + text.length);
  file.set(payload, head + text.length + tokenizer.length);
  return file;
}

/** Unknown and control pieces as Hugging Face lists them, in AMB's words too. */
export function addedTokens({ pieces }) {
  const flags = { single_word: false, lstrip: false, rstrip: false, normalized: false };
  return pieces
    .map(({ text, type }, id) => ({ id, content: text, ...flags, special: true, type }))
    .filter(({ type }) => type === pieceTypes.unknown || type === pieceTypes.control)
    .map(({ type, ...token }) => token);
}

/** The merges that transformers makes of scores (SentencePieceExtractor, generate_merges). */
function mergesOf(pieces) {
  const ids = new Map(pieces.map(({ text }, id) => [text, id]));
  const merges = [];
  for (const { text, score } of pieces) {
    const chars = [...text];
    const splits = [];
    for (let i = 1; i < chars.length; ++i) {
      const pair = [chars.slice(0, i).join(''), chars.slice(i).join('')];
      if (ids.has(pair[0]) && ids.has(pair[1])) {
        splits.push({ pair, key: [score, i, chars.length - i] });
      }
    }
    const rank = ({ pair }) => ids.get(pair[0]);
    merges.push(...splits.sort((a, b) => rank(a) - rank(b)));
  }
  const falling = (a, b) => b.key[0] - a.key[0] || b.key[1] - a.key[1] || b.key[2] - a.key[2];
  return merges.sort(falling).map(({ pair }) => pair);
}

/** Llama's tokenizer.json of a BPE model, as LlamaConverter makes it, with legacy or without. */
export function llamaTokenizerJson(model, legacy, added = addedTokens(model)) {
  const replace = { type: 'Replace', pattern: { String: ' ' }, content: mark };
  const prepend = model.dummy ? [{ type: 'Prepend', prepend: mark }] : [];
  const metaspace = { type: 'Metaspace', replacement: mark, prepend_scheme: 'first', split: false };
  const byNormalizer = legacy || !model.dummy;
  const strip = model.dummy ? [{ type: 'Strip', content: ' ', start: 1, stop: 0 }] : [];
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: added,
    normalizer: byNormalizer ? { type: 'Sequence', normalizers: [...prepend, replace] } : null,
    pre_tokenizer: byNormalizer ? null : metaspace,
    post_processor: null,
    decoder: {
      type: 'Sequence',
      decoders: [
        { type: 'Replace', pattern: { String: mark }, content: ' ' },
        { type: 'ByteFallback' },
        { type: 'Fuse' },
        ...strip,
      ],
    },
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: model.pieces.find(({ type }) => type === pieceTypes.unknown).text,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: true,
      byte_fallback: model.byteFallback,
      ignore_merges: false,
      vocab: Object.fromEntries(model.pieces.map(({ text }, id) => [text, id])),
      merges: mergesOf(model.pieces),
    },
  };
}

const alphabets = ['ab', 'abc', 'abc\u00e9', 'a\u00e9\u65e5\u{1f600}', "ab'\u0301"];

/**
 * A small model whose pieces overlap in many ways; `types` allows pieces of the user's and unused ones.
 * @returns {Model & { alphabet: string[] }}
 */
export function randomModel(random, kind, { types = true } = {}) {
  const alphabet = [...random.pick(alphabets), mark];
  const byteFallback = random.below(5) < 2;
  const hex = (byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`;
  const pieces = [
    { text: '<unk>', score: 0, type: pieceTypes.unknown },
    { text: '<s>', score: 0, type: pieceTypes.control },
    { text: '</s>', score: 0, type: pieceTypes.control },
  ];
  for (let byte = 0; byteFallback && byte < 256; ++byte) {
    pieces.push({ text: hex(byte), score: 0, type: pieceTypes.byte });
  }
  const known = new Set();
  const add = (text, type) => {
    if (known.has(text) || text === '') {
      return;
    }
    known.add(text);
    const score = random.pick([
      -random.below(7),
      -random.below(7),
      -12 * random.next(),
      random.next(),
    ]);
    pieces.push({ text, score: Math.fround(score), type });
  };
  for (const char of alphabet) {
    if (random.below(5) > 0) {
      add(char, pieceTypes.normal);
    }
  }
  const acrossWords = random.below(5) < 2;
  for (let n = random.between(3, 30); n > 0; --n) {
    let text = '';
    for (let i = random.pick([2, 2, 2, 3, 3, 4, 5, 6]); i > 0; --i) {
      text += random.pick(alphabet);
    }
    if (!acrossWords) {
      text = (text.startsWith(mark) ? mark : '') + text.replaceAll(mark, '');
    }
    const rare = random.below(10);
    const type = rare === 0 ? 'userDefined' : rare === 1 ? 'unused' : 'normal';
    if ([...text].length > 1) {
      add(text, pieceTypes[types ? type : 'normal']);
    }
  }
  const dummy = random.below(10) < 7;
  const removeExtra = types && random.below(2) === 0;
  const suffix = types && random.below(7) === 0;
  return { pieces, kind, byteFallback, dummy, removeExtra, suffix, alphabet };
}

/** A text over a model's alphabet, with spaces, and now and then something that no piece has. */
export function randomText(random, { alphabet }) {
  const odd = [
    'x',
    '\t',
    '<s>',
    '</s>',
    mark,
    '\uff21',
    'e\u0301',
    '\ufb01',
    '\u3000',
    '\ufffd',
    '<0x41>',
  ];
  let text = '';
  for (let n = random.below(15); n > 0; --n) {
    text += random.below(14) === 0 ? random.pick(odd) : random.pick(alphabet).replace(mark, ' ');
  }
  return text;
}

/** Ids in any order, among them runs of bytes that are no characters. */
export function randomIds(random, { pieces, byteFallback }) {
  const bytes = [0xe2, 0x82, 0xac, 0x20, 0xf0, 0x41].map((byte) => 3 + byte);
  const id = () =>
    byteFallback && random.below(2) === 0 ? random.pick(bytes) : random.below(pieces.length);
  return Array.from({ length: random.below(10) }, id);
}
