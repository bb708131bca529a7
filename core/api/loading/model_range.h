// The part of a file that is streamed to run its model.
#pragma once

#include <cstdint>
#include <vector>

#include "model/file/model.h"

namespace ambry::api {

// The tensors that `builder` wants, which has wants(tensor).
template <class Builder>
[[nodiscard]] std::vector<size_t> wanted_tensors(const model::Model& model,
                                                 const Builder& builder) {
  std::vector<size_t> wanted;
  for (size_t i = 0; i < model.tensors.size(); ++i) {
    if (builder.wants(i)) wanted.push_back(i);
  }
  return wanted;
}

struct StreamedRange {
  uint64_t begin = 0;
  uint64_t end = 0;
};

// From the first to the last of these tensors, and of the ranges with checksums; to the end of the
// file if the parser left its closing bytes for later.
[[nodiscard]] StreamedRange streamed_range(const model::Model& model,
                                           const std::vector<size_t>& tensors);

// The bytes of these tensors in the file.
[[nodiscard]] uint64_t bytes_of(const model::Model& model, const std::vector<size_t>& tensors);

}  // namespace ambry::api
