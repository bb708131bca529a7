// A tokenizer's way into GGUF and out of it: its keys under `tokenizer.` on one side, AMB's
// `config.tokenizer` (core/formats/amb/README.md#tokenizer-options) and SentencePiece's own model
// file on the other.
#pragma once

#include <vector>

#include "base/result.h"
#include "convert/options.h"
#include "io/json/json.h"
#include "model/model.h"

namespace ambry::convert {

// Whether from_gguf() has a meaning for this key of GGUF's metadata.
[[nodiscard]] bool is_tokenizer_key(std::string_view key);

struct GgufTokenizer {
  model::TokenizerData tokenizer;
  io::Json options;  // AMB's config.tokenizer
};

// The tokenizer of a GGUF model, its SentencePiece model file made up from tokens, scores and
// types. Unsupported for a kind without a place elsewhere.
[[nodiscard]] Result<GgufTokenizer> tokenizer_from_gguf(const model::Model& gguf,
                                                        const Options& options,
                                                        std::vector<Error>& warnings);

// Sets target.tokenizer and its keys. `facts` is AMB's config.tokenizer, or null; tokens are filled
// up to `n_vocab`, as the embedding has rows. Unsupported for what GGUF has no words for.
[[nodiscard]] Result<void> tokenizer_to_gguf(const model::TokenizerData& tokenizer,
                                             const io::Json& facts, uint64_t n_vocab,
                                             const Options& options, model::Model& target,
                                             std::vector<Error>& warnings);

}  // namespace ambry::convert
