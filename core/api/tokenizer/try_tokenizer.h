// Whether a model's tokenizer can run.
#pragma once

#include "base/result.h"
#include "model/file/model.h"

namespace ambry::api {

// The error of making the tokenizer. `model` has one.
[[nodiscard]] Result<void> try_tokenizer(model::Model& model);

}  // namespace ambry::api
