// Rows of the tables of tensors.
#pragma once

#include "model/encoder/architectures/encoder_architecture.h"

namespace ambry::model::encoder_rows {

using enum EncoderExtent;
using Role = EncoderRole;
using Row = EncoderTensorRow;
using Rule = EncoderRule;

// Far above any real one, and far from where adding to it would overflow.
inline constexpr uint32_t kMaxPadTokenId = 1 << 24;

// Far above any real one.
inline constexpr uint32_t kMaxHeadDim = 1 << 16;

// The most buckets of relative positions. T5 and MPNet have 32. MPNet's last bucket begins at 128,
// which more than 512 would not reach.
inline constexpr uint32_t kMaxBuckets = 256;

constexpr Row table(Role role, std::string_view name, EncoderExtent rows,
                    EncoderExtent cols = Embedding, Rule weight = Rule::Always) {
  return {.role = role, .name = name, .rows = rows, .cols = cols, .weight = weight};
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

// The row for a part of a layer.
constexpr Row of_part(uint8_t part, Row row) {
  row.part = part;
  return row;
}

}  // namespace ambry::model::encoder_rows
