// A state dict of a convolutional network seen as its modules, in the order in which the network
// has them, with the strides and paddings that a state dict does not hold.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/cnn/cnn_table.h"
#include "model/model.h"

namespace ambry::convert {

struct CnnModule {
  std::string_view name;  // of its tensors without their last part; borrowed from the model
  model::CnnKind kind = model::CnnKind::Conv;
  const model::TensorEntry* weight = nullptr;
  const model::TensorEntry* bias = nullptr;
  // Of batch norms.
  const model::TensorEntry* mean = nullptr;
  const model::TensorEntry* variance = nullptr;
  // Of convs.
  int32_t stride = 1;
  int32_t padding = 0;

  [[nodiscard]] uint64_t out() const { return weight->shape[0]; }
  // Of a conv or linear layer.
  [[nodiscard]] uint64_t in() const { return weight->shape[1]; }
};

struct CnnModules {
  std::vector<CnnModule> modules;
  bool residual = false;  // known by its names; else what happens between modules is not known
  std::vector<Error> warnings;
};

using Facts = std::vector<std::pair<std::string, std::string>>;

// Residual networks are known by their names: torchvision's (`layer1.0.conv1`) and those that
// fastai wraps (`0.4.0.conv1`), with any widths and any number of blocks. Every other network must
// be a plain sequence, whose convs' strides and paddings `facts` state as `conv.0.stride` and
// `conv.0.pad`. Of a checkpoint only the state dict counts. Unsupported, naming the tensor, for
// what such networks do not have.
[[nodiscard]] Result<CnnModules> cnn_modules(const model::Model& model, const Facts& facts);

}  // namespace ambry::convert
