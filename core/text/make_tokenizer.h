// Makes the tokenizer that a file's data describes, of any kind. It links all kinds, so only
// modules that run more than sentence encoders should use it.
#pragma once

#include <memory>

#include "base/result.h"
#include "model/tokenizer/tokenizer_data.h"
#include "text/tokenizer/tokenizer.h"

namespace ambry::text {

// Unsupported, with the name, for an unknown kind or step.
[[nodiscard]] Result<std::unique_ptr<Tokenizer>> make_tokenizer(model::TokenizerData data);

}  // namespace ambry::text
