#include "kernels/product_quantization/eigenvalue_allocation.h"

#include <cassert>
#include <cmath>
#include <limits>

namespace ambry::kernels {
namespace {

// A positive number of any size. Products of a thousand variances need no logarithm this way; no
// two platforms compute logarithms alike.
struct Magnitude {
  double fraction = 0.5;  // 0.5 … 1
  int64_t exponent = 1;

  void multiply(double factor) {
    int shift = 0;
    fraction = std::frexp(fraction * factor, &shift);
    exponent += shift;
  }
  [[nodiscard]] bool below(const Magnitude& other) const {
    return exponent != other.exponent ? exponent < other.exponent : fraction < other.fraction;
  }
};

}  // namespace

std::vector<uint32_t> allocate_axes(std::span<const double> variances, size_t n_slices) {
  assert(n_slices > 0 && variances.size() % n_slices == 0);
  const size_t width = variances.size() / n_slices;
  // As in the Rust reference: a variance of zero still has a logarithm, and the smallest one counts
  // 1.
  constexpr double kFloor = std::numeric_limits<float>::epsilon();
  const double least = variances.back() + kFloor;
  std::vector<std::vector<uint32_t>> slices(n_slices);
  std::vector<Magnitude> products(n_slices);
  for (size_t axis = 0; axis < variances.size(); ++axis) {
    size_t best = n_slices;
    for (size_t slice = 0; slice < n_slices; ++slice) {
      if (slices[slice].size() == width) continue;
      if (best == n_slices || products[slice].below(products[best])) best = slice;
    }
    slices[best].push_back(static_cast<uint32_t>(axis));
    products[best].multiply((variances[axis] + kFloor) / least);
  }
  std::vector<uint32_t> order;
  for (const auto& slice : slices) order.insert(order.end(), slice.begin(), slice.end());
  return order;
}

}  // namespace ambry::kernels
