// Activations quantized to 8-bit codes for 4-byte dot products (integer_microkernel.h). Each row
// has a scale and a first step: value = (first + code) * scale. Codes use 7 bits where this
// machine's products of 8-bit codes are not exact (relaxed_dot_probe.h).
//
// Most activations of a trained encoder are around 1, but a few of each row are some tens. Codes
// that reach those would leave too few steps for the others. So the codes of such a row span only
// kClipSpread times its root mean square, and what outliers have beyond that range is stored
// separately, as LLM.int8() does (Dettmers et al., 2022). By Chebyshev's inequality there are few
// of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "kernels/gemm/integer_microkernel.h"
#include "kernels/gemm/packed_int8_weights.h"
#include "kernels/gemm/relaxed_dot_probe.h"
#include "kernels/quantize/rounding.h"

namespace ambry::kernels {

inline constexpr int32_t kMax7BitCode = 127;
inline constexpr float kClipSpread = 8.0F;

// The largest code on this machine for rows of k values.
template <class V>
[[nodiscard]] int32_t max_activation_code(size_t k) {
  return k <= kMaxInt8Columns / 2 && probe_relaxed_dot<V>() != RelaxedDotOperand::SevenBits
             ? 255
             : kMax7BitCode;
}

// An outlier: the position of its weights in a panel, and the steps that its code lacks.
struct Outlier {
  PackedPosition position;
  int32_t steps;
};

// The clipping range of one row.
struct ClipRange {
  float scale;
  float inverse;  // 0 where all values are 0 or not all are finite
  float first;
  bool has_outliers;

  // The range of k values from `least` <= 0 to `greatest` >= 0 for codes up to `last`. `squares` is
  // their sum of squares, which is NaN where a value is NaN.
  static ClipRange of(float least, float greatest, float squares, size_t k, float last) {
    const float size = greatest / last - least / last;
    const float spread = kClipSpread * std::sqrt(squares / static_cast<float>(k)) / last;
    if (!(size <= std::numeric_limits<float>::max()) || std::isnan(squares)) {
      return {std::numeric_limits<float>::quiet_NaN(), 0.0F, 0.0F, false};
    }
    // The squares of tiny values underflow, those of huge ones overflow.
    const bool has_outliers = squares > 1e-30F && spread < size;
    const float scale = has_outliers ? spread : size;
    if (scale < std::numeric_limits<float>::min()) return {scale, 0.0F, 0.0F, false};
    const float inverse = 1.0F / scale;
    const float low = std::nearbyint(least * inverse);
    const float high = std::nearbyint(greatest * inverse);
    // Around 0, or shifted as far as there are values.
    const float first = std::min(std::max(low, -(last + 1.0F) / 2), high - last);
    return {scale, inverse, first, has_outliers};
  }
};

// Lives in memory of the caller.
class Int8Activations {
 public:
  static constexpr size_t kTileRows = 6;  // 12 of 16 registers for sums
  using Operands = Uint8ByInt8;

  // Floats of memory for rows of k values.
  [[nodiscard]] static constexpr uint64_t floats(uint64_t rows, size_t k) {
    return rows * (sizeof(RowParameters) + max_outliers(k) * sizeof(Outlier) + padded_k(k)) /
           sizeof(float);
  }
  // `memory` has floats(rows, k) of them.
  Int8Activations(float* memory, size_t rows, size_t k)
      : parameters_(reinterpret_cast<RowParameters*>(memory)),
        outliers_(reinterpret_cast<Outlier*>(parameters_ + rows)),
        codes_(reinterpret_cast<uint8_t*>(outliers_ + rows * max_outliers(k))),
        rows_(rows),
        k_(k) {}

  // x has k values in each row, contiguous. `last` is kMax7BitCode or max_activation_code().
  template <class V>
  [[gnu::noinline]] void quantize(const float* x, int32_t last);
  template <class V>
  void quantize(const float* x) {
    quantize<V>(x, max_activation_code<V>(k_));
  }

  [[nodiscard]] size_t rows() const { return rows_; }
  [[nodiscard]] size_t row_bytes() const { return padded_k(k_); }

  [[nodiscard]] const uint8_t* codes(size_t row) const { return codes_ + row * row_bytes(); }

  // The products read packed int8 panels as they are.
  template <class V>
  [[nodiscard]] const int8_t* prepare_panel(const int8_t* panel) const {
    return panel;
  }
  // sums[r][0..8) = rows [row, row + rows) times the panel as floats. Starts from the products of
  // the codes, to which it adds the outliers.
  template <class V>
  void dequantize(size_t row, size_t rows, const int8_t* panel,
                  const PanelQuantization& quantization, int32_t* products, float* sums) const;

 private:
  // What dequantize() needs of a row.
  struct RowParameters {
    float scale;
    float sum;  // of all steps
    int32_t first;
    uint32_t n_outliers;
  };

  // At most one value in 16 lies beyond half the range, which is four times the root mean square.
  // Rounding may add a few.
  static constexpr size_t max_outliers(size_t k) { return k / 15 + 1; }
  static_assert(kClipSpread == 8.0F);

  template <class V>
  void quantize_row(const float* from, size_t r, int32_t last, bool signed_codes);
  template <class V>
  void add_outliers(size_t r, const int8_t* panel, int32_t* products) const;
  void store_outliers(const float* from, const ClipRange& range, size_t r, int32_t last);

