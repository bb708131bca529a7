// Converts a tokenizer between GGUF's `tokenizer.` keys and AMB's `config.tokenizer`
// (core/formats/amb/README.md#tokenizer-options) with SentencePiece's model file.
#pragma once

#include <vector>

#include "base/result.h"
#include "convert/plan/conversion_options.h"
#include "io/json/json.h"
#include "model/file/model.h"

namespace ambry::convert {

// Whether tokenizer_from_gguf() uses this key of GGUF's metadata.
[[nodiscard]] bool is_tokenizer_key(std::string_view key);

struct GgufTokenizer {
  model::TokenizerData tokenizer;
  io::Json options;  // AMB's config.tokenizer
};

// The tokenizer of a GGUF model. Its SentencePiece model file is built from tokens, scores and
// types. Unsupported for a kind that other formats cannot store.
[[nodiscard]] Result<GgufTokenizer> tokenizer_from_gguf(const model::Model& gguf,
                                                        const Options& options,
                                                        std::vector<Error>& warnings);

// Sets target.tokenizer and its keys. `facts` is AMB's config.tokenizer, or null. Adds tokens up to
// `n_vocab`, the number of rows in the embedding. Unsupported for settings that GGUF cannot store.
[[nodiscard]] Result<void> tokenizer_to_gguf(const model::TokenizerData& tokenizer,
                                             const io::Json& facts, uint64_t n_vocab,
                                             const Options& options, model::Model& target,
                                             std::vector<Error>& warnings);

}  // namespace ambry::convert
