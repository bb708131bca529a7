// The metadata key by which a sentence encoder states the kind of its tokenizer.
#pragma once

#include "base/result.h"
#include "io/json/json.h"
#include "model/tokenizer/tokenizer_data.h"

namespace ambry::model {

inline constexpr const char* kTokenizerKindKey = "tokenizer_kind";

// The kind that the metadata names; WordPiece if it names none. Unsupported for an unknown name.
[[nodiscard]] Result<TokenizerKind> tokenizer_kind_in(const io::Json& metadata);

}  // namespace ambry::model
