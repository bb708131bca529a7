// The tokenizer section of a file that is written.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "model/model.h"

namespace ambry::formats::amb {

// Empty for a model without a tokenizer. Special ids that two bytes cannot hold go to
// `config.tokenizer`, unless it states them already. Unsupported for a tokenizer that AMB does not
// have, BadValue for one whose vocabulary was not read.
[[nodiscard]] Result<std::vector<uint8_t>> tokenizer_bytes(model::Model& model);

}  // namespace ambry::formats::amb
