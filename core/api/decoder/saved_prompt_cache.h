// A saved prompt cache in the heap, on its way out or in.
#pragma once

#include <utility>

#include "base/aligned_buffer.h"
#include "base/bytes.h"
#include "base/result.h"

namespace ambry::api {

class SavedPromptCache {
 public:
  // Room for `size` bytes that the caller writes.
  [[nodiscard]] static Result<SavedPromptCache> of_size(uint64_t size) {
    AMBRY_TRY(AlignedBuffer bytes, AlignedBuffer::allocate(size));
    return SavedPromptCache(std::move(bytes));
  }
  explicit SavedPromptCache(AlignedBuffer bytes) : bytes_(std::move(bytes)) {}

  [[nodiscard]] MutableBytes bytes() { return bytes_.bytes(); }

 private:
  AlignedBuffer bytes_;
};

}  // namespace ambry::api
