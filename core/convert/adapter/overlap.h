// Where the rows of a tensor of the source are in an output of a plan.
#pragma once

#include <cstdint>
#include <optional>

#include "convert/plan/plan.h"

namespace ambry::convert {

struct Overlap {
  uint64_t begin = 0;  // the rows of the output
  uint64_t end = 0;
  uint64_t first = 0;  // the row of the tensor that `begin` is
};

// The rows of `weight`, which is a tensor of the source or some of its rows, that the output is
// made of; nothing if there are none. The inputs of the output have them at the same bytes of the
// file.
[[nodiscard]] std::optional<Overlap> overlap(const Input& weight, const Output& output);

}  // namespace ambry::convert
