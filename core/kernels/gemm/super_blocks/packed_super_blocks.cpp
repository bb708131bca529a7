#include "kernels/gemm/super_blocks/packed_super_blocks.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <span>
#include <utility>

#include "base/checked.h"
#include "base/half.h"
#include "kernels/gemm/super_blocks/super_block_gemm.h"
#include "tensor/codec/blocks/grid_blocks.h"
#include "tensor/codec/blocks/k_quant_blocks.h"
#include "tensor/codec/codes/int4_table.h"

namespace ambry::kernels {
namespace {

using tensor::DType;
using tensor::KQuantBlock;

const SuperBlockLayout* layout_of(DType dtype) {
  if (tensor::grid_numbers(dtype) != nullptr) return &kSuperBlockLayouts.back();
  const auto* const found = std::ranges::find(kSuperBlockLayouts, dtype, &SuperBlockLayout::dtype);
  return found == kSuperBlockLayouts.end() ? nullptr : found;
}

// Where the codes of a type's group lie.
class GroupPieces {
 public:
  explicit GroupPieces(const SuperBlockLayout& layout)
      : fours_(layout.group_fours()), words_(layout.group_words()) {
    for (uint32_t four = 0; four < fours_; ++four) {
      pieces_[four] = pieces_of(layout.code_bits, four);
      while (counts_[four] < 3 && pieces_[four][counts_[four]].bits > 0) ++counts_[four];
    }
  }
  [[nodiscard]] std::span<const CodePiece> of(size_t four) const {
    const size_t i = four & (fours_ - 1);  // a power of two
    return std::span(pieces_[i]).first(counts_[i]);
  }
  // The first word of the group of a super-block's four.
  [[nodiscard]] size_t first_word(size_t four) const {
    return (four >> std::countr_zero(fours_)) * words_;
  }

 private:
  uint32_t fours_;
  uint32_t words_;
  std::array<std::array<CodePiece, 3>, 8> pieces_{};
  std::array<size_t, 8> counts_{};
};

// One row's part of a super-block: lane `row` of each of its words.
template <class Byte>
class PackedRow {
 public:
  PackedRow(const SuperBlockLayout& layout, const GroupPieces& pieces, Byte* block, size_t row)
      : layout_(layout), pieces_(pieces), block_(block), row_(row) {}

