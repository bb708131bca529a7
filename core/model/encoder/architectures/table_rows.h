// Rows of the tables of tensors.
#pragma once

#include "model/encoder/encoder_architecture.h"

namespace ambry::model::encoder_rows {

using enum EncoderExtent;
using Role = EncoderRole;
using Row = EncoderTensorRow;
using Rule = EncoderRule;

constexpr Row table(Role role, std::string_view name, EncoderExtent rows,
                    EncoderExtent cols = Embedding) {
  return {.role = role, .name = name, .rows = rows, .cols = cols};
}

constexpr Row norm(Role role, std::string_view name, EncoderExtent width = Hidden,
                   Rule weight = Rule::Always, Rule bias = Rule::NormBias) {
  return {.role = role, .name = name, .rows = width, .weight = weight, .bias = bias};
}

constexpr Row linear(Role role, std::string_view name, EncoderExtent rows, EncoderExtent cols,
                     Rule bias, Rule weight = Rule::Always) {
  return {.role = role,
          .name = name,
          .rows = rows,
          .cols = cols,
          .linear = true,
          .weight = weight,
          .bias = bias};
}

}  // namespace ambry::model::encoder_rows
