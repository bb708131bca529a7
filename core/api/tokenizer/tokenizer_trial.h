// Whether a model's tokenizer can be made, in programs that make tokenizers. Other programs stay
// small, and only see whether it is of a known kind.
#pragma once

#include "base/result.h"
#include "model/file/model.h"

namespace ambry::api {

// The error of making the tokenizer. `model` has one. See try_tokenizer.h.
using TokenizerTrial = Result<void> (*)(model::Model& model);
void set_tokenizer_trial(TokenizerTrial trial);

// Tries the tokenizer of a model. NotFound for a model without one.
[[nodiscard]] Result<void> check_tokenizer(model::Model& model);

}  // namespace ambry::api
