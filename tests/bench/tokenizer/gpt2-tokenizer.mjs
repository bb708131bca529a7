// GPT-2's byte-level BPE, of the two files that came with it: as a tokenizer.json, and as our files have it.

const byteLevel = {
  type: 'ByteLevel',
  add_prefix_space: false,
  trim_offsets: true,
  use_regex: true,
};
const endOfText = '<|endoftext|>';

/** `encoder` is encoder.json's content, `ranks` the text of vocab.bpe. */
export function gpt2Tokenizer(encoder, ranks) {
  const [, ...merges] = ranks.trimEnd().split('\n');
  const isPlain = { single_word: false, lstrip: false, rstrip: false, normalized: false };
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: [{ id: encoder[endOfText], content: endOfText, ...isPlain, special: true }],
    normalizer: null,
    pre_tokenizer: byteLevel,
    post_processor: { ...byteLevel, trim_offsets: false },
    decoder: byteLevel,
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: '',
      end_of_word_suffix: '',
      fuse_unk: false,
      vocab: encoder,
      merges,
    },
  };
}

/** What core/formats/amb/README.md says of kind 0, after its ids. */
export function bpePayload({ vocab, merges }) {
  const u16 = (number) => Buffer.from(Uint16Array.of(number).buffer);
  const u32 = (number) => Buffer.from(Uint32Array.of(number).buffer);
  const text = (value) => [u16(Buffer.byteLength(value)), Buffer.from(value)];
  const tokens = Object.entries(vocab);
  return Buffer.concat([
    u32(merges.length),
    ...merges.flatMap((merge) => merge.split(' ').flatMap(text)),
    u32(tokens.length),
    ...tokens.flatMap(([token, id]) => [u32(id), ...text(token)]),
  ]);
}
