// The parts of a head as the tensors show them.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "model/encoder/head/head_config.h"
#include "model/encoder/head/head_layout.h"
#include "model/file/model.h"

namespace ambry::model {

// The tensor of a part, whose ending is `.weight` or `.bias`. nullptr where the model lacks it, or
// the layout has no such part.
[[nodiscard]] const TensorEntry* find_part(const Model& model, std::string_view part,
                                           std::string_view ending);

// The number of outputs of a linear layer that takes `in` numbers. Mismatch if it takes others.
[[nodiscard]] Result<uint32_t> outputs_of(const Model& model, const TensorEntry& weight,
                                          uint32_t in);

// Reads what comes before the classifier, and whether this has a bias. Returns how many numbers the
// classifier takes. Mismatch for a dense layer that does not take `hidden_size` numbers.
[[nodiscard]] Result<uint32_t> read_parts(const Model& model, const HeadLayout& layout,
                                          uint32_t hidden_size, HeadConfig& head);

}  // namespace ambry::model