  // d, and dmin.
  [[nodiscard]] Byte* factor(size_t i) const {
    return block_ + (i * kPanelColumns + row_) * sizeof(float);
  }
  [[nodiscard]] uint32_t scale(size_t g) const {
    return get(word(layout_.scales_at(), scale_word(g)), scale_shift(g), number_mask());
  }
  void put_scale(size_t g, uint32_t scale) const {
    put(word(layout_.scales_at(), scale_word(g)), scale_shift(g), scale & number_mask());
  }
  [[nodiscard]] uint32_t minimum(size_t g) const {
    return get(word(layout_.minima_at(), scale_word(g)), minimum_shift(g), number_mask());
  }
  void put_minimum(size_t g, uint32_t minimum) const {
    put(word(layout_.minima_at(), scale_word(g)), minimum_shift(g), minimum);
  }
  // The codes of columns 8 * (i / 2) + 2 * (i % 2) and, in this order, 4, 1 and 5 columns further.
  [[nodiscard]] uint32_t four(size_t i) const {
    uint32_t codes = 0;
    for (const CodePiece& piece : pieces_.of(i)) {
      codes |= get(code_word(i, piece), piece.from, fields(piece.bits)) << piece.to;
    }
    return codes;
  }
  void put_four(size_t i, uint32_t codes) const {
    for (const CodePiece& piece : pieces_.of(i)) {
      put(code_word(i, piece), piece.from, codes >> piece.to & fields(piece.bits));
    }
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

  [[nodiscard]] Byte* word(size_t first, size_t i) const {
    return block_ + first + (i * kPanelColumns + row_) * sizeof(uint32_t);
  }
  [[nodiscard]] uint32_t number_mask() const { return (1U << layout_.scale_bits) - 1; }
  [[nodiscard]] size_t scale_word(size_t g) const { return g * layout_.scale_bits / 32; }
  [[nodiscard]] size_t scale_shift(size_t g) const {
    return layout_.scale_bits == 8 ? 24 - g % 4 * 8 : g % 8 * 4;
  }
  [[nodiscard]] size_t minimum_shift(size_t g) const {
    return g % 4 * 8 + (layout_.scale_bits == 8 ? 0 : g % 8 / 4 * 4);
  }
  [[nodiscard]] Byte* code_word(size_t four, const CodePiece& piece) const {
    return word(layout_.codes_at(), pieces_.first_word(four) + piece.word);
  }

  const SuperBlockLayout& layout_;
  const GroupPieces& pieces_;
  Byte* block_;
  size_t row_;
};

constexpr size_t kFourColumns[] = {0, 4, 1, 5};
size_t first_column(size_t four) { return four / 2 * 8 + four % 2 * 2; }

// Expects zeros. `unit` is a power of two that multiplies d.
void put_block(const SuperBlockLayout& layout, const KQuantBlock& from, float unit,
               const PackedRow<uint8_t>& to) {
  store_le<float>(to.factor(0), f16_to_f32(from.d) * unit);
  if (layout.minima) store_le<float>(to.factor(1), f16_to_f32(from.dmin));
  for (size_t g = 0; g < layout.sub_blocks(); ++g) {
    to.put_scale(g, static_cast<uint8_t>(from.scales[g]));
    if (layout.minima) to.put_minimum(g, from.minima[g]);
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
void read_block(const SuperBlockLayout& layout, const int8_t* table,
                const PackedRow<const uint8_t>& from, float* to) {
  const float d = load_le<float>(from.factor(0));
  const float dmin = layout.minima ? load_le<float>(from.factor(1)) : 0;
  for (size_t four = 0; four < kSuperBlock / 4; ++four) {
    const uint32_t codes = from.four(four);
    for (size_t i = 0; i < 4; ++i) {
      const size_t column = first_column(four) + kFourColumns[i];
      const size_t g = column / layout.sub_block;
      const uint32_t code = codes >> 8 * i & 255U;
      const int value = layout.table > 0 ? table[code] : static_cast<int>(code) - layout.offset;
      const uint32_t number = from.scale(g);
      const int scale =
          layout.minima ? static_cast<int>(number) : sign_extended(number, layout.scale_bits);
      to[column] = d * static_cast<float>(scale) * static_cast<float>(value);
      if (layout.minima) to[column] -= dmin * static_cast<float>(from.minimum(g));
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
  const tensor::GridNumbers* const grid = tensor::grid_numbers(dtype);
  packed.table_ = (grid != nullptr ? grid->numbers : tensor::kInt4Table).data();
  const GroupPieces pieces(*packed.layout_);
  KQuantBlock block;
  const uint8_t* from = payload.data();
  for (size_t r = 0; r < packed.rows_; ++r) {
    const size_t first = r / kPanelColumns * packed.n_blocks_;
    for (size_t b = 0; b < packed.n_blocks_; ++b, from += block_bytes) {
      if (grid != nullptr) {
        read_grid_block(dtype, from, block);
      } else {
        read_k_quant_block(dtype, from, block);
      }
      uint8_t* to = packed.panels_.data() + (first + b) * packed.layout_->bytes();
      put_block(*packed.layout_, block, grid != nullptr ? grid->unit : 1,
                PackedRow(*packed.layout_, pieces, to, r % kPanelColumns));
    }
  }
  return packed;
}

void PackedSuperBlocks::row(size_t r, float* to) const {
  const GroupPieces pieces(*layout_);
  for (size_t b = 0; b < n_blocks_; ++b) {
    const PackedRow from(*layout_, pieces, block(r / kPanelColumns, b), r % kPanelColumns);
    read_block(*layout_, table_, from, to + b * kSuperBlock);
  }
}

size_t PackedSuperBlocks::scratch_floats(size_t n) const {
  const size_t cols = n_blocks_ * kSuperBlock;
  const size_t sub_blocks = n_blocks_ * layout_->sub_blocks();
  const size_t of_rows = n * (n_blocks_ + sub_blocks + cols / 2);
  // Pairs, the larger form, and the integers of the super-block that they are made of.
  const size_t of_panel =
      cols * kPanelColumns / 2 + (kSuperBlock / 4 + layout_->sub_blocks()) * kPanelColumns;
  return of_rows + n_blocks_ * kBlockFactors + sub_blocks / 4 * kPanelColumns + of_panel;
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
  parts.panel.factors = take(n_blocks_ * kBlockFactors);
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
  return {scratch.codes, n_blocks_ * kSuperBlock * code_bytes, scratch.scales, scratch.sums, {}};
}

void PackedSuperBlocks::multiply_each_row(const SuperBlockRows& x, size_t n,
                                          SuperBlockRowKernel* kernel, const void* table,
                                          const PanelRange& panels, float* y) const {
  const auto* codes = static_cast<const uint8_t*>(x.codes);
  float sums[kPanelColumns];
  for (size_t panel = panels.begin; panel < panels.end; ++panel) {
    PanelsAhead ahead(block(0, 0), n_blocks_ * layout_->bytes(), panel, panels);
    for (size_t r = 0; r < n; ++r, ahead = {}) {
      const size_t first = r * n_blocks_;
      const SuperBlockRows row{codes + r * x.row_bytes, x.row_bytes, x.scales + first,
                               x.sums + first * layout_->sub_blocks(), ahead};
      kernel(block(panel, 0), n_blocks_, row, table, sums);
      store_panel_row(sums, panel, rows_, y + r * rows_);
    }
  }
}

}  // namespace ambry::kernels
