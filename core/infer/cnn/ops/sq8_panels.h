// A few panels of SQ8's patches and the weights that multiply them. The reference adds up (q -
// zq)(w - zw) (core/formats/tinyruntime/README.md#sq8-layer); both classes compute that sum modulo
// 2^32.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/aligned_buffer.h"
#include "infer/cnn/ops/conv.h"
#include "infer/cnn/ops/im2col.h"
#include "kernels/gemm/layout/integer_microkernel.h"

namespace ambry::infer {

// Memory for the panels of a layer's patches.
template <class Operands>
class PanelBlock {
 public:
  using Number = typename Operands::Column;

  explicit PanelBlock(const ConvCall& call)
      : lanes_((static_cast<size_t>(call.layer.row()) + Operands::kPerLane - 1) /
               Operands::kPerLane),
        count_(panels_at_once(size() * sizeof(Number), static_cast<size_t>(call.out.plane()))) {}

  [[nodiscard]] Result<void> reserve() {
    AMBRY_TRY(memory_, AlignedBuffer::allocate(uint64_t{size()} * count_ * sizeof(Number)));
    return {};
  }
  [[nodiscard]] size_t lanes() const { return lanes_; }
  [[nodiscard]] size_t row() const { return lanes_ * Operands::kPerLane; }  // in values
  [[nodiscard]] size_t size() const { return row() * kernels::kPanelColumns; }
  [[nodiscard]] size_t count() const { return count_; }
  [[nodiscard]] Number* operator[](size_t panel) {
    return memory_.template as<Number>().data() + panel * size();
  }

 private:
  size_t lanes_;
  size_t count_;
  AlignedBuffer memory_;
};

// int16 pairs, with the zero points subtracted from both sides.
template <class V>
class Int16Panels {
 public:
  [[nodiscard]] static Result<Int16Panels> create(const ConvCall& call) {
    const Bytes in = call.in.bytes();
    const int32_t zero_point = call.in.quantization().zero_point;
    const auto value_of = [&](size_t i) { return static_cast<int16_t>(in[i] - zero_point); };
    AMBRY_TRY(auto patches, Im2col<int16_t>::create(call, 0, value_of));
    Int16Panels panels(call, std::move(patches));
    AMBRY_RETURN_IF_ERROR(panels.block_.reserve());
    return panels;
  }

  [[nodiscard]] size_t count() const { return block_.count(); }
  // Fills panel `panel` with the patches of the outputs from `first` on.
  void gather(size_t panel, size_t first) {
    patches_.seek(first);
    patches_.template gather_i16x2<V>(block_[panel]);
  }
  void multiply(size_t row, size_t rows, size_t panel, int32_t* sums) {
    const int16_t* weights = call_->weights.weight.template as<int16_t>().data();
    kernels::multiply_integer_rows<V, kernels::Int16Pairs>(
        rows, weights + row * block_.row(), block_.row(), block_[panel], block_.lanes(), sums);
  }
  // What has to be added to the sums of a row.
  [[nodiscard]] int32_t correction(size_t /*row*/) const { return 0; }

 private:
  Int16Panels(const ConvCall& call, Im2col<int16_t> patches)
      : call_(&call), patches_(std::move(patches)), block_(call) {}

  const ConvCall* call_;
  Im2col<int16_t> patches_;
  PanelBlock<kernels::Int16Pairs> block_;
};

// Bytes as they are, padding included: Σ (q - zq) w = Σ q w - zq Σ w. The weights have no zero
// point. Panels with 8-bit codes are multiplied in two parts. Networks seldom have any, because the
// exporter spreads activations over 0 … 127 (core/formats/tinyruntime/README.md#activation-ranges).
template <class V>
class Int8Panels {
 public:
  [[nodiscard]] static Result<Int8Panels> create(const ConvCall& call) {
    const Bytes in = call.in.bytes();
    const auto outside = static_cast<uint8_t>(call.in.quantization().zero_point);
    AMBRY_TRY(auto patches,
              Im2col<uint8_t>::create(call, outside, [&](size_t i) { return in[i]; }));
    Int8Panels panels(call, std::move(patches));
    AMBRY_RETURN_IF_ERROR(panels.codes_.reserve());
    AMBRY_RETURN_IF_ERROR(panels.high_bits_.reserve());
    return panels;
  }

  [[nodiscard]] size_t count() const { return codes_.count(); }
  void gather(size_t panel, size_t first) {
    patches_.seek(first);
    patches_.template gather_i8x4<V>(codes_[panel]);
    has_high_bits_[panel] =
        kernels::split_eighth_bits(codes_[panel], codes_.size(), high_bits_[panel]);
  }
  void multiply(size_t row, size_t rows, size_t panel, int32_t* sums) {
    multiply(row, rows, codes_[panel], sums);
    if (!has_high_bits_[panel]) return;
    int32_t more[kernels::kIntegerTileRows * kernels::kPanelColumns];
    multiply(row, rows, high_bits_[panel], more);
    for (size_t i = 0; i < rows * kernels::kPanelColumns; ++i) {
      sums[i] = wrapped(static_cast<uint32_t>(sums[i]) + 128 * static_cast<uint32_t>(more[i]));
    }
  }
  [[nodiscard]] int32_t correction(size_t row) const {
    const auto zero_point = static_cast<uint32_t>(call_->in.quantization().zero_point);
    return wrapped(0 - zero_point * static_cast<uint32_t>(call_->weights.sums[row]));
  }

 private:
  Int8Panels(const ConvCall& call, Im2col<uint8_t> patches)
      : call_(&call),
        patches_(std::move(patches)),
        codes_(call),
        high_bits_(call),
        has_high_bits_(codes_.count()) {}

  static int32_t wrapped(uint32_t sum) { return static_cast<int32_t>(sum); }
  void multiply(size_t row, size_t rows, const uint8_t* panel, int32_t* sums) const {
    const int8_t* weights = call_->weights.weight.template as<int8_t>().data();
    kernels::multiply_integer_rows<V, kernels::Int8ByUint8>(
        rows, weights + row * codes_.row(), codes_.row(), panel, codes_.lanes(), sums);
  }

  const ConvCall* call_;
  Im2col<uint8_t> patches_;
  PanelBlock<kernels::Int8ByUint8> codes_;
  PanelBlock<kernels::Int8ByUint8> high_bits_;
  std::vector<bool> has_high_bits_;  // indexed by panel
};

}  // namespace ambry::infer
