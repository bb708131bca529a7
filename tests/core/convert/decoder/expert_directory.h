// The tensors of mixtures of experts under the names and in the forms of published directories.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/safetensors/make_safetensors.h"

namespace ambry::convert::testing {

using ExpertTensors = std::vector<formats::safetensors::testing::Tensor>;

inline void replace_in(std::string& name, std::string_view part, std::string_view other) {
  const size_t at = name.find(part);
  if (at != std::string::npos) name.replace(at, part.size(), other);
}

// Names such as Mixtral's `block_sparse_moe.experts.0.w1.weight`.
inline void name_by_numbers(ExpertTensors& tensors, std::string_view part) {
  for (auto& tensor : tensors) {
    if (tensor.name.find(".mlp.") == std::string::npos) continue;
    replace_in(tensor.name, ".mlp.", part);
    replace_in(tensor.name, ".gate_proj.", ".w1.");
    replace_in(tensor.name, ".up_proj.", ".w3.");
    replace_in(tensor.name, ".down_proj.", ".w2.");
  }
}

// One tensor for the gate and up matrices of all experts of a layer, and one for their down
// matrices, with these names after the layer's.
inline void stack_experts(ExpertTensors& tensors, std::string_view gate_up, std::string_view down) {
  ExpertTensors stacked;
  std::string gate_data;
  for (auto& tensor : tensors) {
    const size_t at = tensor.name.find(".mlp.experts.");
    if (at == std::string::npos) {
      stacked.push_back(std::move(tensor));
      continue;
    }
    const bool is_down = tensor.name.find(".down_proj.") != std::string::npos;
    const std::string name = tensor.name.substr(0, at) + std::string(is_down ? down : gate_up);
    auto found = stacked.begin();
    while (found != stacked.end() && found->name != name) ++found;
    if (found == stacked.end()) {
      auto shape = tensor.shape;
      if (!is_down) shape[0] *= 2;
      shape.insert(shape.begin(), 0);
      stacked.push_back({name, tensor.dtype, shape, {}});
      found = stacked.end() - 1;
    }
    if (tensor.name.find(".up_proj.") == std::string::npos) ++found->shape[0];
    found->data += tensor.data;
  }
  tensors = std::move(stacked);
}

// As the directories of this `model_type` have them.
inline void publish_experts(std::string_view config, ExpertTensors& tensors) {
  const auto is = [&](std::string_view type) { return config.find(type) != config.npos; };
  if (is("\"mixtral\"")) name_by_numbers(tensors, ".block_sparse_moe.");
  if (is("\"lfm2_moe\"")) name_by_numbers(tensors, ".feed_forward.");
  if (is("\"granitemoe")) {
    stack_experts(tensors, ".block_sparse_moe.input_linear.weight",
                  ".block_sparse_moe.output_linear.weight");
    for (auto& tensor : tensors) {
      replace_in(tensor.name, ".mlp.gate.", ".block_sparse_moe.router.layer.");
    }
  }
  if (is("\"qwen3_moe\"") || is("\"qwen3_5_moe")) {
    stack_experts(tensors, ".mlp.experts.gate_up_proj", ".mlp.experts.down_proj");
  }
  if (is("\"enable_moe_block\": true")) {
    stack_experts(tensors, ".experts.gate_up_proj", ".experts.down_proj");
    for (auto& tensor : tensors) replace_in(tensor.name, ".mlp.gate.", ".router.proj.");
  }
}

}  // namespace ambry::convert::testing
