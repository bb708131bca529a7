// The official Hugging Face tokenizer for a WordPiece configuration, answering in our own shape: its
// offsets count code points, ours UTF-16 code units and bytes.
import tokenizers from 'tokenizers';

const specialNames = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];

/** The special tokens of a vocabulary, as BERT's own tokenizer.json lists them. */
export function specialTokens(vocabulary) {
  return specialNames
    .filter((content) => vocabulary.includes(content))
    .map((content) => ({
      id: vocabulary.lastIndexOf(content),
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    }));
}

/** A tokenizer.json of BERT's kind; what `options` leaves open is as in bert-base-uncased. */
export function tokenizerJson(vocabulary, options = {}, added = specialTokens(vocabulary)) {
  const special = (id, type_id) => ({ SpecialToken: { id, type_id } });
  const text = (id, type_id) => ({ Sequence: { id, type_id } });
  const ids = Object.fromEntries(vocabulary.map((token, id) => [token, id]));
  const entry = (id) => [id, { id, ids: [ids[id]], tokens: [id] }];
  const prefix = options.prefix ?? '##';
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: added,
    normalizer: {
      type: 'BertNormalizer',
      clean_text: options.cleanText ?? true,
      handle_chinese_chars: options.handleChineseChars ?? true,
      strip_accents: options.stripAccents ?? null,
      lowercase: options.lowercase ?? true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [special('[CLS]', 0), text('A', 0), special('[SEP]', 0)],
      pair: [
        special('[CLS]', 0),
        text('A', 0),
        special('[SEP]', 0),
        text('B', 1),
        special('[SEP]', 1),
      ],
      special_tokens: Object.fromEntries([entry('[CLS]'), entry('[SEP]')]),
    },
    decoder: { type: 'WordPiece', prefix, cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: prefix,
      max_input_chars_per_word: options.maxInputChars ?? 100,
      vocab: ids,
    },
  };
}

/** For each code point boundary of a text its place in UTF-16 and in UTF-8 (lone surrogates: U+FFFD). */
function boundaries(text) {
  const places = [[0, 0]];
  for (const char of text) {
    const [utf16, bytes] = places.at(-1);
    const c = char.codePointAt(0);
    places.push([
      utf16 + char.length,
      bytes + (c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4),
    ]);
  }
  return places;
}

function convert(encoding, text, pair) {
  const places = [boundaries(text), pair === undefined ? [] : boundaries(pair)];
  const sequences = encoding.getSequenceIds();
  const spans = encoding
    .getOffsets()
    .map((span, i) => span.map((at) => places[sequences[i] ?? 0][at]));
  return {
    ids: encoding.getIds(),
    tokens: encoding.getTokens(),
    typeIds: encoding.getTypeIds(),
    offsets: spans.map((span) => span.map(([utf16]) => utf16)),
    byteOffsets: spans.map((span) => span.map(([, bytes]) => bytes)),
  };
}

export class Oracle {
  #tokenizer;

  constructor(json) {
    this.#tokenizer = tokenizers.Tokenizer.fromString(JSON.stringify(json));
  }

  /** @param {{text: string, pair?: string, special?: boolean, max?: number}} request */
  async encode({ text, pair, special = true, max }) {
    if (max === undefined) {
      this.#tokenizer.disableTruncation();
    } else {
      this.#tokenizer.setTruncation(max);
    }
    const options = { addSpecialTokens: special };
    return convert(await this.#tokenizer.encode(text, pair ?? null, options), text, pair);
  }

  /** Many texts at once, without truncation. */
  async encodeBatch(texts, special = true) {
    this.#tokenizer.disableTruncation();
    const encodings = await this.#tokenizer.encodeBatch(texts, { addSpecialTokens: special });
    return encodings.map((encoding, i) => convert(encoding, texts[i]));
  }

  decode(ids, skipSpecial) {
    return this.#tokenizer.decode(ids, skipSpecial);
  }
}
