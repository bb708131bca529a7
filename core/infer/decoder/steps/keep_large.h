// Sparse activations: what is left of gates that are assumed to have a normal distribution.
#pragma once

#include <cstddef>
#include <span>

namespace ambry::infer {

// Subtracts from each row of `width` numbers its mean and so many of its standard deviations, and
// sets what is below 0 to 0.
void keep_large(float deviations, size_t width, std::span<float> rows);

}  // namespace ambry::infer
