// What the outputs of a conv see of its input: for every output a row of in · k² numbers, in the
// order of the weights. Made for a panel of kPanelColumns outputs at a time, so that the matrix of
// all patches never exists; the padding is copied around the input once instead.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "infer/cnn/map.h"
#include "kernels/packed_matrix.h"
#include "model/cnn_table.h"

namespace ambry::infer {

template <class T>
class Patches {
 public:
  // number_of(i) is number i of the input; the padding is T{}.
  template <class NumberOf>
  [[nodiscard]] static Result<Patches> create(const model::CnnLayer& layer,
                                              const model::CnnShape& in, const model::CnnShape& out,
                                              const NumberOf& number_of) {
    Patches patches(layer, in, out);
    AMBRY_TRY(patches.padded_, AlignedBuffer::allocate(patches.plane_ * in.channels * sizeof(T)));
    const std::span<T> to = patches.padded_.template as<T>();
    std::fill(to.begin(), to.end(), T{});
    const auto padding = static_cast<size_t>(layer.padding);
    size_t from = 0;
    for (size_t c = 0; c < in.channels; ++c) {
      for (size_t y = 0; y < in.height; ++y) {
        T* row = &to[c * patches.plane_ + (y + padding) * patches.width_ + padding];
        for (size_t x = 0; x < in.width; ++x) row[x] = number_of(from++);
      }
    }
    return patches;
  }

  // Goes to the outputs from `first` on; columns past the last output repeat the first.
  void seek(size_t first) {
    columns_ = std::min(kernels::kPanelColumns, outputs_ - first);
    for (size_t c = 0; c < kernels::kPanelColumns; ++c) {
      const size_t at = first + (c < columns_ ? c : 0);
      places_[c] = (at / out_width_ * width_ + at % out_width_) * stride_;
    }
    adjoining_ = places_.back() == places_[0] + kernels::kPanelColumns - 1 && stride_ == 1;
  }
  [[nodiscard]] size_t columns() const { return columns_; }

  // Number by number of the patches, those of all columns together.
  void gather(T* panel) const {
    for_each_number([&](const T* from) {
      if (adjoining_) {
        std::copy_n(from + places_[0], kernels::kPanelColumns, panel);
      } else {
        for (size_t c = 0; c < kernels::kPanelColumns; ++c) panel[c] = from[places_[c]];
      }
      panel += kernels::kPanelColumns;
    });
  }

  // The same with numbers in pairs (kernels/pair_products.h); the partner of an odd last one is
  // left as it was.
  void gather_pairs(T* panel) const {
    bool second = false;
    for_each_number([&](const T* from) {
      T* to = panel + (second ? 1 : 0);
      for (size_t c = 0; c < kernels::kPanelColumns; ++c) to[2 * c] = from[places_[c]];
      if (second) panel += 2 * kernels::kPanelColumns;
      second = !second;
    });
  }

 private:
  Patches(const model::CnnLayer& layer, const model::CnnShape& in, const model::CnnShape& out)
      : channels_(in.channels),
        kernel_(static_cast<size_t>(layer.kernel)),
        stride_(static_cast<size_t>(layer.stride)),
        width_(in.width + 2 * static_cast<size_t>(layer.padding)),
        plane_(width_ * (in.height + 2 * static_cast<size_t>(layer.padding))),
        out_width_(out.width),
        outputs_(static_cast<size_t>(out.plane())) {}

  template <class Visit>
  void for_each_number(const Visit& visit) const {
    const T* data = padded_.template as<T>().data();
    for (size_t c = 0; c < channels_; ++c) {
      for (size_t y = 0; y < kernel_; ++y) {
        for (size_t x = 0; x < kernel_; ++x) visit(data + c * plane_ + y * width_ + x);
      }
    }
  }

  size_t channels_;
  size_t kernel_;
  size_t stride_;
  size_t width_;  // of the padded input
  size_t plane_;
  size_t out_width_;
  size_t outputs_;
  AlignedBuffer padded_;
  // Of the panel: where the first number of each patch lies.
  std::array<size_t, kernels::kPanelColumns> places_{};
  size_t columns_ = 0;
  bool adjoining_ = false;
};

// Panels whose patches stay in the cache while the rows of weights pass.
[[nodiscard]] inline size_t panels_at_once(size_t panel_bytes, size_t outputs) {
  constexpr size_t kCacheBytes = size_t{256} * 1024;
  const size_t fitting = std::max<size_t>(kCacheBytes / std::max<size_t>(panel_bytes, 1), 1);
  return std::min(fitting, kernels::n_panels(outputs));
}

}  // namespace ambry::infer
