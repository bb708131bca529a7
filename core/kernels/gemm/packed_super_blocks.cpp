#include "kernels/gemm/packed_super_blocks.h"

#include <algorithm>
#include <cassert>
#include <span>
#include <utility>

#include "base/checked.h"
#include "base/half.h"
#include "kernels/gemm/k_quant_blocks.h"
#include "kernels/gemm/super_block_gemm.h"

namespace ambry::kernels {
namespace {

using tensor::DType;

const SuperBlockLayout* layout_of(DType dtype) {
  const auto* const found = std::ranges::find(kSuperBlockLayouts, dtype, &SuperBlockLayout::dtype);
  return found == kSuperBlockLayouts.end() ? nullptr : found;
}

// One row's part of a super-block: lane `row` of each of its words.
template <class Byte>
class PackedRow {
 public:
  PackedRow(const SuperBlockLayout& layout, Byte* block, size_t row)
      : layout_(layout), block_(block), row_(row) {}

  [[nodiscard]] Byte* half(size_t i) const {
    return block_ + (i * kPanelColumns + row_) * sizeof(uint16_t);
  }
  [[nodiscard]] uint32_t number(size_t i) const {
    if (layout_.scale_bits == 8) return get(number_word(i / 4), i % 4 * 8, 255);
    const uint32_t low = get(number_word(i / 8), low_shift(i), 15);
    if (layout_.scale_bits == 4) return low;
    return low | get(high_word(), high_shift(i), 3) << 4U;
  }
  void put_number(size_t i, uint32_t number) const {
    if (layout_.scale_bits == 8) return put(number_word(i / 4), i % 4 * 8, number & 255U);
    put(number_word(i / 8), low_shift(i), number & 15U);
    if (layout_.scale_bits == 6) put(high_word(), high_shift(i), number >> 4U & 3U);
  }
  // The codes of columns 8 * (i / 2) + 2 * (i % 2) and, in this order, 4, 1 and 5 columns further.
  [[nodiscard]] uint32_t four(size_t i) const {
    const uint32_t low = get(code_word(i, layout_.low_bits, 0), code_shift(i, layout_.low_bits),
                             fields(layout_.low_bits));
    if (layout_.high_bits == 0) return low;
    const uint32_t high = get(code_word(i, layout_.high_bits, layout_.low_bits),
                              code_shift(i, layout_.high_bits), fields(layout_.high_bits));
    return low | high << layout_.low_bits;
  }
  void put_four(size_t i, uint32_t codes) const {
    put(code_word(i, layout_.low_bits, 0), code_shift(i, layout_.low_bits),
        codes & fields(layout_.low_bits));
    if (layout_.high_bits == 0) return;
    put(code_word(i, layout_.high_bits, layout_.low_bits), code_shift(i, layout_.high_bits),
        codes >> layout_.low_bits & fields(layout_.high_bits));
  }

 private:
  // The lowest bits of each byte.
  static uint32_t fields(uint32_t bits) { return ((1U << bits) - 1) * 0x01010101U; }
  static uint32_t get(const uint8_t* word, size_t shift, uint32_t mask) {
    return load_le<uint32_t>(word) >> shift & mask;
  }
  static void put(uint8_t* word, size_t shift, uint32_t bits) {
    store_le<uint32_t>(word, load_le<uint32_t>(word) | bits << shift);
  }
  static size_t low_shift(size_t i) { return i % 4 * 8 + i % 8 / 4 * 4; }
  static size_t code_shift(size_t i, uint32_t bits) { return i % (8 / bits) * bits; }

  [[nodiscard]] Byte* number_word(size_t i) const {
    return block_ + layout_.numbers_at() + (i * kPanelColumns + row_) * sizeof(uint32_t);
  }
  // With eight numbers, rows r and r + 4 share a word.
  [[nodiscard]] bool shares() const { return layout_.numbers() == 8; }
  [[nodiscard]] Byte* high_word() const {
    return number_word(layout_.numbers() / 8) - (shares() ? row_ / 4 * 16 : 0);
  }
  [[nodiscard]] size_t high_shift(size_t i) const {
    return i % 4 * 8 + i / 4 * 2 + (shares() ? row_ / 4 * 4 : 0);
  }
  [[nodiscard]] Byte* code_word(size_t four, uint32_t bits, size_t first_word) const {
    const size_t word = first_word + four % 8 / (8 / bits);
    const size_t unit = four / 8 * layout_.unit_words();
    return block_ + layout_.codes_at() + (unit + word * kPanelColumns + row_) * sizeof(uint32_t);
  }

