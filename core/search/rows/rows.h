// Rows of vectors one after another, as they lie in memory and in the index file (README.md).
#pragma once

#include <cstdint>

#include "base/bytes.h"

namespace ambry::search {

// The values are those in the file.
enum class RowKind : uint8_t {
  F32 = 0,
  Int8 = 1,  // an f32 scale, then one signed byte per element: value = byte * scale
};

inline constexpr uint32_t kScaleSize = sizeof(float);

[[nodiscard]] constexpr uint32_t row_size(RowKind kind, uint32_t dim) {
  return kind == RowKind::Int8 ? kScaleSize + dim : dim * uint32_t{sizeof(float)};
}

// Borrowed. f32 rows are aligned for floats.
struct Rows {
  RowKind kind;
  uint32_t dim;
  Bytes bytes;

  [[nodiscard]] size_t stride() const { return row_size(kind, dim); }
  [[nodiscard]] size_t size() const { return bytes.size() / stride(); }
  [[nodiscard]] const uint8_t* row(size_t i) const { return bytes.data() + i * stride(); }
};

}  // namespace ambry::search
