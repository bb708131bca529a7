// Reads BPE vocabularies in Hugging Face's forms, and decides which of AMB's kinds can run them.
#pragma once

#include <string_view>

#include "base/result.h"
#include "formats/huggingface/tokenizer/decoder_tokenizer.h"
#include "io/json/json.h"
#include "model/tokenizer/tokenizer_data.h"

namespace ambry::formats::huggingface {

// Byte-level BPE with a known pre-tokenizer becomes Bpe. BPE over pieces with U+2581 becomes
// SentencePieceBpe, with a model file built from vocabulary and merges. Any other tokenizer.json
// becomes Custom, without a payload yet. The special tokens of its template become bos and eos
// where a text has at most one on each side (template_json.h).
// Added tokens are not read here.
[[nodiscard]] Result<void> read_tokenizer_json(const io::Json& root, DecoderTokenizer& made);

// A whole tokenizer.json with a BPE model, with its added tokens. Unsupported, with the name of the
// component, where none of AMB's kinds can run it. Without `decodes`, its way to make text of ids
// does not count, and is that of the kind: encoders need none.
[[nodiscard]] Result<model::TokenizerData> parse_bpe_json(const io::Json& root, bool decodes);

// Reads `{"token": id, …}`. Ids may have gaps but must not be repeated.
[[nodiscard]] Result<void> read_bpe_vocabulary(const io::Json& vocab, std::string_view path,
                                               model::TokenizerData& tokenizer);
// Reads one pair in each line, after an optional line `#version: …`.
[[nodiscard]] Result<void> read_merges_txt(std::string_view text, model::TokenizerData& tokenizer);

}  // namespace ambry::formats::huggingface
