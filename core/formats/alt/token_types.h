// The numbers of token types, which changed twice without a change of version
// (README.md#token-types).
#pragma once

#include <cstdint>

#include "io/diagnostics.h"
#include "model/tokenizer/tokenizer_data.h"

namespace ambry::formats::alt {

inline constexpr int32_t kMaxTokenType = 8;
inline constexpr uint8_t kNoTokenType = UINT8_MAX;  // a number that no numbering has

// From the file's numbers, found out by the type of `<0x00>`, to SentencePiece's.
void translate_types(uint64_t tokens_at, model::TokenizerData& tokenizer,
                     io::Diagnostics& diagnostics);

// The number in files of today for one of SentencePiece's; NORMAL for what is none of them.
[[nodiscard]] int32_t file_type(uint8_t sentencepiece_type);

}  // namespace ambry::formats::alt
