// SentencePiece BPE from a file that has its pieces, not the model file: ALT, llama2.c.
#pragma once

#include <string_view>

#include "base/result.h"
#include "model/tokenizer/tokenizer_data.h"

namespace ambry::convert {

// Whether a piece is nothing but U+2581.
[[nodiscard]] bool is_blank_piece(std::string_view piece);

// Whether spelling and special ids tell the types of all pieces.
[[nodiscard]] bool types_are_told(const model::TokenizerData& tokenizer);

// Makes up the model file, and the scores and types that are missing: types from spelling and
// special ids, scores from ids as core/formats/alt/README.md#merge-order has it. Spaces become
// U+2581 where no piece has that.
[[nodiscard]] Result<void> add_sentencepiece_file(model::TokenizerData& tokenizer);

}  // namespace ambry::convert