  RowParameters* parameters_;
  Outlier* outliers_;
  uint8_t* codes_;
  size_t rows_;
  size_t k_;
};

template <class V>
[[nodiscard]] ClipRange clip_range_of_row(const float* from, size_t k, int32_t last) {
  auto least = V::zero();
  auto greatest = V::zero();
  auto squares = V::zero();
  const auto see = [&](typename V::F32 v) {
    least = V::min(least, v);
    greatest = V::max(greatest, v);
    squares = V::madd(v, v, squares);
  };
  const size_t whole = k / V::kLanes * V::kLanes;
  for (size_t i = 0; i < whole; i += V::kLanes) see(V::load(from + i));
  if (whole < k) see(V::load_partial(from + whole, k - whole));
  return ClipRange::of(V::reduce_min(least), V::reduce_max(greatest), V::reduce_add(squares), k,
                       static_cast<float>(last));
}

// Quantizes a row block by block, kInt8Block values at a time.
template <class V>
class RowQuantizer {
 public:
  // `signed_codes`: the products read the codes' bytes as signed, so 128 is taken off.
  RowQuantizer(const ClipRange& range, int32_t last, bool signed_codes)
      : flip_(V::splat_i32(signed_codes ? 0x8080 : 0)),
        inverse_(V::splat(range.inverse)),
        first_(V::splat(range.first)),
        last_(V::splat(range.first + static_cast<float>(last))),
        first_step_(V::splat_i32(static_cast<int32_t>(range.first))),
        total_(V::splat_i32(0)) {}

  // Writes two bytes of each lane, in the order of packed_int8_weights.h.
  void block(const float* from, uint8_t* to) {
    constexpr size_t kHalf = kInt8Block / 2;
    for (size_t i = 0; i < kHalf; i += V::kLanes) {
      const auto lower = code(from + i);
      const auto upper = code(from + kHalf + i);
      const auto both = V::xor_i32(V::or_i32(lower, V::shift_left(upper, 8)), flip_);
      V::store_i16(reinterpret_cast<int16_t*>(to) + i, V::sign_extend_i16(both));
    }
  }
  // Of the steps inside the range.
  [[nodiscard]] float sum() const { return static_cast<float>(V::reduce_add_i32(total_)); }

 private:
  [[nodiscard]] typename V::I32 code(const float* from) {
    const auto steps = V::mul(V::load(from), inverse_);
    const auto kept = round_to_i32<V>(V::min(V::max(steps, first_), last_));
    total_ = V::add_i32(total_, kept);
    return V::sub_i32(kept, first_step_);
  }

  typename V::I32 flip_;
  typename V::F32 inverse_;
  typename V::F32 first_;
  typename V::F32 last_;
  typename V::I32 first_step_;
  typename V::I32 total_;
};

template <class V>
void Int8Activations::quantize_row(const float* from, size_t r, int32_t last, bool signed_codes) {
  const ClipRange range = clip_range_of_row<V>(from, k_, last);
  uint8_t* codes = codes_ + r * row_bytes();
  RowQuantizer<V> encoder(range, last, signed_codes);
  for (size_t i = 0; i < k_; i += kInt8Block) {
    float rest[kInt8Block] = {};
    const bool whole = k_ - i >= kInt8Block;
    if (!whole) std::copy(from + i, from + k_, rest);
    encoder.block(whole ? from + i : rest, codes + i);
  }
  parameters_[r] = {range.scale, encoder.sum(), static_cast<int32_t>(range.first), 0};
  if (range.has_outliers) store_outliers(from, range, r, last);
  if (signed_codes) parameters_[r].first += 128;
}

template <class V>
void Int8Activations::quantize(const float* x, int32_t last) {
  const bool signed_codes =
      last > kMax7BitCode && probe_relaxed_dot<V>() == RelaxedDotOperand::Signed;
  for (size_t r = 0; r < rows_; ++r) quantize_row<V>(x + r * k_, r, last, signed_codes);
}

// Adds the outliers of row r to its sums of products.
template <class V>
[[gnu::noinline]] void Int8Activations::add_outliers(size_t r, const int8_t* panel,
                                                     int32_t* products) const {
  const Outlier* outlier = outliers_ + r * max_outliers(k_);
  for (const Outlier* end = outlier + parameters_[r].n_outliers; outlier < end; ++outlier) {
    for (size_t c = 0; c < kPanelColumns; c += V::kLanes) {
      const auto lane = V::load_i8x4(panel + outlier->position.lane_offset + 4 * c);
      const auto weight = V::shift_right(V::shift_left(lane, outlier->position.shift), 24);
      const auto beyond = V::mul_i32(weight, V::splat_i32(outlier->steps));
      V::store_i32(products + c, V::add_i32(V::load_i32(products + c), beyond));
    }
  }
}

template <class V>
void Int8Activations::dequantize(size_t row, size_t rows, const int8_t* panel,
                                 const PanelQuantization& quantization, int32_t* products,
                                 float* sums) const {
  const RowParameters* parameters = parameters_ + row;
  for (size_t r = 0; r < rows; ++r) {
    if (parameters[r].n_outliers > 0) add_outliers<V>(row + r, panel, products + r * kPanelColumns);
  }
  for (size_t c = 0; c < kPanelColumns; c += V::kLanes) {
    const auto column_sums = V::load_i32(quantization.code_sums + c);
    const auto dequantized = quantization.dequantizer<V>(c);
    for (size_t r = 0; r < rows; ++r) {
      const size_t at = r * kPanelColumns + c;
      const auto first = V::mul_i32(column_sums, V::splat_i32(parameters[r].first));
      const auto steps = V::add_i32(V::load_i32(products + at), first);
      V::store(sums + at, dequantized(steps, parameters[r].scale, parameters[r].sum));
    }
  }
}

}  // namespace ambry::kernels
