// Finds tensors by canonical name. Searching the table for each name would take quadratic time in
// hostile files.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/file/model.h"

namespace ambry::model {

class TensorIndex {
 public:
  // Maps a name to the part that is compared; the default removes an exporter's prefix.
  using Key = std::string_view (*)(std::string_view name);

  // `tensors` must outlive the index and must not change.
  explicit TensorIndex(const std::vector<TensorEntry>& tensors, Key key = canonical_tensor_name);

  // Returns nullptr when there is none, and the first in the file when there are several.
  [[nodiscard]] const TensorEntry* find(std::string_view canonical_name) const;

 private:
  [[nodiscard]] std::string_view name_at(size_t i) const;

  const std::vector<TensorEntry>& tensors_;
  Key key_;
  std::vector<uint32_t> order_;  // positions in tensors_, sorted by key
};

}  // namespace ambry::model
