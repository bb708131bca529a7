// A source as its parser reads it.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "convert/plan.h"
#include "convert/source_files.h"
#include "model/model.h"

namespace ambry::convert {

struct SourceModel {
  model::Model model;
  std::vector<uint32_t> files;  // of each tensor; empty: all lie in the main file
  // Of integers, by the tensor's name: each scale is that of as many consecutive elements.
  std::map<std::string, Input, std::less<>> scales;
  // By the tensor's name, where the elements are stored in another order than the shape's.
  std::map<std::string, std::vector<uint8_t>, std::less<>> stored_axes;
  std::vector<Error> warnings;

  // `tensor` is one of model.tensors.
  [[nodiscard]] Input input(const model::TensorEntry& tensor) const;
};

// The model's tensor of this name; nullptr when it has none.
[[nodiscard]] const model::TensorEntry* find_tensor(const model::Model& model,
                                                    std::string_view name);

// The first error that the parser of this format found, or what it read. Restartable.
[[nodiscard]] Result<SourceModel> read_source(const SourceFiles& sources, std::string_view format);

}  // namespace ambry::convert
