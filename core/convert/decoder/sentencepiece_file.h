// Builds a SentencePiece BPE model file for formats that store only its pieces: ALT, llama2.c.
#pragma once

#include <string_view>

#include "base/result.h"
#include "model/tokenizer/tokenizer_data.h"

namespace ambry::convert {

// Whether a piece consists only of U+2581.
[[nodiscard]] bool is_blank_piece(std::string_view piece);

// Whether the spelling and the special ids determine the types of all pieces.
[[nodiscard]] bool types_can_be_derived(const model::TokenizerData& tokenizer);

// Builds the model file and the missing scores and types: types from spelling and special ids,
// scores from ids (core/formats/alt/README.md#merge-order). Spaces become U+2581 if no piece has
// it.
[[nodiscard]] Result<void> add_sentencepiece_file(model::TokenizerData& tokenizer);

}  // namespace ambry::convert
