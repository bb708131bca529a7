// im2col: gathers the patches of the input that the outputs of a convolution see. Each output has a
// row of in · k² values, in the order of the weights. Patches are gathered for one panel of
// kPanelColumns outputs at a time, so the matrix of all patches never exists. The input is copied
// once, with padding. The columns of its rows are sorted by their remainder modulo the stride, so
// that the inputs of neighboring outputs are contiguous whatever the stride.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "infer/cnn/ops/conv.h"
#include "kernels/gemm/layout/packed_f32_matrix.h"

namespace ambry::infer {

template <class T>
class Im2col {
 public:
  // value_of(i) returns input value i; `outside` is the value of the padding.
  template <class ValueOf>
  [[nodiscard]] static Result<Im2col> create(const ConvCall& call, T outside,
                                             const ValueOf& value_of) {
    const model::CnnShape& in = call.in.shape();
    Im2col patches(call.layer, in, call.out);
    AMBRY_TRY(patches.padded_, AlignedBuffer::allocate(patches.plane_ * in.channels * sizeof(T)));
    const std::span<T> to = patches.padded_.template as<T>();
    std::fill(to.begin(), to.end(), outside);
    const auto padding = static_cast<size_t>(call.layer.padding);
    size_t from = 0;
    for (size_t c = 0; c < in.channels; ++c) {
      for (size_t y = 0; y < in.height; ++y) {
        T* row = &to[c * patches.plane_ + (y + padding) * patches.row_];
        for (size_t x = 0; x < in.width; ++x) row[patches.column(x + padding)] = value_of(from++);
      }
    }
    return patches;
  }

  // Moves to the outputs from `first` on. Columns past the last output repeat the first one.
  void seek(size_t first) {
    columns_ = std::min(kernels::kPanelColumns, outputs_ - first);
    for (size_t c = 0; c < kernels::kPanelColumns; ++c) {
      const size_t at = first + (c < columns_ ? c : 0);
      places_[c] = at / out_width_ * stride_ * row_ + at % out_width_;
    }
    contiguous_ = columns_ == kernels::kPanelColumns &&
                  first % out_width_ + kernels::kPanelColumns <= out_width_;
  }
  [[nodiscard]] size_t columns() const { return columns_; }

  // Gathers element after element of the patches, each for all columns.
  void gather(T* panel) const {
    for_each_element([&](const T* from) {
      if (contiguous_) {
        std::copy_n(from + places_[0], kernels::kPanelColumns, panel);
      } else {
        for (size_t c = 0; c < kernels::kPanelColumns; ++c) panel[c] = from[places_[c]];
      }
      panel += kernels::kPanelColumns;
    });
  }

  // Gathers the elements in int16 pairs (kernels/gemm/layout/integer_microkernel.h). An odd last
  // element is paired with 0.
  template <class V>
  void gather_i16x2(int16_t* panel) const {
    const T* first = nullptr;
    for_each_element([&](const T* from) {
      if (first == nullptr) {
        first = from;
        return;
      }
      put_i16x2<V>(first, from, panel);
      panel += 2 * kernels::kPanelColumns;
      first = nullptr;
    });
    if (first == nullptr) return;
    for (size_t c = 0; c < kernels::kPanelColumns; ++c) {
      panel[2 * c] = first[places_[c]];
      panel[2 * c + 1] = 0;
    }
  }

  // Gathers the elements in fours of bytes, padded with 0.
  template <class V>
  void gather_i8x4(uint8_t* panel) const {
    std::array<const T*, 4> quad{};
    size_t filled = 0;
    for_each_element([&](const T* from) {
      quad[filled++] = from;
      if (filled < quad.size()) return;
      put_i8x4<V>(quad, panel);
      panel += quad.size() * kernels::kPanelColumns;
      filled = 0;
    });
    if (filled == 0) return;
    for (size_t c = 0; c < kernels::kPanelColumns; ++c) {
      for (size_t i = 0; i < quad.size(); ++i) {
        panel[quad.size() * c + i] = i < filled ? quad[i][places_[c]] : uint8_t{0};
      }
    }
  }

 private:
  Im2col(const model::CnnLayer& layer, const model::CnnShape& in, const model::CnnShape& out)
      : channels_(in.channels),
        kernel_(static_cast<size_t>(layer.kernel)),
        stride_(static_cast<size_t>(layer.stride)),
        remainder_width_((padded_width(layer, in) + stride_ - 1) / stride_),
        row_(remainder_width_ == 1 ? padded_width(layer, in) : remainder_width_ * stride_),
        plane_(row_ * (in.height + 2 * static_cast<size_t>(layer.padding))),
        out_width_(out.width),
        outputs_(static_cast<size_t>(out.plane())) {}

  static size_t padded_width(const model::CnnLayer& layer, const model::CnnShape& in) {
    return in.width + 2 * static_cast<size_t>(layer.padding);
  }
  [[nodiscard]] size_t column(size_t x) const {
    return x % stride_ * remainder_width_ + x / stride_;
  }

  template <class V>
  void put_i16x2(const T* first, const T* second, int16_t* to) const {
    if (!contiguous_) {
      for (size_t c = 0; c < kernels::kPanelColumns; ++c) {
        to[2 * c] = first[places_[c]];
        to[2 * c + 1] = second[places_[c]];
      }
      return;
    }
    for (size_t c = 0; c < kernels::kPanelColumns; c += V::kLanes) {
      const auto a = V::load_i16(first + places_[0] + c);
      const auto b = V::load_i16(second + places_[0] + c);
      V::store_i16x2(to + 2 * c, V::pack_i16x2(a, b));
    }
  }

  template <class V>
  void put_i8x4(const std::array<const T*, 4>& quad, uint8_t* to) const {
    for (size_t c = 0; c < kernels::kPanelColumns; c += contiguous_ ? V::kLanes : 1) {
      if (contiguous_) {
        const auto from = [&](size_t i) { return quad[i] + places_[0] + c; };
        V::store_i8x4(to + quad.size() * c, V::interleave_i8x4(from(0), from(1), from(2), from(3)));
        continue;
      }
      for (size_t i = 0; i < quad.size(); ++i) to[quad.size() * c + i] = quad[i][places_[c]];
    }
  }

  template <class Visit>
  void for_each_element(const Visit& visit) const {
    const T* data = padded_.template as<T>().data();
    for (size_t c = 0; c < channels_; ++c) {
      for (size_t y = 0; y < kernel_; ++y) {
        for (size_t x = 0; x < kernel_; ++x) visit(data + c * plane_ + y * row_ + column(x));
      }
    }
  }

  size_t channels_;
  size_t kernel_;
  size_t stride_;
  size_t remainder_width_;  // columns of the padded input with the same remainder
  size_t row_;
  size_t plane_;
  size_t out_width_;
  size_t outputs_;
  AlignedBuffer padded_;
  // Offset of the first element of each patch of the panel.
  std::array<size_t, kernels::kPanelColumns> places_{};
  size_t columns_ = 0;
  bool contiguous_ = false;
};

// Panels of patches that fit the cache while the rows of weights go over them.
[[nodiscard]] inline size_t panels_at_once(size_t panel_bytes, size_t outputs) {
  constexpr size_t kCacheBytes = size_t{256} * 1024;
  const size_t fitting = std::max<size_t>(kCacheBytes / std::max<size_t>(panel_bytes, 1), 1);
  return std::min(fitting, kernels::n_panels(outputs));
}

}  // namespace ambry::infer