  const SuperBlockLayout& layout_;
  Byte* block_;
  size_t row_;
};

constexpr size_t kFourColumns[] = {0, 4, 1, 5};
size_t first_column(size_t four) { return four / 2 * 8 + four % 2 * 2; }

// Expects zeros.
void put_block(const SuperBlockLayout& layout, const KQuantBlock& from,
               const PackedRow<uint8_t>& to) {
  store_le<uint16_t>(to.half(0), from.d);
  if (layout.minima) store_le<uint16_t>(to.half(1), from.dmin);
  const size_t n = layout.sub_blocks();
  for (size_t g = 0; g < n; ++g) {
    to.put_number(g, static_cast<uint8_t>(from.scales[g]));
    if (layout.minima) to.put_number(n + g, from.minima[g]);
  }
  for (size_t four = 0; four < kSuperBlock / 4; ++four) {
    const uint8_t* codes = from.codes.data() + first_column(four);
    to.put_four(four, uint32_t{codes[0]} | uint32_t{codes[4]} << 8U | uint32_t{codes[1]} << 16U |
                          uint32_t{codes[5]} << 24U);
  }
}

int sign_extended(uint32_t number, uint32_t bits) {
  return static_cast<int32_t>(number << (32 - bits)) >> (32 - bits);
}

// The order of ggml's reference: (d * scale) * code - dmin * minimum.
void read_block(const SuperBlockLayout& layout, const PackedRow<const uint8_t>& from, float* to) {
  const float d = f16_to_f32(load_le<uint16_t>(from.half(0)));
  const float dmin = layout.minima ? f16_to_f32(load_le<uint16_t>(from.half(1))) : 0;
  for (size_t four = 0; four < kSuperBlock / 4; ++four) {
    const uint32_t codes = from.four(four);
    for (size_t i = 0; i < 4; ++i) {
      const size_t column = first_column(four) + kFourColumns[i];
      const size_t g = column / layout.sub_block;
      const uint32_t code = codes >> 8 * i & 255U;
      const int value = layout.table ? kInt4Table[code] : static_cast<int>(code) - layout.offset;
      const uint32_t number = from.number(g);
      const int scale =
          layout.minima ? static_cast<int>(number) : sign_extended(number, layout.scale_bits);
      to[column] = d * static_cast<float>(scale) * static_cast<float>(value);
      if (layout.minima) {
        to[column] -= dmin * static_cast<float>(from.number(layout.sub_blocks() + g));
      }
    }
  }
}

}  // namespace

bool PackedSuperBlocks::supports(DType dtype, uint64_t cols) {
  return layout_of(dtype) != nullptr && cols % kSuperBlock == 0;
}

uint64_t PackedSuperBlocks::bytes_of(DType dtype, uint64_t rows, uint64_t cols) {
  const uint64_t panels = (rows + kPanelColumns - 1) / kPanelColumns;
  return panels * (cols / kSuperBlock) * layout_of(dtype)->bytes();
}

Result<PackedSuperBlocks> PackedSuperBlocks::pack(DType dtype, uint64_t rows, uint64_t cols,
                                                  Bytes payload, bool int14) {
  assert(supports(dtype, cols));
  const uint64_t block_bytes = tensor::block_of(dtype).bytes;
  const uint64_t factors[] = {rows, cols / kSuperBlock, block_bytes};
  const auto expected = checked_product(factors);
  if (!expected || *expected != payload.size()) {
    return make_error(ErrorCode::Mismatch, "data",
                      {payload.size(), " bytes of ", tensor::dtype_name(dtype), " for ", rows,
                       " rows of ", cols, " values"});
  }
  PackedSuperBlocks packed;
  packed.layout_ = layout_of(dtype);
  packed.rows_ = static_cast<size_t>(rows);
  packed.n_blocks_ = static_cast<size_t>(cols) / kSuperBlock;
  packed.int14_ = int14;
  AMBRY_TRY(packed.panels_, AlignedBuffer::allocate(bytes_of(dtype, rows, cols)));
  std::ranges::fill(packed.panels_.bytes(), uint8_t{0});
  KQuantBlock block;
  const uint8_t* from = payload.data();
  for (size_t r = 0; r < packed.rows_; ++r) {
    const size_t first = r / kPanelColumns * packed.n_blocks_;
    for (size_t b = 0; b < packed.n_blocks_; ++b, from += block_bytes) {
      read_k_quant_block(*packed.layout_, from, block);
      uint8_t* to = packed.panels_.data() + (first + b) * packed.layout_->bytes();
      put_block(*packed.layout_, block, PackedRow(*packed.layout_, to, r % kPanelColumns));
    }
  }
  return packed;
}

void PackedSuperBlocks::row(size_t r, float* to) const {
  for (size_t b = 0; b < n_blocks_; ++b) {
    const PackedRow from(*layout_, block(r / kPanelColumns, b), r % kPanelColumns);
    read_block(*layout_, from, to + b * kSuperBlock);
  }
}

size_t PackedSuperBlocks::scratch_floats(size_t n) const {
  const size_t cols = n_blocks_ * kSuperBlock;
  const size_t sub_blocks = n_blocks_ * layout_->sub_blocks();
  const size_t of_rows = n * (n_blocks_ + sub_blocks + cols / 2);
  // Pairs, the larger form, and the integers of the super-block that they are made of.
  const size_t of_panel =
      cols * kPanelColumns / 2 + (kSuperBlock / 4 + layout_->sub_blocks()) * kPanelColumns;
  return of_rows + n_blocks_ * kBlockHalves + sub_blocks / 4 * kPanelColumns + of_panel;
}

PackedSuperBlocks::Scratch PackedSuperBlocks::divide(std::span<float> scratch, size_t n) const {
  const size_t cols = n_blocks_ * kSuperBlock;
  const size_t sub_blocks = n_blocks_ * layout_->sub_blocks();
  float* next = scratch.data();
  const auto take = [&](size_t floats) { return std::exchange(next, next + floats); };
  Scratch parts{};
  parts.scales = take(n * n_blocks_);
  parts.sums = reinterpret_cast<int32_t*>(take(n * sub_blocks));
  parts.codes = reinterpret_cast<int16_t*>(take(n * cols / 2));
  parts.panel.halves = take(n_blocks_ * kBlockHalves);
  auto* const minima = reinterpret_cast<int32_t*>(take(sub_blocks / 4 * kPanelColumns));
  float* const panel = next;
  parts.panel.integers = {reinterpret_cast<uint8_t*>(take(cols * kPanelColumns / 4)),
                          reinterpret_cast<int32_t*>(next), minima};
  next = panel;
  parts.panel.pairs = reinterpret_cast<int16_t*>(take(cols * kPanelColumns / 2));
  parts.block = {reinterpret_cast<uint8_t*>(take(kSuperBlock * kPanelColumns / 4)),
                 reinterpret_cast<int32_t*>(next), minima};
  return parts;
}

// Makes of the sums of codes what products need of them.
SuperBlockRows PackedSuperBlocks::finished_rows(size_t n, int32_t offset, size_t code_bytes,
                                                const Scratch& scratch) const {
  const size_t n_sums = n * n_blocks_ * layout_->sub_blocks();
  if (layout_->minima) {
    for (size_t i = 0; i < n_sums; i += 4) put_digits(scratch.sums + i);
  } else {
    // Sums may be anything where x is not finite; the scale is NaN then.
    for (int32_t& sum : std::span(scratch.sums, n_sums)) {
      sum = static_cast<int32_t>(0U - static_cast<uint32_t>(offset) * static_cast<uint32_t>(sum));
    }
  }
  return {scratch.codes, n_blocks_ * kSuperBlock * code_bytes, scratch.scales, scratch.sums};
}

void PackedSuperBlocks::multiply_each_row(const SuperBlockRows& x, size_t n,
                                          SuperBlockRowKernel* kernel, const void* table,
                                          const PanelRange& panels, float* y) const {
  const auto* codes = static_cast<const uint8_t*>(x.codes);
  float sums[kPanelColumns];
  for (size_t panel = panels.begin; panel < panels.end; ++panel) {
    for (size_t r = 0; r < n; ++r) {
      const size_t first = r * n_blocks_;
      const SuperBlockRows row{codes + r * x.row_bytes, x.row_bytes, x.scales + first,
                               x.sums + first * layout_->sub_blocks()};
      kernel(block(panel, 0), n_blocks_, row, table, sums);
      store_panel_row(sums, panel, rows_, y + r * rows_);
    }
  }
}

}  // namespace ambry::kernels
