#include "model/encoder/head/dense_layers.h"

#include <algorithm>
#include <array>

#include "model/file/tensor_spec.h"
#include "model/metadata/metadata_value.h"

namespace ambry::model {
namespace {

// More than any encoder has. Keeps a hostile list from becoming many searches for tensors.
constexpr size_t kMaxDenseLayers = 16;

struct ActivationRow {
  DenseActivation activation;
  std::string_view name;
  std::string_view torch;  // its class in torch.nn, or in Transformers
};
constexpr std::array<ActivationRow, 7> kDenseActivationRows = {
    {{DenseActivation::Identity, "identity", "Identity"},
     {DenseActivation::Tanh, "tanh", "Tanh"},
     {DenseActivation::Relu, "relu", "ReLU"},
     {DenseActivation::Gelu, "gelu", "GELU"},
     {DenseActivation::Sigmoid, "sigmoid", "Sigmoid"},
     {DenseActivation::GeluTanh, "gelu_tanh", "NewGELUActivation"},
     {DenseActivation::Silu, "silu", "SiLU"}}};

Failure bad_list(const Model& model, ErrorCode code, const Text& message) {
  return metadata_error(model.metadata, kDenseActivations, code, message);
}

Result<std::vector<DenseActivation>> read_activations(const Model& model) {
  std::vector<DenseActivation> activations;
  const auto text = metadata_text(model.metadata, kDenseActivations);
  if (!text || text->empty()) return activations;
  const auto list = io::parse_json(*text);
  if (!list || !list->is_array()) {
    return bad_list(model, ErrorCode::BadValue, "expected a JSON list of names");
  }
  if (list->items().size() > kMaxDenseLayers) {
    return bad_list(
        model, ErrorCode::LimitExceeded,
        {list->items().size(), " layers, but at most ", kMaxDenseLayers, " are supported"});
  }
  for (const io::Json& item : list->items()) {
    if (!item.is_string()) {
      return bad_list(model, ErrorCode::BadValue, "expected a JSON list of names");
    }
    const auto known = dense_activation_by_name(item.string());
    if (!known) {
      return bad_list(model, ErrorCode::Unsupported,
                      {"the activation \"", item.string(), "\" is not supported"});
    }
    activations.push_back(*known);
  }
  return activations;
}

// The sizes of a layer from the shape of its weight.
Result<DenseConfig> layer_of(const Model& model, size_t layer, uint32_t width) {
  const std::string name = dense_tensor_name(layer, "weight");
  const TensorEntry* weight = model.find(name);
  if (weight == nullptr) {
    return make_error(
        ErrorCode::NotFound, "tensors",
        {"the tensor ", name, " is missing; metadata.", kDenseActivations, " names its layer"});
  }
  const bool is_matrix = weight->shape.rank() == 2;
  const bool transposed = model.linear_layout == LinearLayout::InOut;
  const uint64_t out = is_matrix ? weight->shape[transposed ? 1 : 0] : 0;
  const uint64_t in = is_matrix ? weight->shape[transposed ? 0 : 1] : 0;
  if (in != width || out == 0 || out > UINT32_MAX) {
    return error_at(
        ErrorCode::Mismatch, weight->index_offset, {path_of(model, *weight), ".shape"},
        {weight->name, " is ", to_string(weight->shape), ", expected a matrix that takes the ",
         width, layer == 0 ? " numbers of hidden_size" : " numbers of the layer before"});
  }
  DenseConfig config;
  config.in_features = width;
  config.out_features = static_cast<uint32_t>(out);
  config.bias = model.find(dense_tensor_name(layer, "bias")) != nullptr;
  return config;
}

}  // namespace

std::string_view dense_activation_name(DenseActivation activation) {
  return std::ranges::find(kDenseActivationRows, activation, &ActivationRow::activation)->name;
}

std::optional<DenseActivation> dense_activation_by_name(std::string_view name) {
  const auto* row = std::ranges::find(kDenseActivationRows, name, &ActivationRow::name);
  if (row == kDenseActivationRows.end()) return std::nullopt;
  return row->activation;
}

std::optional<DenseActivation> dense_activation_of_torch(std::string_view class_name) {
  const auto* row = std::ranges::find(kDenseActivationRows, class_name, &ActivationRow::torch);
  if (row == kDenseActivationRows.end()) return std::nullopt;
  return row->activation;
}

std::string dense_tensor_name(size_t layer, std::string_view part) {
  return concat({"dense.", layer, ".", part});
}

bool is_dense_tensor(std::string_view canonical_name) {
  return canonical_name.starts_with("dense.");
}

Result<std::vector<DenseConfig>> dense_layers(const Model& model, uint32_t hidden_size) {
  AMBRY_TRY(const auto activations, read_activations(model));
  std::vector<DenseConfig> layers;
  uint32_t width = hidden_size;
  for (const DenseActivation activation : activations) {
    AMBRY_TRY(DenseConfig layer, layer_of(model, layers.size(), width));
    layer.activation = activation;
    width = layer.out_features;
    layers.push_back(layer);
  }
  // Without its activation the layer would be left out, and the vectors would be wrong.
  const TensorEntry* unnamed = model.find(dense_tensor_name(layers.size(), "weight"));
  if (unnamed == nullptr) return layers;
  return error_at(
      ErrorCode::Mismatch, unnamed->index_offset, path_of(model, *unnamed),
      {unnamed->name, " has no activation; metadata.", kDenseActivations, " must name it"});
}

std::string dense_activations_text(const std::vector<DenseConfig>& layers) {
  io::Json names = io::Json::array();
  for (const DenseConfig& layer : layers) names.append(dense_activation_name(layer.activation));
  return names.dump();
}

}  // namespace ambry::model
