// y = x Wᵀ with group-quantized weights (packed_group_weights.h). x is quantized by groups first.
// Where 4-byte dot products are fast both sides are bytes (group_panel_int8.h), elsewhere pairs of
// 16 bits (group_panel_int16.h). One row of x is multiplied straight from the packed codes; for
// several rows each panel is unpacked once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/gemm/groups/group_panel_int16.h"
#include "kernels/gemm/groups/group_panel_int8.h"
#include "kernels/gemm/groups/group_tile_int16.h"
#include "kernels/gemm/groups/packed_group_weights.h"
#include "kernels/gemm/layout/panels_ahead.h"
#include "kernels/gemm/tiles/gemm_tiles.h"
#include "kernels/quantize/quantize_rows.h"

namespace ambry::kernels {

// The largest code of 8-bit activations.
inline constexpr float kMaxInt8Code = 127.0F;

// So many rows by themselves take less than a tile of six.
inline constexpr size_t kFewInt8Rows = 2;

// Calls use(begin, end) for blocks of the n rows that fit the cache.
template <class Use>
void for_row_blocks(size_t n, size_t row_bytes, const Use& use) {
  const size_t block = std::max(kRowBlockBytes / row_bytes, 4 * kInt8TileRows);
  for (size_t begin = 0; begin < n; begin += block) use(begin, std::min(begin + block, n));
}

// Multiplies one row of x by a panel. group_sums(codes) returns the sums of the next group.
template <class V, class GroupSums>
[[gnu::always_inline]] inline void PackedGroupWeights::multiply_row(size_t panel,
                                                                    const float* x_scales,
                                                                    GroupSums group_sums,
                                                                    const PanelsAhead& ahead,
                                                                    float* to) const {
  typename V::F32 sums[kRowVectors<V>];
  unroll<kRowVectors<V>, kLoopOverVectors<V>>([&](auto v) { sums[v] = V::zero(); });
  // Addresses are carried along: a group can be as short as four iterations of the inner loop.
  const size_t step = group_bytes();
  const uint8_t* const first = panels_.data() + at(panel, 0);
  const uint8_t* weights = first;
  for (const float* end = x_scales + n_groups_; x_scales < end; ++x_scales, weights += step) {
    ahead.touch(static_cast<size_t>(weights - first), step);
    const auto* scales = reinterpret_cast<const float*>(weights);
    const RowSums<V> totals = group_sums(reinterpret_cast<const int32_t*>(scales + kPanelColumns));
    unroll<kRowVectors<V>, kLoopOverVectors<V>>([&](auto v) {
      sums[v] = add_scaled<V>(sums[v], totals[v], V::load(scales + v * V::kLanes), *x_scales);
    });
  }
  unroll<kRowVectors<V>, kLoopOverVectors<V>>(
      [&](auto v) { V::store(to + v * V::kLanes, sums[v]); });
}

// With fast int8 dot products only 8-bit codes get here.
template <class V>
void PackedGroupWeights::multiply_row_int16(size_t panel, const QuantizedRows& x, size_t r,
                                            const PanelsAhead& ahead, float* to) const {
  with_bits([&](auto bits) {
    const int16_t* codes = x.codes + r * n_groups_ * group_;
    const int32_t* sum_x = x.sums + r * n_groups_;
    const auto group_sums = [&, n = group_](const int32_t* weights) {
      const int16_t* from = codes;
      codes += n;
      const int32_t sum = *sum_x++;
      if constexpr (bits == 8 || V::kFastInt8Dot) {
        return multiply_8bit_codes<V>(weights, from, n);
      } else if constexpr (bits == 4) {
        return multiply_4bit_codes<V>(weights, from, n, sum);
      } else {
        return multiply_5bit_codes<V>(weights, from, n, sum);
      }
    };
    multiply_row<V>(panel, x.scales + r * n_groups_, group_sums, ahead, to);
  });
}

template <class V, uint32_t kBits, bool kInt14>
[[gnu::noinline]] void PackedGroupWeights::multiply_row_int8(size_t panel, const Int8Rows& x,
                                                             size_t r, int32_t flip,
                                                             const PanelsAhead& ahead,
                                                             float* to) const {
  const size_t step = kInt14 ? 2 * group_ : group_;
  const int8_t* codes = x.codes + r * n_groups_ * step;
  const int32_t* start = x.initial_sums + r * n_groups_;
  const auto group_sums = [&, n = group_](const int32_t* weights) {
    const int8_t* from = codes;
    codes += step;
    return multiply_int8_codes<V, kBits, kInt14>(weights, from, n, *start++, flip);
  };
  multiply_row<V>(panel, x.scales + r * n_groups_, group_sums, ahead, to);
}

template <class V>
void PackedGroupWeights::unpack_int16(size_t panel, const UnpackedPairs& to) const {
  int16_t* pairs = to.pairs;
  for (size_t g = 0; g < n_groups_; ++g, pairs += group_ * kPanelColumns) {
    const Group from = group(panel, g);
    std::copy_n(from.scales, kPanelColumns, to.scales + g * kPanelColumns);
    const auto* words = reinterpret_cast<const int32_t*>(from.codes);
    if (bits_ == 8) {
      for (size_t i = 0; i < group_; i += 8) {
        widen_int8_block<V>(words + 2 * i, pairs + i * kPanelColumns);
      }
      continue;
    }
    for (uint32_t i = 0; i < group_ / 8; ++i) {
      const int32_t* eight = words + (i / 4 * bits_ + i % 4) * kPanelColumns;
      const int32_t* fifth = bits_ == 4 ? nullptr : eight + (4 - i % 4) * kPanelColumns;
      widen_8_columns<V>(eight, fifth, i % 4, pairs + size_t{8} * i * kPanelColumns);
    }
  }
}

// Unpacks a panel to bytes, with the bits of `flip` flipped.
template <class V, uint32_t kBits>
[[gnu::noinline]] void PackedGroupWeights::unpack_int8(size_t panel, int32_t flip, uint8_t* bytes,
                                                       float* scales) const {
  for (size_t g = 0; g < n_groups_; ++g, bytes += group_ * kPanelColumns) {
    const Group from = group(panel, g);
    std::copy_n(from.scales, kPanelColumns, scales + g * kPanelColumns);
    const auto put = [&](auto v, size_t i, auto half, typename V::I32 four) {
      V::store_i8x4(bytes + (i + half) * kPanelColumns + 4 * v * V::kLanes, four);
    };
    for_each_byte_quad<V, kBits>(reinterpret_cast<const int32_t*>(from.codes), group_, flip, put);
  }
}

// Multiplies each of n rows by itself: multiply(panel, row, ahead, to).
template <class Multiply>
void PackedGroupWeights::multiply_each_row(size_t n, float* y, const PanelRange& panels,
                                           const Multiply& multiply) const {
  float sums[kPanelColumns];
  for (size_t panel = panels.begin; panel < panels.end; ++panel) {
    PanelsAhead ahead(panels_.data(), at(1, 0), panel, panels);
    for (size_t r = 0; r < n; ++r, ahead = {}) {
      multiply(panel, r, ahead, sums);
      store_results(panel, r, sums, y);
    }
  }
}

// Multiplies rows [begin, end) of x by unpacked panels.
template <class V>
void PackedGroupWeights::multiply_rows_int16(const QuantizedRows& x, size_t begin, size_t end,
                                             float* y, const PanelRange& panels,
                                             const UnpackedPairs& unpacked) const {
  const QuantizedGroups rows{x.codes, x.scales, nullptr, nullptr};
  const QuantizedGroups columns{unpacked.pairs, unpacked.scales, nullptr, nullptr};
  float sums[kIntegerTileRows * kPanelColumns];
  for (size_t panel = panels.begin; panel < panels.end; ++panel) {
    unpack_int16<V>(panel, unpacked);
    for (size_t r = begin; r < end; r += kIntegerTileRows) {
      const size_t n = std::min(kIntegerTileRows, end - r);
      multiply_groups<V>(GroupShape{n_groups_, group_ / 2}, rows, r, n, columns, sums);
      for (size_t i = 0; i < n; ++i) store_results(panel, r + i, sums + i * kPanelColumns, y);
    }
  }
}

// Multiplies rows [begin, end) of x in bytes, at least six of them. The last tile repeats rows of
// the one before it, unless a few rows are left.
template <class V, uint32_t kBits>
void PackedGroupWeights::multiply_rows_int8(const Int8Rows& x, size_t begin, size_t end,
                                            int32_t flip, float* y, const PanelRange& panels,
                                            const UnpackedPairs& unpacked) const {
  auto* const bytes = reinterpret_cast<uint8_t*>(unpacked.pairs);
  const UnpackedPanel columns{bytes, unpacked.scales};
  float sums[kInt8TileRows * kPanelColumns];
  for (size_t panel = panels.begin; panel < panels.end; ++panel) {
    unpack_int8<V, kBits>(panel, flip, bytes, unpacked.scales);
    for (size_t r = begin; r < end; r += kInt8TileRows) {
      if (end - r <= kFewInt8Rows) {
        for (; r < end; ++r) {
          multiply_row_int8<V, kBits, false>(panel, x, r, flip, {}, sums);
          store_results(panel, r, sums, y);
        }
        break;
      }
      const size_t first = std::min(r, end - kInt8TileRows);
      multiply_int8_tile<V>(x, first, n_groups_, group_, columns, sums);
      for (size_t i = 0; i < kInt8TileRows; ++i) {
        store_results(panel, first + i, sums + i * kPanelColumns, y);
      }
    }
  }
}

// Returns whether it did: 14-bit codes of many rows are faster as pairs.
template <class V>
bool PackedGroupWeights::try_multiply_int8(const QuantizedRows& x, size_t n, float* y,
                                           const PanelRange& panels,
                                           const UnpackedPairs& unpacked) const {
  const bool few = n < kInt8TileRows;
  const auto reading = byte_conversion<V>(bits_);
  if (!reading || (int14_ && !few)) return false;
  const size_t padded = n_groups_ * group_;
  const int32_t flip = reading->flip;
  const Int8Rows rows = narrow_to_int8<V>(x, n * padded, n * n_groups_, reading->offset, int14_);
  with_bits([&](auto bits) {
    if (few) {
      return multiply_each_row(
          n, y, panels, [&](size_t panel, size_t r, const PanelsAhead& ahead, float* to) {
            int14_ ? multiply_row_int8<V, bits, true>(panel, rows, r, flip, ahead, to)
                   : multiply_row_int8<V, bits, false>(panel, rows, r, flip, ahead, to);
          });
    }
    for_row_blocks(n, padded, [&](size_t begin, size_t end) {
      multiply_rows_int8<V, bits>(rows, begin, end, flip, y, panels, unpacked);
    });
  });
  return true;
}

template <class V>
void PackedGroupWeights::multiply(const float* x, size_t n, float* y, std::span<float> scratch,
                                  const PanelRange& panels) const {
  const size_t padded = n_groups_ * group_;
  float* scales = scratch.data();
  auto* sums = reinterpret_cast<int32_t*>(scales + n * n_groups_);
  auto* codes = reinterpret_cast<int16_t*>(sums + n * n_groups_);
  auto* panel_scales = reinterpret_cast<float*>(codes + n * padded);
  auto* pairs = reinterpret_cast<int16_t*>(panel_scales + n_groups_ * kPanelColumns);
  const UnpackedPairs unpacked{pairs, panel_scales};
  const QuantizedRows rows{codes, scales, sums};
  const float limit = int14_ ? max_int16_code(group_) : kMaxInt8Code;
  quantize_rows<V>(x, n, cols_, n_groups_, group_, limit, rows);
  if (minima_.size() == 0) return multiply_codes<V>(rows, n, y, panels, unpacked);
  auto* const x_sums = reinterpret_cast<float*>(pairs + padded * kPanelColumns);
  for (size_t i = 0; i < n * n_groups_; ++i) x_sums[i] = static_cast<float>(sums[i]) * scales[i];
  multiply_codes<V>(rows, n, y, panels, unpacked);
  add_minima<V>(x_sums, n, y, panels);
}

template <class V>
void PackedGroupWeights::multiply_codes(const QuantizedRows& rows, size_t n, float* y,
                                        const PanelRange& panels,
                                        const UnpackedPairs& unpacked) const {
  const size_t padded = n_groups_ * group_;
  if constexpr (V::kFastInt8Dot) {
    if (try_multiply_int8<V>(rows, n, y, panels, unpacked)) return;
  }
  if (n < kIntegerTileRows) {
    return multiply_each_row(n, y, panels,
                             [&](size_t panel, size_t r, const PanelsAhead& ahead, float* to) {
                               multiply_row_int16<V>(panel, rows, r, ahead, to);
                             });
  }
  for_row_blocks(n, padded * sizeof(int16_t), [&](size_t begin, size_t end) {
    multiply_rows_int16<V>(rows, begin, end, y, panels, unpacked);
  });
}

// Adds to each result Σ minimum · (Σ of the group's x), group after group. `x_sums` has the sums of
// x.
template <class V>
[[gnu::noinline]] void PackedGroupWeights::add_minima(const float* x_sums, size_t n, float* y,
                                                      const PanelRange& panels) const {
  for (size_t panel = panels.begin; panel < panels.end; ++panel) {
    const float* minima = minima_.as<float>().data() + minima_at(panel, 0);
    const size_t first = panel * kPanelColumns;
    const size_t filled = std::min(kPanelColumns, rows_ - first);
    for (size_t r = 0; r < n; ++r) {
      typename V::F32 sums[kRowVectors<V>];
      unroll<kRowVectors<V>, kLoopOverVectors<V>>([&](auto v) { sums[v] = V::zero(); });
      for (size_t g = 0; g < n_groups_; ++g) {
        const auto of_x = V::splat(x_sums[r * n_groups_ + g]);
        unroll<kRowVectors<V>, kLoopOverVectors<V>>([&](auto v) {
          const auto minimum = V::load(minima + g * kPanelColumns + v * V::kLanes);
          sums[v] = V::add(sums[v], V::mul(minimum, of_x));
        });
      }
      float total[kPanelColumns];
      unroll<kRowVectors<V>, kLoopOverVectors<V>>(
          [&](auto v) { V::store(total + v * V::kLanes, sums[v]); });
      for (size_t i = 0; i < filled; ++i) y[r * rows_ + first + i] += total[i];
    }
  }
}

}  // namespace ambry::kernels
