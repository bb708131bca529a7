// The tokenizer that a file's data asks for, of whatever kind. It links all of them: only for
// modules that run more than sentence encoders.
#pragma once

#include <memory>

#include "base/result.h"
#include "model/tokenizer/tokenizer_data.h"
#include "text/tokenizer/tokenizer.h"

namespace ambry::text {

// Unsupported, naming it, for a kind or a step that is not known.
[[nodiscard]] Result<std::unique_ptr<Tokenizer>> make_tokenizer(model::TokenizerData data);

}  // namespace ambry::text
