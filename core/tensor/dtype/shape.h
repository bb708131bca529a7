// The extents of a tensor, outermost first; row-major everywhere.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>

#include "base/checked.h"

namespace ambry::tensor {

class Shape {
 public:
  static constexpr size_t kMaxRank = 8;

  Shape() = default;
  Shape(std::initializer_list<uint64_t> extents) {
    for (const uint64_t extent : extents) push_back(extent);
  }

  void push_back(uint64_t extent) {
    assert(rank_ < kMaxRank);
    extents_[rank_++] = extent;
  }

  [[nodiscard]] size_t rank() const { return rank_; }
  [[nodiscard]] uint64_t operator[](size_t axis) const {
    assert(axis < rank_);
    return extents_[axis];
  }
  [[nodiscard]] std::span<const uint64_t> extents() const { return {extents_.data(), rank_}; }
  // Elements in all; nothing when the product passes 64 bits.
  [[nodiscard]] std::optional<uint64_t> count() const { return checked_product(extents()); }

  friend bool operator==(const Shape&, const Shape&) = default;

 private:
  std::array<uint64_t, kMaxRank> extents_{};
  size_t rank_ = 0;
};

// `[30522, 384]`
[[nodiscard]] std::string to_string(const Shape& shape);

}  // namespace ambry::tensor
