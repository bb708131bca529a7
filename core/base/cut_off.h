// The error of a file that ends too early.
#pragma once

#include <cstdint>
#include <utility>

#include "base/error.h"

namespace ambry {

// `whole_bytes` is the size of the whole file, where the file states it, and else 0. It goes along
// as the error's `need_size`.
[[nodiscard]] inline Failure cut_off(uint64_t whole_bytes, Failure truncated) {
  truncated->need_size = whole_bytes;
  return truncated;
}

}  // namespace ambry
