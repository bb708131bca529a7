// Which principal axes share a slice of a product quantizer, so that the slices' variances multiply
// to much the same (Ge et al., 2013, eigenvalue allocation).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ambry::kernels {

// `variances` descend and are not negative; `n_slices` divides their number. The result are their
// positions, slice after slice: each goes to the slice with the smallest product that is not full.
[[nodiscard]] std::vector<uint32_t> allocate_axes(std::span<const double> variances,
                                                  size_t n_slices);

}  // namespace ambry::kernels
