// Tensors by canonical name: a search of the table per name would be quadratic in hostile files.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/model.h"

namespace ambry::model {

class TensorIndex {
 public:
  // `tensors` must outlive the index and stay as they are.
  explicit TensorIndex(const std::vector<TensorEntry>& tensors);

  // nullptr when absent; of several the first in the file.
  [[nodiscard]] const TensorEntry* find(std::string_view canonical_name) const;

 private:
  [[nodiscard]] std::string_view name_at(size_t i) const;

  const std::vector<TensorEntry>& tensors_;
  std::vector<uint32_t> order_;  // of tensors_, by canonical name
};

}  // namespace ambry::model
