// y = x Wᵀ with weights in super-blocks (packed_super_blocks.h). x is quantized by super-blocks
// first. A few rows of x are multiplied straight from the packed codes (super_block_row.h); for
// more, each panel is unpacked once (super_block_tile.h). Only the kernels that read packed codes
// exist once for each type.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "kernels/gemm/groups/group_gemm.h"
#include "kernels/gemm/super_blocks/packed_super_blocks.h"
#include "kernels/gemm/super_blocks/super_block_row.h"
#include "kernels/gemm/super_blocks/super_block_tile.h"

namespace ambry::kernels {

// The largest code of 14-bit activations.
inline constexpr size_t kMaxInt14Code = 8191;

// The kernels of a type: one row of x in 8 or in 14 bits, and the unpacking.
struct SuperBlockKernels {
  SuperBlockRowKernel* row;
  SuperBlockRowKernel* row_int14;
  void (*unpack)(const uint8_t*, const void*, const UnpackedSuperBlocks&, float*);
};

template <class V, SuperBlockLayout kLayout>
[[nodiscard]] constexpr SuperBlockKernels super_block_kernels() {
  if constexpr (V::kFastInt8Dot) {
    return {multiply_super_block_row<V, kLayout, ByteProducts<V, false>>,
            multiply_super_block_row<V, kLayout, ByteProducts<V, true>>,
            unpack_super_block<V, kLayout>};
  } else {
    return {multiply_super_block_row<V, kLayout, PairProducts<V, kLayout>>,
            multiply_super_block_row<V, kLayout, PairProducts<V, kLayout>>,
            unpack_super_block<V, kLayout>};
  }
}

// In the order of kSuperBlockLayouts.
template <class V>
inline constexpr auto kSuperBlockKernels = []<size_t... I>(std::index_sequence<I...>) {
  return std::array{super_block_kernels<V, kSuperBlockLayouts[I]>()...};
}(std::make_index_sequence<kSuperBlockLayouts.size()>());

template <class V>
[[nodiscard]] const SuperBlockKernels& PackedSuperBlocks::kernels() const {
  return kSuperBlockKernels<V>[static_cast<size_t>(layout_ - kSuperBlockLayouts.data())];
}

struct PackedSuperBlocks::Scratch {
  float* scales;
  int32_t* sums;
  int16_t* codes;
  UnpackedPanelOfBlocks panel;
  UnpackedSuperBlocks block;  // of one super-block, where the panel is pairs
};

// Sums of `n` sub-blocks of codes.
template <class V>
void sum_sub_blocks(const int16_t* codes, size_t n, size_t size, int32_t* sums) {
  for (size_t i = 0; i < n; ++i, codes += size) {
    auto total = V::splat_i32(0);
    for (size_t k = 0; k < size; k += V::kLanes) total = V::add_i32(total, V::load_i16(codes + k));
    sums[i] = V::reduce_add_i32(total);
  }
}

template <class V>
void PackedSuperBlocks::quantize(const float* x, size_t n, const Scratch& scratch) const {
  const size_t most = INT32_MAX / (kSuperBlock * layout_->largest_product());
  const float limit = int14_ ? static_cast<float>(std::min(most, kMaxInt14Code)) : kMaxInt8Code;
  // The sums of super-blocks give way to those of sub-blocks.
  quantize_rows<V>(x, n, n_blocks_ * kSuperBlock, n_blocks_, kSuperBlock, limit,
                   QuantizedRows{scratch.codes, scratch.scales, scratch.sums});
  sum_sub_blocks<V>(scratch.codes, n * n_blocks_ * layout_->sub_blocks(), layout_->sub_block,
                    scratch.sums);
}

// Multiplies rows [begin, end) of x, of at least six rows in all, in bytes. The last tile repeats
// rows of the one before it.
template <class V>
void PackedSuperBlocks::multiply_in_bytes(const SuperBlockRows& x, size_t begin, size_t end,
                                          const void* table, const PanelRange& panels,
                                          const Scratch& scratch, float* y) const {
  const SuperBlockShape shape{n_blocks_, layout_->sub_block, layout_->sub_blocks()};
  const auto multiply_tile =
      layout_->minima ? multiply_super_block_tile<V, true> : multiply_super_block_tile<V, false>;
  SuperBlockTile tile;
  for (size_t panel = panels.begin; panel < panels.end; ++panel) {
    unpack_bytes<V>(panel, table, scratch);
    for (size_t r = begin; r < end; r += kInt8TileRows) {
      const size_t first = std::min(r, end - kInt8TileRows);
      multiply_tile(x, first, shape, scratch.panel, tile);
      for (size_t i = 0; i < kInt8TileRows; ++i) {
        store_panel_row(tile.y + i * kPanelColumns, panel, rows_, y + (first + i) * rows_);
      }
    }
  }
}

// Multiplies rows [begin, end) of x in int16 pairs, any number of them.
template <class V>
void PackedSuperBlocks::multiply_in_pairs(const SuperBlockRows& x, size_t begin, size_t end,
                                          const PanelRange& panels, const Scratch& scratch,
                                          float* y) const {
  const SuperBlockShape shape{n_blocks_, layout_->sub_block, layout_->sub_blocks()};
  const auto tile =
      layout_->minima ? multiply_super_block_pairs<V, true> : multiply_super_block_pairs<V, false>;
  float sums[kIntegerTileRows * kPanelColumns];
  for (size_t panel = panels.begin; panel < panels.end; ++panel) {
    unpack_pairs<V>(panel, scratch);
    for (size_t r = begin; r < end; r += kIntegerTileRows) {
      const size_t n = std::min(kIntegerTileRows, end - r);
      tile(x, r, n, shape, scratch.panel, sums);
      for (size_t i = 0; i < n; ++i) {
        store_panel_row(sums + i * kPanelColumns, panel, rows_, y + (r + i) * rows_);
      }
    }
  }
}

template <class V>
void PackedSuperBlocks::unpack_bytes(size_t panel, const void* table,
                                     const Scratch& scratch) const {
  UnpackedSuperBlocks to = scratch.panel.integers;
  for (size_t b = 0; b < n_blocks_; ++b) {
    kernels<V>().unpack(block(panel, b), table, to, scratch.panel.factors + b * kBlockFactors);
    to.codes += kSuperBlock * kPanelColumns;
    to.scales += layout_->sub_blocks() * kPanelColumns;
    to.minima += layout_->sub_blocks() / 4 * kPanelColumns;
  }
}

template <class V>
void PackedSuperBlocks::unpack_pairs(size_t panel, const Scratch& scratch) const {
  UnpackedSuperBlocks one = scratch.block;
  int16_t* pairs = scratch.panel.pairs;
  for (size_t b = 0; b < n_blocks_; ++b, pairs += kSuperBlock * kPanelColumns) {
    kernels<V>().unpack(block(panel, b), table_, one, scratch.panel.factors + b * kBlockFactors);
    multiply_codes_by_scales<V>(one, *layout_, pairs);
    one.minima += layout_->sub_blocks() / 4 * kPanelColumns;
  }
}

// Returns whether it did: 14-bit codes of many rows are faster as pairs, and not every machine
// multiplies bytes of a table.
template <class V>
bool PackedSuperBlocks::try_multiply_bytes(size_t n, const PanelRange& panels,
                                           const Scratch& scratch, float* y) const {
  const bool few = n < kInt8TileRows;
  if (int14_ && !few) return false;
  std::array<uint8_t, 16> table;
  int32_t offset = layout_->offset;
  if (layout_->table > 0) {
    const auto reading = byte_conversion<V>(8);
    if (!reading) return false;
    offset = reading->offset;
    std::transform(table_, table_ + table.size(), table.begin(), [&](int8_t value) {
      return static_cast<uint8_t>(static_cast<uint8_t>(value) ^ (reading->flip & 0xFF));
    });
  }
  const size_t cols = n_blocks_ * kSuperBlock;
  narrow_to_int8<V>({scratch.codes, scratch.scales, scratch.sums}, n * cols, 0, 0, int14_);
  const SuperBlockRows rows = finished_rows(n, offset, int14_ ? 2 : 1, scratch);
  if (few) {
    const auto kernel = int14_ ? kernels<V>().row_int14 : kernels<V>().row;
    multiply_each_row(rows, n, kernel, table.data(), panels, y);
  } else {
    for_row_blocks(n, cols, [&](size_t begin, size_t end) {
      multiply_in_bytes<V>(rows, begin, end, table.data(), panels, scratch, y);
    });
  }
  return true;
}

template <class V>
void PackedSuperBlocks::multiply(const float* x, size_t n, float* y, std::span<float> scratch,
                                 const PanelRange& panels) const {
  const Scratch parts = divide(scratch, n);
  quantize<V>(x, n, parts);
  if constexpr (V::kFastInt8Dot) {
    if (try_multiply_bytes<V>(n, panels, parts, y)) return;
  }
  const SuperBlockRows rows = finished_rows(n, layout_->offset, sizeof(int16_t), parts);
  if constexpr (!V::kFastInt8Dot) {
    if (n < kIntegerTileRows) {
      return multiply_each_row(rows, n, kernels<V>().row, table_, panels, y);
    }
  }
  for_row_blocks(n, n_blocks_ * kSuperBlock * sizeof(int16_t), [&](size_t begin, size_t end) {
    multiply_in_pairs<V>(rows, begin, end, panels, parts, y);
  });
}

// Compiled for speed in super_block_gemm.cpp.
extern template void PackedSuperBlocks::multiply<simd::Best>(const float*, size_t, float*,
                                                             std::span<float>,
                                                             const PanelRange&) const;

}  // namespace ambry::kernels
