// Rows of floats as whole numbers of 14 bits and a sign with a scale for each row, number = code *
// scale: what activations become before they meet an int8 weight (byte_matrix.h). Fewer bits where
// sums over a long row would not fit 32. 7 bits, for which there is a faster instruction, are not
// enough: trained encoders have activations of some tens among those around 1, and TinyBERT's
// pooled vectors came out at a cosine of 0.981.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "kernels/byte_matrix.h"
#include "simd/isa.h"

namespace ambry::kernels {

struct RowUnit {
  float scale;
  float sum;  // of the codes
};

// Row r has `stride` codes, its numbers and zeros, from codes + r * stride on.
struct CodedRows {
  int16_t* codes;
  RowUnit* units;
  size_t rows;
  size_t stride;
};

// The largest code of rows of k numbers: their products with codes of a weight, each at most 128,
// add up within 32 bits.
[[nodiscard]] inline float code_limit(size_t k) {
  return static_cast<float>(std::min<size_t>(INT32_MAX / (size_t{128} * k), 8191));
}

// Turns blocks of a row into codes, kByteBlock numbers at a time.
template <class V>
class RowEncoder {
 public:
  explicit RowEncoder(float inverse) : inverse_(V::splat(inverse)), total_(V::splat_i32(0)) {}

  void block(const float* from, int16_t* to) {
    for (size_t i = 0; i < kByteBlock; i += V::kLanes) {
      const auto number = code(from + i);
      total_ = V::add_i32(total_, number);
      V::store_halves(to + i, number);
    }
  }
  [[nodiscard]] float sum() const { return static_cast<float>(V::reduce_add_i32(total_)); }

 private:
  [[nodiscard]] typename V::I32 code(const float* from) const {
    // Added to a number below 2^22, it leaves the nearest whole number in the lowest bits.
    const auto magic = V::splat(0x1.8p23F);
    const auto steps = V::mul(V::load(from), inverse_);
    return V::sub_i32(V::as_ints(V::add(steps, magic)), V::as_ints(magic));
  }

  typename V::F32 inverse_;
  typename V::I32 total_;
};

// One row of k > 0 numbers; codes past them are 0. The scale is NaN where a number is not finite.
template <class V>
void encode_row(const float* from, size_t k, int16_t* codes, RowUnit* unit) {
  auto largest = V::zero();
  auto bad = V::zero();  // NaN once there was infinity or NaN
  const auto see = [&](typename V::F32 v) {
    largest = V::max(largest, V::abs(v));
    bad = V::add(bad, V::mul(v, V::zero()));
  };
  const size_t in_vectors = k / V::kLanes * V::kLanes;
  for (size_t i = 0; i < in_vectors; i += V::kLanes) see(V::load(from + i));
  for (size_t i = in_vectors; i < k; ++i) see(V::splat(from[i]));
  const float step = V::reduce_max(largest) / code_limit(k);
  // A scale that would vanish leaves codes of 0.
  RowEncoder<V> encoder(step < std::numeric_limits<float>::min() ? 0.0F : 1.0F / step);
  const size_t whole = k / kByteBlock * kByteBlock;
  for (size_t i = 0; i < whole; i += kByteBlock) encoder.block(from + i, codes + i);
  if (whole < k) {
    float rest[kByteBlock] = {};
    std::copy(from + whole, from + k, rest);
    encoder.block(rest, codes + whole);
  }
  *unit = {step + V::reduce_add(bad), encoder.sum()};
}

// k numbers in each row, `x_stride` apart.
template <class V>
[[gnu::noinline]] void encode_rows(const float* x, size_t x_stride, size_t k, const CodedRows& to) {
  for (size_t r = 0; r < to.rows; ++r) {
    encode_row<V>(x + r * x_stride, k, to.codes + r * to.stride, to.units + r);
  }
}

// Compiled for speed (gemm.cpp).
extern template void encode_rows<simd::Best>(const float*, size_t, size_t, const CodedRows&);

}  // namespace ambry::kernels
