// Scratch memory that is kept between runs and grows when more is needed.
#pragma once

#include "base/aligned_buffer.h"
#include "base/result.h"

namespace ambry::infer {

// Makes room for `n_floats` floats. The contents are lost when it grows: the old memory is freed
// first, so that both never exist together.
[[nodiscard]] inline Result<void> reserve_floats(AlignedBuffer& buffer, uint64_t n_floats) {
  const uint64_t size = n_floats * sizeof(float);
  if (size <= buffer.size()) return {};
  buffer = AlignedBuffer();
  AMBRY_TRY(buffer, AlignedBuffer::allocate(size));
  return {};
}

}  // namespace ambry::infer
