// Makes the tokenizer of a sentence encoder.
#pragma once

#include <memory>

#include "base/result.h"
#include "model/tokenizer/tokenizer_data.h"
#include "text/tokenizer/tokenizer.h"

namespace ambry::api {

// Makes the tokenizers that this module links: those of every kind, or what a definition in the
// module says (wordpiece_only.h).
[[nodiscard]] Result<std::unique_ptr<text::Tokenizer>> make_encoder_tokenizer(
    model::TokenizerData data);

}  // namespace ambry::api
