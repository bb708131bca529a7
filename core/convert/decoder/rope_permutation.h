// Puts the rows of query and key matrices into the order that a target's rotary positions expect.
#pragma once

#include "base/bytes.h"
#include "convert/plan.h"

namespace ambry::convert {

// `rows` are whole heads of rows of `row_bytes` each, reordered in place.
void permute_rows(const RopePermutation& order, uint64_t row_bytes, MutableBytes rows);

}  // namespace ambry::convert
