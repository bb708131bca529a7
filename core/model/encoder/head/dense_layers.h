// The dense layers of a sentence encoder, which sentence-transformers calls Dense: activation(W x +
// b), applied to the pooled vector one after another. They are stored as the tensors
// `dense.<i>.weight` and `dense.<i>.bias`, and the metadata names their activations
// (core/formats/embd/README.md#dense).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/file/model.h"

namespace ambry::model {

enum class DenseActivation : uint8_t { Identity, Tanh, Relu, Gelu, Sigmoid, GeluTanh, Silu };

struct DenseConfig {
  uint32_t in_features = 0;
  uint32_t out_features = 0;
  bool bias = true;
  DenseActivation activation = DenseActivation::Tanh;

  friend bool operator==(const DenseConfig&, const DenseConfig&) = default;
};

// The metadata key of the activations: a JSON list of names, one for each layer.
inline constexpr const char* kDenseActivations = "dense_activations";

// identity | tanh | relu | gelu | sigmoid | gelu_tanh | silu
[[nodiscard]] std::string_view dense_activation_name(DenseActivation activation);
[[nodiscard]] std::optional<DenseActivation> dense_activation_by_name(std::string_view name);
// By the name of its class in `torch.nn`, such as `GELU`, or in Transformers.
[[nodiscard]] std::optional<DenseActivation> dense_activation_of_torch(std::string_view class_name);

// `dense.<layer>.<part>`, where the part is `weight` or `bias`.
[[nodiscard]] std::string dense_tensor_name(size_t layer, std::string_view part);
[[nodiscard]] bool is_dense_tensor(std::string_view canonical_name);

// The layers that the metadata and the tensors describe. NotFound for a layer without a weight.
// Mismatch for a weight without an activation, and for sizes that do not follow from the layer
// before. Unsupported for another activation.
[[nodiscard]] Result<std::vector<DenseConfig>> dense_layers(const Model& model,
                                                            uint32_t hidden_size);

// The activations as the metadata states them.
[[nodiscard]] std::string dense_activations_text(const std::vector<DenseConfig>& layers);

}  // namespace ambry::model
