// Says at once when the target of a conversion will not generate text.
#pragma once

#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "model/model.h"

namespace ambry::api {

// `target` is the model as it will be read. Adds to the conversion's warnings.
void warn_of_target(model::Model& target, std::vector<Error>& warnings);

// How warn_of_target() tries a tokenizer: api/tokenizer/try_tokenizer.h. Programs without
// tokenizers do not set it, so that they stay small. They only see whether there is one of a known
// kind.
using TokenizerTrial = Result<void> (*)(model::Model& target);
void set_tokenizer_trial(TokenizerTrial trial);

}  // namespace ambry::api
