// Tensors by canonical name: a search of the table per name would be quadratic in hostile files.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/model.h"

namespace ambry::model {

class TensorIndex {
 public:
  // What of a name counts: the name without the prefixes of exporters, unless told otherwise.
  using Key = std::string_view (*)(std::string_view name);

  // `tensors` must outlive the index and stay as they are.
  explicit TensorIndex(const std::vector<TensorEntry>& tensors, Key key = canonical_tensor_name);

  // nullptr when absent; of several the first in the file.
  [[nodiscard]] const TensorEntry* find(std::string_view canonical_name) const;

 private:
  [[nodiscard]] std::string_view name_at(size_t i) const;

  const std::vector<TensorEntry>& tensors_;
  Key key_;
  std::vector<uint32_t> order_;  // of tensors_, by key
};

}  // namespace ambry::model
