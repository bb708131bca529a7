// Writes the tokenizer section.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "model/file/model.h"

namespace ambry::formats::amb {

// Empty for a model without a tokenizer. Special ids that do not fit two bytes go to
// `config.tokenizer`, unless it already states them. Unsupported for a tokenizer that AMB does not
// have. BadValue for one whose vocabulary was not read.
[[nodiscard]] Result<std::vector<uint8_t>> tokenizer_bytes(model::Model& model);

}  // namespace ambry::formats::amb
