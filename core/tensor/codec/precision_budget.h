// Shares a budget of bits over the blocks of many ADAPTIVE tensors: every block starts with INT4,
// and the upgrades that save the most squared error a bit are bought first. Two passes: in the
// first, blocks only say what their upgrades are worth, which is counted in fine bins; the budget
// then buys whole bins from the top, so that in the second pass every block knows its precision by
// itself, and every tensor's size is known between the two.
//
// A block's upgrades are the corners of the lower convex hull of its errors over their bits, the
// choice of a Lagrangian relaxation (Shoham and Gersho, 1988).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/result.h"
#include "tensor/codec/block_errors.h"

namespace ambry::tensor {

class PrecisionBudget {
 public:
  // The tensor that the next blocks belong to.
  void begin_tensor(const PayloadLayout& layout);
  void add(const BlockErrors& errors);

  // Buys upgrades until the payloads take at most so many bits an element, scales and masks
  // included. BadValue when INT4 alone takes more.
  [[nodiscard]] Result<void> settle(double bits_per_weight);

  // After settle(). Tensors by number, in the order they began.
  [[nodiscard]] DType choose(size_t tensor, const BlockErrors& errors) const;
  [[nodiscard]] DType scale_type(size_t tensor) const;
  [[nodiscard]] uint64_t payload_bytes(size_t tensor) const;

 private:
  // 32 bins for every doubling of the gain, from 2^-100 to 2^28.
  static constexpr int kBinsADoubling = 32;
  static constexpr int kLeastExponent = -100;
  static constexpr size_t kBins = size_t{128} * kBinsADoubling;

  struct Upgrade {
    size_t precision = 0;  // of kPrecisions
    uint32_t bits = 0;     // more, for each element
    size_t bin = 0;
  };
  // At most three, none of them worth more than the one before.
  struct Upgrades {
    std::array<Upgrade, kPrecisions.size() - 1> list{};
    size_t size = 0;
  };
  struct Tensor {
    uint64_t elements = 0;
    uint64_t stored_a_block = 0;
    uint64_t n_scales = 0;
    uint64_t int4_bytes = 0;  // with F16 scales and all blocks in INT4
    bool wide_scales = false;
    // Blocks' upgrades by what they are worth: the bits more an element, summed up.
    std::vector<uint64_t> bits;
  };

  [[nodiscard]] static Upgrades upgrades(const BlockErrors& errors, uint64_t stored);
  [[nodiscard]] static size_t bin_of(double gain_a_bit);
  [[nodiscard]] static uint64_t least_bytes(const Tensor& tensor);

  std::vector<Tensor> tensors_;
  size_t least_bin_ = kBins;  // upgrades in this bin and above are bought
};

}  // namespace ambry::tensor
