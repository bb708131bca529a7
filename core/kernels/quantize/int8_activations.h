// Rows of floats as codes for products of four bytes (integer_microkernel.h), with a scale and a
// first step for each row: number = (first + code) * scale. Codes have 8 bits where the machine's
// products of such bytes are exact (relaxed_dot_probe.h), else 7.
//
// A trained encoder's rows have a few numbers of some tens among those around 1. Steps that reach
// all of them would leave too few to the others: the codes of such a row span only kWindowSpread
// times its root mean square, and the steps that a number has beyond them are kept apart, as
// LLM.int8() does (Dettmers et al., 2022). By Chebyshev's inequality these numbers are few.
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

inline constexpr int32_t kSafeCode = 127;
inline constexpr float kWindowSpread = 8.0F;

// The largest code of rows of k numbers on this machine.
template <class V>
[[nodiscard]] int32_t largest_code(size_t k) {
  return k <= kMaxByteColumns / 2 && high_bytes<V>() != HighBytes::Unusable ? 255 : kSafeCode;
}

// Where a number meets the weights of a panel, and the steps that its code lacks.
struct Outlier {
  BytePlace place;
  int32_t steps;
};

// The window of one row.
struct Window {
  float scale;
  float inverse;  // 0 where there is nothing to see: all are 0, or not all are finite
  float first;
  bool has_outliers;

  // For k numbers from `least` <= 0 to `greatest` >= 0 and codes up to `last`. `squares`, the sum
  // of theirs, is NaN where one of them is.
  static Window of(float least, float greatest, float squares, size_t k, float last) {
    const float size = greatest / last - least / last;
    const float spread = kWindowSpread * std::sqrt(squares / static_cast<float>(k)) / last;
    if (!(size <= std::numeric_limits<float>::max()) || std::isnan(squares)) {
      return {std::numeric_limits<float>::quiet_NaN(), 0.0F, 0.0F, false};
    }
    // Squares of tiny numbers vanish, those of huge ones are infinite.
    const bool has_outliers = squares > 1e-30F && spread < size;
    const float scale = has_outliers ? spread : size;
    if (scale < std::numeric_limits<float>::min()) return {scale, 0.0F, 0.0F, false};
    const float inverse = 1.0F / scale;
    const float low = std::nearbyint(least * inverse);
    const float high = std::nearbyint(greatest * inverse);
    // Around 0, or as far up or down as there are numbers.
    const float first = std::min(std::max(low, -(last + 1.0F) / 2), high - last);
    return {scale, inverse, first, has_outliers};
  }
};

// Rows as codes, in memory of the caller.
class WindowRows {
 public:
  static constexpr size_t kTileRows = 6;  // 12 of 16 registers for sums
  using Form = CodeQuads;

  // Floats of memory for rows of k numbers.
  [[nodiscard]] static constexpr uint64_t floats(uint64_t rows, size_t k) {
    return rows * (sizeof(Unit) + most_outliers(k) * sizeof(Outlier) + byte_stride(k)) /
           sizeof(float);
  }
  // `memory` has floats(rows, k) of them.
  WindowRows(float* memory, size_t rows, size_t k)
      : units_(reinterpret_cast<Unit*>(memory)),
        outliers_(reinterpret_cast<Outlier*>(units_ + rows)),
        codes_(reinterpret_cast<uint8_t*>(outliers_ + rows * most_outliers(k))),
        rows_(rows),
        k_(k) {}

  // x has k numbers in each row, adjacent; codes up to kSafeCode or largest_code().
  template <class V>
  [[gnu::noinline]] void encode(const float* x, int32_t last);
  template <class V>
  void encode(const float* x) {
    encode<V>(x, largest_code<V>(k_));
  }

  [[nodiscard]] size_t rows() const { return rows_; }
  [[nodiscard]] size_t row_bytes() const { return byte_stride(k_); }

  [[nodiscard]] const uint8_t* codes(size_t row) const { return codes_ + row * row_bytes(); }

  // The panel as the products want it.
  template <class V>
  [[nodiscard]] const int8_t* ready(const int8_t* panel) const {
    return panel;
  }
  // sums[r][0..8) = rows [row, row + rows) times the panel in floats, from the products of their
  // codes, which become those of their steps.
  template <class V>
  void finish(size_t row, size_t rows, const int8_t* panel, const ByteColumns& columns,
              int32_t* products, float* sums) const;

 private:
  // What a finished row of products needs.
  struct Unit {
    float scale;
    float sum;  // of all steps
    int32_t first;
    uint32_t n_outliers;
  };

  // At most one in 16 lies beyond half the window, which is four root mean squares; that is
  // rounded.
  static constexpr size_t most_outliers(size_t k) { return k / 15 + 1; }
  static_assert(kWindowSpread == 8.0F);

