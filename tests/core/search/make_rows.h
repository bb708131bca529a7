// int8 rows as an index stores them.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "kernels/similarity/int8_dot.h"
#include "search/rows/exact_top_k.h"
#include "simd/isa.h"

namespace ambry::search {

class Int8Rows {
 public:
  explicit Int8Rows(uint32_t dim) : dim_(dim) {}

  void add(float scale, std::span<const int8_t> values) {
    const size_t at = memory_.size();
    memory_.resize(at + row_size(RowKind::Int8, dim_));
    store_le(memory_.data() + at, scale);
    std::memcpy(memory_.data() + at + kScaleSize, values.data(), dim_);
  }
  [[nodiscard]] Rows rows() const { return {RowKind::Int8, dim_, memory_}; }

  // The f32 score of a row.
  [[nodiscard]] float score(size_t i, std::span<const float> query) const {
    const uint8_t* row = rows().row(i);
    const auto* values = reinterpret_cast<const int8_t*>(row + kScaleSize);
    return load_le<float>(row) * kernels::dot_int8<simd::Best>(query, values);
  }

 private:
  uint32_t dim_;
  std::vector<uint8_t> memory_;
};

inline std::vector<uint32_t> rows_of(const std::vector<Hit>& hits) {
  std::vector<uint32_t> rows;
  for (const Hit& hit : hits) rows.push_back(hit.row);
  return rows;
}

}  // namespace ambry::search
