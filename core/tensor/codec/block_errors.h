// What each precision of ADAPTIVE would make of a tensor's blocks, while its elements go by in
// chunks of any size.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "tensor/codec/codes/codec_layout.h"

namespace ambry::tensor {

// From the smallest on.
inline constexpr auto kPrecisions = [] {
  auto codes = dtypes_where<&DTypeRow::in_mask>();
  std::ranges::sort(codes, {}, code_bits);
  return codes;
}();

struct BlockErrors {
  // For each of kPrecisions: the sum of squared errors; infinite where a number does not fit.
  std::array<double, kPrecisions.size()> squared{};
  bool scales_fit_half = true;  // those of all precisions
};

// `weights` says how much the square of each element's error counts; empty: all the same. Errors
// are those against scales as F16 stores them, where it can.
[[nodiscard]] BlockErrors block_errors(std::span<const float> values,
                                       std::span<const float> weights);

// How much the square of an error counts: the sum of the weights of its column and of its row,
// times `unit`.
struct ErrorWeights {
  std::span<const float> columns;  // one weight a column, or empty
  std::span<const float> rows;     // the same; rows beyond the last weight count nothing
  double unit = 1;

  // Without weights, all errors count the same.
  [[nodiscard]] bool empty() const { return columns.empty() && rows.empty(); }
};

class BlockErrorStream {
 public:
  // What the weights view must outlive the stream.
  BlockErrorStream(const PayloadLayout& layout, const ErrorWeights& weights)
      : block_(layout.block), cols_(layout.cols), weights_(weights) {}

  // Calls `use` with the BlockErrors of every block that the elements end, in order. They are
  // finite.
  template <class Use>
  void add(std::span<const float> values, Use use) {
    while (!values.empty()) {
      const uint64_t in_block = std::min(block_, cols_ - col_);
      const auto n =
          static_cast<size_t>(std::min<uint64_t>(values.size(), in_block - held_.size()));
      const bool whole = held_.size() + n == in_block;
      const std::span<const float> part = values.first(n);
      if (!held_.empty() || !whole) held_.insert(held_.end(), part.begin(), part.end());
      if (whole) use(end_block(held_.empty() ? part : std::span<const float>(held_)));
      values = values.subspan(n);
    }
  }

 private:
  BlockErrors end_block(std::span<const float> block);
  [[nodiscard]] std::span<const float> weights_of_block(size_t n);

  uint64_t block_;
  uint64_t cols_;
  ErrorWeights weights_;
  uint64_t col_ = 0;  // where the block starts
  uint64_t row_ = 0;
  std::vector<float> held_;      // the start of a block that a chunk's end cut
  std::vector<float> weighted_;  // the weights of one block
};

}  // namespace ambry::tensor
