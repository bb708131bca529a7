// Σ over the vectors of a query of the largest dot product with one of a document's rows: MaxSim,
// the score of late interaction. The query is packed once. A document's rows are multiplied by it a
// few at a time, and the largest product of each of its vectors stays; int8 rows are widened first.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "kernels/gemm/f32_gemm.h"
#include "kernels/gemm/layout/packed_f32_matrix.h"
#include "kernels/gemm/tiles/epilogue.h"
#include "kernels/similarity/int8_dot.h"

namespace ambry::kernels {

class MaxSim {
 public:
  // `query` holds vectors of `dim` values, one after another. LimitExceeded when the heap is full.
  [[nodiscard]] static Result<MaxSim> create(std::span<const float> query, size_t dim) {
    assert(dim > 0 && query.size() % dim == 0);
    const size_t n = query.size() / dim;
    AMBRY_TRY(PackedF32Matrix packed, PackedF32Matrix::pack({query.data(), dim, 1}, n, dim));
    return MaxSim(std::move(packed));
  }

  // The score of a document whose rows lie one after another. 0 for a query without vectors, and
  // -infinity for a document without rows.
  template <class V>
  [[nodiscard]] float score(std::span<const float> rows) {
    begin();
    const size_t dim = query_.k();
    for (size_t at = 0; at < rows.size(); at += kBlock * dim) {
      raise<V>(rows.subspan(at, std::min(kBlock * dim, rows.size() - at)));
    }
    return sum();
  }

  // The score of a document whose rows have an f32 scale, then one signed byte for each value:
  // value = byte * scale.
  template <class V>
  [[nodiscard]] float score_int8(Bytes rows) {
    begin();
    const size_t dim = query_.k();
    const size_t stride = sizeof(float) + dim;
    wide_.resize(kBlock * dim);
    for (size_t at = 0; at < rows.size();) {
      size_t n = 0;
      for (; n < kBlock && at < rows.size(); ++n, at += stride) {
        const uint8_t* row = rows.data() + at;
        dequantize_int8<V>(reinterpret_cast<const int8_t*>(row + sizeof(float)),
                           load_le<float>(row), 0, std::span(wide_).subspan(n * dim, dim));
      }
      raise<V>(std::span(wide_).first(n * dim));
    }
    return sum();
  }

 private:
  // Whole tiles of 5 and of 6 rows.
  static constexpr size_t kBlock = 30;

  explicit MaxSim(PackedF32Matrix query)
      : query_(std::move(query)), products_(kBlock * query_.n()), best_(query_.n()) {}

  void begin() { std::ranges::fill(best_, -std::numeric_limits<float>::infinity()); }

  // Multiplies at most kBlock rows.
  template <class V>
  void raise(std::span<const float> rows) {
    const size_t n = best_.size();
    const size_t n_rows = rows.size() / query_.k();
    f32_gemm<V>({rows.data(), n_rows, query_.k()}, query_, products_.data(), n, Scale{1.0F});
    for (size_t r = 0; r < n_rows; ++r) {
      const float* row = products_.data() + r * n;
      size_t i = 0;
      for (; i + V::kLanes <= n; i += V::kLanes) {
        V::store(&best_[i], V::max(V::load(&best_[i]), V::load(row + i)));
      }
      for (; i < n; ++i) best_[i] = std::max(best_[i], row[i]);
    }
  }

  [[nodiscard]] float sum() const {
    double total = 0;
    for (const float largest : best_) total += double{largest};
    return static_cast<float>(total);
  }

  PackedF32Matrix query_;
  std::vector<float> products_;  // of a block of rows with the query's vectors
  std::vector<float> best_;      // of each of the query's vectors
  std::vector<float> wide_;      // a block of int8 rows in f32
};

}  // namespace ambry::kernels
