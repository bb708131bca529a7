// Reorders the rows of query and key matrices for the rotary positions of the target.
#pragma once

#include "base/bytes.h"
#include "convert/plan/plan.h"

namespace ambry::convert {

// `rows` are whole heads with rows of `row_bytes`. They are reordered in place.
void permute_rows(const RopePermutation& order, uint64_t row_bytes, MutableBytes rows);

}  // namespace ambry::convert
