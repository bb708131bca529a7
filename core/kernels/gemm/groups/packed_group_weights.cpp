#include "kernels/gemm/groups/packed_group_weights.h"

#include <cassert>
#include <vector>

namespace ambry::kernels {
namespace {

using tensor::DType;

constexpr size_t kMinGroup = 32;
constexpr size_t kUsualGroup = 64;

// 0 where the type has no integer form. Panels hold codes of 4, 5 and 8 bits, with one scale each.
uint32_t integer_bits(DType dtype) {
  const tensor::Arrangement arrangement = tensor::arrangement_of(dtype);
  if (arrangement == tensor::Arrangement::None || arrangement == tensor::Arrangement::Masked) {
    return 0;
  }
  const uint32_t bits = tensor::code_bits(tensor::code_type(dtype));
  return bits == 4 || bits == 5 || bits == 8 ? bits : 0;
}

// The byte, and the bit in it, at which column i of row r of a group has its lowest 4 bits.
struct Nibble {
  size_t byte;
  uint32_t bit;
};

Nibble nibble(uint32_t bits, size_t r, size_t i) {
  const size_t eight = i / 32 * bits + i % 32 / 8;
  const size_t word = 2 * r + i % 2;
  const size_t byte = (eight * 2 * kPanelColumns + word) * 2 + i % 8 / 4;
  return {byte, static_cast<uint32_t>(i % 4 / 2 * 4)};
}

// The byte and bit of its fifth bit.
Nibble fifth_bit(size_t r, size_t i) {
  const size_t word = (i / 32 * 5 + 4) * 2 * kPanelColumns + 2 * r + i % 2;
  const size_t bit = i % 8 / 2 * 4 + i % 32 / 8;
  return {word * 2 + bit / 8, static_cast<uint32_t>(bit % 8)};
}

// The byte of an 8-bit code.
size_t code_place(size_t r, size_t i) {
  const size_t four = i / 8 * 2 + i % 4 / 2;
  return (four * kPanelColumns + r) * 4 + i % 2 * 2 + i % 8 / 4;
}

}  // namespace

// The group size divides the block, so that a group has one scale. Groups smaller than kMinGroup
// would take more room for scales than for codes.
size_t PackedGroupWeights::group_size(DType dtype, uint64_t block, uint64_t cols) {
  const uint32_t bits = integer_bits(dtype);
  if (bits == 0) return 0;
  if (block == 0 || block >= cols) {
    for (size_t size = kUsualGroup; size > kMinGroup; size /= 2) {
      if (cols % size == 0) return size;
    }
    return kMinGroup;
  }
  // Columns that are packed together.
  const size_t step = bits == 5 ? 32 : 8;
  for (size_t size = bits == 5 ? kMaxGroupOf5 : kMaxGroup; size >= kMinGroup; size -= step) {
    if (block % size == 0) return size;
  }
  return 0;
}

uint64_t PackedGroupWeights::bytes_of(DType dtype, const tensor::Quantization& how, uint64_t rows,
                                      uint64_t cols) {
  const uint64_t size = group_size(dtype, how.block_size, cols);
  const uint64_t panels = (rows + kPanelColumns - 1) / kPanelColumns;
  const uint64_t numbers = how.minima ? 2 : 1;
  return panels * ((cols + size - 1) / size) *
         (numbers * kPanelColumns * sizeof(float) + size * integer_bits(dtype));
}

Result<PackedGroupWeights> PackedGroupWeights::pack(const tensor::StoredValues& stored, DType dtype,
                                                    const tensor::Quantization& how, size_t rows,
                                                    size_t cols, bool int14) {
  PackedGroupWeights panels;
  panels.rows_ = rows;
  panels.cols_ = cols;
  panels.group_ = group_size(dtype, how.block_size, cols);
  assert(panels.group_ != 0);
  panels.n_groups_ = (cols + panels.group_ - 1) / panels.group_;
  panels.bits_ = integer_bits(dtype);
  panels.int14_ = int14;
  const uint64_t n_minima = uint64_t{n_panels(rows)} * panels.n_groups_ * kPanelColumns;
  const uint64_t minima_bytes = how.minima ? n_minima * sizeof(float) : 0;
  AMBRY_TRY(panels.minima_, AlignedBuffer::allocate(minima_bytes));
  AMBRY_TRY(panels.panels_,
            AlignedBuffer::allocate(bytes_of(dtype, how, rows, cols) - minima_bytes));
  std::ranges::fill(panels.minima_.bytes(), uint8_t{0});
  std::ranges::fill(panels.panels_.bytes(), uint8_t{0});
  std::vector<float> codes(panels.n_groups_ * panels.group_);
  for (size_t r = 0; r < rows; ++r) panels.put_row(stored, r, codes);
  return panels;
}

// Expects zeros in `codes`.
void PackedGroupWeights::put_code(uint8_t* codes, size_t r, size_t i, int code) const {
  if (bits_ == 8) {
    codes[code_place(r, i)] = static_cast<uint8_t>(code);
    return;
  }
  const auto put = [&](const Nibble& at, uint32_t value) {
    codes[at.byte] = static_cast<uint8_t>(codes[at.byte] | value << at.bit);
  };
  const auto excess = static_cast<uint32_t>(code + (1 << (bits_ - 1)));
  put(nibble(bits_, r, i), excess & 15U);
  if (bits_ == 5) put(fifth_bit(r, i), excess >> 4);
}

int PackedGroupWeights::code(const uint8_t* codes, size_t r, size_t i) const {
  if (bits_ == 8) return static_cast<int8_t>(codes[code_place(r, i)]);
  const auto get = [&](const Nibble& at, int mask) { return codes[at.byte] >> at.bit & mask; };
  const int low = get(nibble(bits_, r, i), 15);
  return bits_ == 4 ? low - 8 : low + 16 * get(fifth_bit(r, i), 1) - 16;
}

// Writes into a panel of zeros. `codes` has room for a padded row; the padding is 0.
void PackedGroupWeights::put_row(const tensor::StoredValues& stored, size_t r,
                                 std::span<float> codes) {
  stored.read_codes(r, 0, codes.first(cols_));
  const size_t in_panel = r % kPanelColumns;
  for (size_t g = 0; g < n_groups_; ++g) {
    uint8_t* to = panels_.data() + at(r / kPanelColumns, g);
    const tensor::BlockScale scale = stored.scale_at(r, g * group_);
    reinterpret_cast<float*>(to)[in_panel] = scale.scale;
    if (minima_.size() > 0) {
      const float excess = scale.excess * scale.scale;
      minima_.as<float>()[minima_at(r / kPanelColumns, g) + in_panel] = scale.minimum + excess;
    }
    to += kPanelColumns * sizeof(float);
    for (size_t i = 0; i < group_; ++i) {
      put_code(to, in_panel, i, static_cast<int>(codes[g * group_ + i]));
    }
  }
}

void PackedGroupWeights::row(size_t r, float* to) const {
  const size_t in_panel = r % kPanelColumns;
  for (size_t k = 0; k < cols_; ++k) {
    const size_t panel = r / kPanelColumns;
    const Group from = group(panel, k / group_);
    const float product =
        static_cast<float>(code(from.codes, in_panel, k % group_)) * from.scales[in_panel];
    to[k] = product;
    if (minima_.size() > 0) to[k] += minima_.as<float>()[minima_at(panel, k / group_) + in_panel];
  }
}

size_t PackedGroupWeights::scratch_floats(size_t n) const {
  const size_t padded = n_groups_ * group_;
  const size_t x_sums = minima_.size() > 0 ? n * n_groups_ : 0;
  return n * (2 * n_groups_ + padded / 2) + n_groups_ * kPanelColumns + padded * kPanelColumns / 2 +
         x_sums;
}

}  // namespace ambry::kernels
