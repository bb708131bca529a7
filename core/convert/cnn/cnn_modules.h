// The modules of a convolutional network's state dict, in the order in which the network runs them,
// with the strides and paddings that a state dict does not have.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/cnn/cnn_table.h"
#include "model/file/model.h"

namespace ambry::convert {

struct CnnModule {
  std::string_view name;  // the common prefix of its tensors' names; borrowed from the model
  model::CnnKind kind = model::CnnKind::Conv;
  const model::TensorEntry* weight = nullptr;
  const model::TensorEntry* bias = nullptr;
  // For batch norms.
  const model::TensorEntry* mean = nullptr;
  const model::TensorEntry* variance = nullptr;
  // For convs.
  int32_t stride = 1;
  int32_t padding = 0;
  // For batch norms of a graph: whether it is folded into the conv before it.
  bool folds = false;

  [[nodiscard]] uint64_t out() const { return weight->shape[0]; }
  // For a conv or linear layer.
  [[nodiscard]] uint64_t in() const { return weight->shape[1]; }
};

struct CnnModules {
  std::vector<CnnModule> modules;
  // Recognized by its names. Otherwise the operations between modules are unknown.
  bool residual = false;
  // Read from a graph, which says what lies between modules and which batch norms fold.
  bool from_graph = false;
  std::vector<Error> warnings;
};

using Facts = std::vector<std::pair<std::string, std::string>>;

// Residual networks are recognized by their names: torchvision's (`layer1.0.conv1`) and those that
// fastai wraps (`0.4.0.conv1`), with any widths and any number of blocks. Any other network must be
// a plain sequence, and `facts` must give the strides and paddings of its convs as `conv.0.stride`
// and `conv.0.pad`. Only the state dict of a checkpoint is read. Unsupported, with the tensor's
// name, for anything that such networks do not have.
[[nodiscard]] Result<CnnModules> cnn_modules(const model::Model& model, const Facts& facts);

}  // namespace ambry::convert
