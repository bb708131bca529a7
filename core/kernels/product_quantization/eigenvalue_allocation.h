// Assigns principal axes to the slices of a product quantizer so that the products of the slices'
// variances are about equal (eigenvalue allocation; Ge et al., 2013).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ambry::kernels {

// `variances` are in descending order and not negative. `n_slices` divides their count. Returns
// their positions, slice after slice: each variance goes to the slice with the smallest product
// that still has room.
[[nodiscard]] std::vector<uint32_t> allocate_axes(std::span<const double> variances,
                                                  size_t n_slices);

}  // namespace ambry::kernels
