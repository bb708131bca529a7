// The tensors that hold what the vocabulary section of layout F0 cannot
// (core/formats/embd/README.md#tokenizer-parts).
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "model/file/model.h"
#include "model/tokenizer/tokenizer_data.h"
#include "model/vocabulary/vocabulary.h"

namespace ambry::formats::embd {

struct TokenizerPart {
  model::TensorEntry entry;  // without its place
  std::vector<uint8_t> bytes;
};

// None for BERT's WordPiece. Unsupported for a kind that EMBD cannot hold, and for merges whose
// parts are no tokens.
[[nodiscard]] Result<std::vector<TokenizerPart>> make_tokenizer_parts(
    const model::TokenizerData& tokenizer);

// The tokens in the order of their ids, with empty ones in the gaps. LimitExceeded for ids far
// above the number of tokens.
[[nodiscard]] Result<model::Vocabulary> tokens_by_id(const model::TokenizerData& tokenizer);

}  // namespace ambry::formats::embd
