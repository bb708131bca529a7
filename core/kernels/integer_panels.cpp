#include "kernels/integer_panels.h"

#include <cassert>
#include <vector>

namespace ambry::kernels {
namespace {

using tensor::DType;

constexpr size_t kMinGroup = 32;
constexpr size_t kUsualGroup = 128;
constexpr size_t kEight = 8;  // columns that nibbles pack together

// 0 where the type has no integer form.
uint32_t integer_bits(DType dtype) {
  if (dtype == DType::Int8) return 8;
  return dtype == DType::Int4 || dtype == DType::Int4Block ? 4 : 0;
}

}  // namespace

// A divisor of the block, so that a group has one scale. Smaller groups than kMinGroup would take
// more room for scales than for codes.
size_t IntegerPanels::group_size(DType dtype, uint64_t block, uint64_t cols) {
  if (integer_bits(dtype) == 0) return 0;
  if (block == 0 || block >= cols) {
    for (size_t size = kUsualGroup; size > kMinGroup; size /= 2) {
      if (cols % size == 0) return size;
    }
    return kMinGroup;
  }
  for (size_t size = kMaxGroup; size >= kMinGroup; size -= kEight) {
    if (block % size == 0) return size;
  }
  return 0;
}

Result<IntegerPanels> IntegerPanels::pack(const tensor::StoredValues& stored, DType dtype,
                                          uint64_t block, size_t rows, size_t cols) {
  IntegerPanels panels;
  panels.rows_ = rows;
  panels.cols_ = cols;
  panels.group_ = group_size(dtype, block, cols);
  assert(panels.group_ != 0);
  panels.n_groups_ = (cols + panels.group_ - 1) / panels.group_;
  panels.bits_ = integer_bits(dtype);
  const uint64_t panel_bytes = uint64_t{panels.n_groups_} * panels.group_bytes();
  AMBRY_TRY(panels.panels_, AlignedBuffer::allocate(n_panels(rows) * panel_bytes));
  std::ranges::fill(panels.panels_.bytes(), uint8_t{0});
  std::vector<float> codes(panels.n_groups_ * panels.group_);
  for (size_t r = 0; r < rows; ++r) panels.put_row(stored, r, codes);
  return panels;
}

// Into a panel that holds zeros. `codes` are as many as a row has with its padding, which is 0.
void IntegerPanels::put_row(const tensor::StoredValues& stored, size_t r, std::span<float> codes) {
  stored.read_codes(r, 0, codes.first(cols_));
  const size_t in_panel = r % kPanelColumns;
  for (size_t g = 0; g < n_groups_; ++g) {
    uint8_t* to = panels_.data() + at(r / kPanelColumns, g);
    reinterpret_cast<float*>(to)[in_panel] = stored.scale_at(r, g * group_);
    to += kPanelColumns * sizeof(float);
    for (size_t i = 0; i < group_; ++i) {
      const auto code = static_cast<int>(codes[g * group_ + i]);
      if (bits_ == 8) {
        to[i / 2 * 2 * kPanelColumns + 2 * in_panel + i % 2] = static_cast<uint8_t>(code);
      } else {
        // Number 2r + i % 2 of the eight, its nibble i % 8 / 2.
        uint8_t* byte =
            to + i / kEight * 4 * kPanelColumns + 2 * (2 * in_panel + i % 2) + i % kEight / 4;
        *byte = static_cast<uint8_t>(*byte | (code + 8) << (i % 4 / 2 * 4));
      }
    }
  }
}

void IntegerPanels::row(size_t r, float* to) const {
  const size_t in_panel = r % kPanelColumns;
  for (size_t k = 0; k < cols_; ++k) {
    const Group from = group(r / kPanelColumns, k / group_);
    const size_t i = k % group_;
    int code = 0;
    if (bits_ == 8) {
      code = static_cast<int8_t>(from.codes[i / 2 * 2 * kPanelColumns + 2 * in_panel + i % 2]);
    } else {
      const size_t byte =
          i / kEight * 4 * kPanelColumns + 2 * (2 * in_panel + i % 2) + i % kEight / 4;
      code = (from.codes[byte] >> (i % 4 / 2 * 4) & 15) - 8;
    }
    to[k] = static_cast<float>(code) * from.scales[in_panel];
  }
}

size_t IntegerPanels::scratch_floats(size_t n) const {
  const size_t padded = n_groups_ * group_;
  return n * (2 * n_groups_ + padded / 2) + n_groups_ * kPanelColumns + padded * kPanelColumns / 2;
}

}  // namespace ambry::kernels
