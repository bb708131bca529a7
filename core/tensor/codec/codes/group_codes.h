// int8 codes whose scale is shared by a group of consecutive numbers, as tinyRuntime's DQ8 has
// them, and its SQ8, where all of a tensor are one group
// (core/formats/tinyruntime/README.md#making). In float32 step by step, so that the bytes are the
// reference exporter's.
#pragma once

#include <cstdint>
#include <span>

#include "base/result.h"

namespace ambry::tensor {

struct GroupScale {
  float scale = 0;
  int32_t zero_point = 0;
};

// The size of groups for `count` numbers where `wanted` is asked for: `wanted` where it divides,
// all where they are fewer, else the divisor nearest to it, the smaller of two. Both at least 1.
[[nodiscard]] uint64_t choose_group(uint64_t count, uint64_t wanted);

// Symmetric: the largest magnitude over 127, 0 for zeros only. Asymmetric: the range over 255, and
// the zero point that puts its low end at -128. BadValue for numbers that are not finite, or so far
// from 0 that the zero point passes 32 bits.
[[nodiscard]] Result<GroupScale> fit_group(std::span<const float> values, bool asymmetric);

// Rounded half to even. Symmetric codes are not clamped, for none can pass 127 but where the scale
// has lost its bits; they wrap there, as the reference's do.
void code_group(std::span<const float> values, const GroupScale& scale, bool asymmetric,
                int8_t* to);

}  // namespace ambry::tensor
