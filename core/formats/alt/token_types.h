// The numbers of token types. They changed twice without a change of version
// (README.md#token-types).
#pragma once

#include <cstdint>

#include "io/diagnostics.h"
#include "model/tokenizer/tokenizer_data.h"

namespace ambry::formats::alt {

inline constexpr int32_t kMaxTokenType = 8;
inline constexpr uint8_t kNoTokenType = UINT8_MAX;  // a number that is in no numbering

// Translates the file's types to SentencePiece's. The type of `<0x00>` shows which numbering it is.
void translate_types(uint64_t tokens_at, model::TokenizerData& tokenizer,
                     io::Diagnostics& diagnostics);

// The number that files use today for one of SentencePiece's types. NORMAL for unknown types.
[[nodiscard]] int32_t file_type(uint8_t sentencepiece_type);

}  // namespace ambry::formats::alt