  template <class V>
  void encode_row(const float* from, size_t r, int32_t last, bool turned);
  template <class V>
  void add_outliers(size_t r, const int8_t* panel, int32_t* products) const;
  void keep_outliers(const float* from, const Window& window, size_t r, int32_t last);

  Unit* units_;
  Outlier* outliers_;
  uint8_t* codes_;
  size_t rows_;
  size_t k_;
};

template <class V>
[[nodiscard]] Window window_of_row(const float* from, size_t k, int32_t last) {
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
  return Window::of(V::reduce_min(least), V::reduce_max(greatest), V::reduce_add(squares), k,
                    static_cast<float>(last));
}

// Turns blocks of a row into codes, kByteBlock numbers at a time.
template <class V>
class WindowEncoder {
 public:
  // `turned`: the products take the codes' bytes as signed, 128 less than they are.
  WindowEncoder(const Window& window, int32_t last, bool turned)
      : flip_(V::splat_i32(turned ? 0x8080 : 0)),
        inverse_(V::splat(window.inverse)),
        first_(V::splat(window.first)),
        last_(V::splat(window.first + static_cast<float>(last))),
        first_step_(V::splat_i32(static_cast<int32_t>(window.first))),
        total_(V::splat_i32(0)) {}

  // Two bytes of each lane: the order of packed_int8_weights.h.
  void block(const float* from, uint8_t* to) {
    constexpr size_t kHalf = kByteBlock / 2;
    for (size_t i = 0; i < kHalf; i += V::kLanes) {
      const auto lower = code(from + i);
      const auto upper = code(from + kHalf + i);
      const auto both = V::xor_i32(V::or_i32(lower, V::shift_left(upper, 8)), flip_);
      V::store_halves(reinterpret_cast<int16_t*>(to) + i, V::low_half(both));
    }
  }
  // Of the steps within the window.
  [[nodiscard]] float sum() const { return static_cast<float>(V::reduce_add_i32(total_)); }

 private:
  [[nodiscard]] typename V::I32 code(const float* from) {
    const auto steps = V::mul(V::load(from), inverse_);
    const auto kept = nearest_i32<V>(V::min(V::max(steps, first_), last_));
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
void WindowRows::encode_row(const float* from, size_t r, int32_t last, bool turned) {
  const Window window = window_of_row<V>(from, k_, last);
  uint8_t* codes = codes_ + r * row_bytes();
  WindowEncoder<V> encoder(window, last, turned);
  for (size_t i = 0; i < k_; i += kByteBlock) {
    float rest[kByteBlock] = {};
    const bool whole = k_ - i >= kByteBlock;
    if (!whole) std::copy(from + i, from + k_, rest);
    encoder.block(whole ? from + i : rest, codes + i);
  }
  units_[r] = {window.scale, encoder.sum(), static_cast<int32_t>(window.first), 0};
  if (window.has_outliers) keep_outliers(from, window, r, last);
  if (turned) units_[r].first += 128;
}

template <class V>
void WindowRows::encode(const float* x, int32_t last) {
  const bool turned = last > kSafeCode && high_bytes<V>() == HighBytes::Signed;
  for (size_t r = 0; r < rows_; ++r) encode_row<V>(x + r * k_, r, last, turned);
}

// Adds what the codes of row r lack to its sums of products.
template <class V>
[[gnu::noinline]] void WindowRows::add_outliers(size_t r, const int8_t* panel,
                                                int32_t* products) const {
  const Outlier* outlier = outliers_ + r * most_outliers(k_);
  for (const Outlier* end = outlier + units_[r].n_outliers; outlier < end; ++outlier) {
    for (size_t c = 0; c < kPanelColumns; c += V::kLanes) {
      const auto lane = V::load_quads(panel + outlier->place.lane + 4 * c);
      const auto weight = V::shift_right(V::shift_left(lane, outlier->place.shift), 24);
      const auto beyond = V::mul_i32(weight, V::splat_i32(outlier->steps));
      V::store_ints(products + c, V::add_i32(V::load_ints(products + c), beyond));
    }
  }
}

template <class V>
void WindowRows::finish(size_t row, size_t rows, const int8_t* panel, const ByteColumns& columns,
                        int32_t* products, float* sums) const {
  const Unit* units = units_ + row;
  for (size_t r = 0; r < rows; ++r) {
    if (units[r].n_outliers > 0) add_outliers<V>(row + r, panel, products + r * kPanelColumns);
  }
  for (size_t c = 0; c < kPanelColumns; c += V::kLanes) {
    const auto column_sums = V::load_ints(columns.sums + c);
    const auto to_numbers = columns.numbers<V>(c);
    for (size_t r = 0; r < rows; ++r) {
      const size_t at = r * kPanelColumns + c;
      const auto first = V::mul_i32(column_sums, V::splat_i32(units[r].first));
      const auto steps = V::add_i32(V::load_ints(products + at), first);
      V::store(sums + at, to_numbers(steps, units[r].scale, units[r].sum));
    }
  }
}

}  // namespace ambry::kernels
