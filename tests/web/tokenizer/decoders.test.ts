// A tokenizer.json by itself opens whatever its decoder is, and makes the text that Hugging Face's library makes.

import tokenizers from 'tokenizers';
import { describe, expect, test } from 'vitest';
import { unwrap } from '../../../web/src/runtime/worker-heap.ts';
import type { TokenizerModel } from '../../../web/src/wasm/types.mjs';
import { makeRandom } from '../../reference/tokenizers/string-generator.mjs';
import { loadTokenizerModule, openTokenizerIn } from '../support/core-module.ts';
import { ambry } from '../support/package.ts';

const tokens = [
  ...['<unk>', '<s>', 'a', 'b', '##b', '##.', '.', '?', "'", 'not', '\u0120a', '\u0120', '\u0109'],
  ...[
    '\u00c3',
    '\u00a9',
    '\u2581a',
    '\u2581',
    '\u2581\u2581b',
    'b</w>',
    '</w>',
    '<0xC3>',
    '<0xA9>',
  ],
  ...['<0xFF>', '|', '<pad>', 'n', "'s", 'do', '\u6f22', ' ', 'x y', "n't"],
];
const ids = Object.fromEntries(tokens.map((token, id) => [token, id]));
const added = ['<s>', '\u6f22'].map((content) => ({
  ...{ id: ids[content], content, special: content === '<s>' },
  ...{ single_word: false, lstrip: false, rstrip: false, normalized: false },
}));

/** Parts of a tokenizer.json that are of one kind of model. */
const kinds = {
  WordPiece: {
    pre_tokenizer: { type: 'BertPreTokenizer' },
    normalizer: {
      ...{ type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true },
      ...{ strip_accents: null, lowercase: true },
    },
    post_processor: { type: 'BertProcessing', sep: ['b', 3], cls: ['a', 2] },
    model: {
      type: 'WordPiece',
      unk_token: '<unk>',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: ids,
    },
  },
  'byte-level BPE': {
    pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true },
    model: { type: 'BPE', unk_token: '<unk>', vocab: ids, merges: [] },
  },
  'BPE of pieces': {
    normalizer: { type: 'Replace', pattern: { String: ' ' }, content: '\u2581' },
    model: { type: 'BPE', unk_token: '<unk>', vocab: ids, merges: [] },
  },
  Unigram: {
    pre_tokenizer: { type: 'Metaspace', replacement: '\u2581', prepend_scheme: 'always' },
    model: { type: 'Unigram', unk_id: 0, vocab: tokens.map((token, id) => [token, -id]) },
  },
};

const metaspace = { type: 'Metaspace', replacement: '\u2581' };
const replace = { type: 'Replace', pattern: { String: '\u2581' }, content: ' ' };
const strip = { type: 'Strip', content: ' ', start: 1, stop: 0 };
const byteLevel = {
  type: 'ByteLevel',
  add_prefix_space: true,
  trim_offsets: true,
  use_regex: true,
};
const decoders: readonly (object | null)[] = [
  null,
  { type: 'WordPiece', prefix: '##', cleanup: true },
  { type: 'WordPiece', prefix: '##', cleanup: false },
  { type: 'WordPiece', prefix: '\u2581', cleanup: true },
  byteLevel,
  { ...metaspace, prepend_scheme: 'always', split: true },
  { ...metaspace, prepend_scheme: 'first', split: true },
  { ...metaspace, prepend_scheme: 'never', split: true },
  { type: 'BPEDecoder', suffix: '</w>' },
  { type: 'CTC', pad_token: '<pad>', word_delimiter_token: '|', cleanup: true },
  { type: 'CTC', pad_token: '<pad>', word_delimiter_token: '|', cleanup: false },
  { type: 'ByteFallback' },
  { type: 'Fuse' },
  replace,
  { type: 'Sequence', decoders: [] },
  { type: 'Sequence', decoders: [replace, { type: 'ByteFallback' }, { type: 'Fuse' }, strip] },
  { type: 'Sequence', decoders: [strip, { type: 'BPEDecoder', suffix: '</w>' }] },
  {
    type: 'Sequence',
    decoders: [
      { type: 'Sequence', decoders: [byteLevel] },
      { ...replace, content: '' },
    ],
  },
];

const file = (kind: keyof typeof kinds, decoder: unknown) =>
  JSON.stringify({ version: '1.0', added_tokens: added, ...kinds[kind], decoder });
const utf8 = (text: string) => new TextEncoder().encode(text);

const module = await loadTokenizerModule();
const open = (kind: keyof typeof kinds, decoder: unknown) =>
  openTokenizerIn(module, utf8(file(kind, decoder)));
const made = (tokenizer: TokenizerModel, some: readonly number[], skipSpecial: boolean) =>
  unwrap(module.detokenize(tokenizer, JSON.stringify(some), skipSpecial));

const names = Object.keys(kinds) as readonly (keyof typeof kinds)[];
describe.each(names)('%s', (kind) => {
  test('makes text as the library does by every decoder', async () => {
    for (const decoder of decoders) {
      const random = makeRandom(11);
      const oracle = tokenizers.Tokenizer.fromString(file(kind, decoder));
      const tokenizer = open(kind, decoder);
      for (let i = 0; i < 60; i += 1) {
        const some = Array.from({ length: random.below(9) }, () => random.below(tokens.length));
        for (const skip of [true, false]) {
          const what = `${JSON.stringify(decoder)} ${some.map((id) => tokens[id]).join('·')}`;
          expect(made(tokenizer, some, skip), what).toBe(await oracle.decode(some, skip));
        }
      }
      module.release(tokenizer);
    }
  });

  test('opens without a decoder and with one that is not known', async () => {
    await using without = await ambry.openTokenizer(utf8(file(kind, undefined)));
    expect(await without.detokenize([2, 3])).toBe('a b');
    const regex = { type: 'Replace', pattern: { Regex: 'a+' }, content: '' };
    for (const decoder of [{ type: 'Odd' }, regex]) {
      await using tokenizer = await ambry.openTokenizer(utf8(file(kind, decoder)));
      expect((await tokenizer.tokenCounts(['a']))[0]).toBeGreaterThan(0);
      await expect(tokenizer.detokenize([2])).rejects.toMatchObject({
        code: 'Unsupported',
        path: 'tokenizer.json.decoder',
        message: expect.stringContaining(decoder.type),
      });
    }
  });
});
