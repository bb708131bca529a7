// The vocabularies of BPE tokenizers in Hugging Face's forms, and which of AMB's kinds runs them.
#pragma once

#include <string_view>

#include "base/result.h"
#include "formats/huggingface/decoder_tokenizer.h"
#include "io/json/json.h"
#include "model/tokenizer/tokenizer_data.h"

namespace ambry::formats::huggingface {

// Byte-level BPE with a known way to cut texts into words becomes Bpe; BPE over pieces with U+2581
// becomes SentencePieceBpe with a model file made up from vocabulary and merges; every other
// tokenizer.json is Custom, without a payload yet. What its template puts around a text is bos and
// eos. Added tokens are not read here.
[[nodiscard]] Result<void> read_tokenizer_json(const io::Json& root, DecoderTokenizer& made);

// `{"token": id, …}`; ids may have gaps, not occur twice.
[[nodiscard]] Result<void> read_bpe_vocabulary(const io::Json& vocab, std::string_view path,
                                               model::TokenizerData& tokenizer);
// A pair a line, after a line `#version: …` that may be there.
[[nodiscard]] Result<void> read_merges_txt(std::string_view text, model::TokenizerData& tokenizer);

}  // namespace ambry::formats::huggingface
