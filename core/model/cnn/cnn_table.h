// The layers of a convolutional network as tinyRuntime's files list them: what a layer is, how its
// numbers are quantised, and by that the tensors it has. How values flow from layer to layer is not
// in the table.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/json/json.h"
#include "model/model.h"
#include "tensor/dtype.h"
#include "tensor/shape.h"

namespace ambry::model {

enum class CnnVariant : uint8_t {
  Vanilla,  // float weights
  Dq8,      // int8 weights with a scale a group; activations are quantised while running
  Sq8,      // int8 weights with a scale a tensor; the ranges of activations are in the table
};
enum class CnnKind : uint8_t { Conv, Linear, BatchNorm };
inline constexpr CnnKind kCnnKinds[] = {CnnKind::Conv, CnnKind::Linear, CnnKind::BatchNorm};

// Numbers as files hold them; check_layer() says which make sense. Linear layers and batch norms
// are 1×1 convolutions as far as the first three go.
struct CnnLayer {
  int32_t kernel = 1;
  int32_t stride = 1;
  int32_t padding = 0;
  int32_t in = 0;    // channels or features
  int32_t out = 0;   // of a batch norm: as many as `in`
  int32_t bias = 0;  // 1: has one
  // DQ8: consecutive weights of one output, and consecutive biases, that share a scale.
  int32_t weight_group = 0;
  int32_t bias_group = 0;  // 0: no bias
  // SQ8.
  float weight_scale = 0;
  int32_t weight_zero_point = 0;
  float out_scale = 0;
  int32_t out_zero_point = 0;

  // Weights of one output; exact after check_layer().
  [[nodiscard]] uint64_t row() const {
    const auto k = static_cast<uint64_t>(kernel);
    return static_cast<uint64_t>(in) * k * k;
  }
  friend bool operator==(const CnnLayer&, const CnnLayer&) = default;
};

// SQ8: how a value between layers becomes a byte.
struct CnnActivation {
  float scale = 0;
  int32_t zero_point = 0;

  friend bool operator==(const CnnActivation&, const CnnActivation&) = default;
};

struct CnnTable {
  CnnVariant variant = CnnVariant::Vanilla;
  bool asymmetric = false;  // DQ8: groups have zero points; SQ8: always
  int32_t n_classes = 0;    // as stated; the last linear layer knows better
  std::vector<CnnLayer> convs;
  std::vector<CnnLayer> linears;
  std::vector<CnnLayer> batch_norms;
  std::vector<CnnActivation> activations;

  [[nodiscard]] std::vector<CnnLayer>& of(CnnKind kind);
  [[nodiscard]] const std::vector<CnnLayer>& of(CnnKind kind) const;
  friend bool operator==(const CnnTable&, const CnnTable&) = default;
};

[[nodiscard]] std::string_view cnn_variant_name(CnnVariant variant);  // `vanilla`, `dq8`, `sq8`
[[nodiscard]] std::string_view cnn_kind_name(CnnKind kind);  // `conv`, `linear`, `batchnorm`

// A number of a layer under the name of the format's page: `stride`, `gs_w`, `wscale`. One of the
// members is set.
struct CnnField {
  std::string_view name;
  int32_t CnnLayer::* integer = nullptr;
  float CnnLayer::* real = nullptr;
};
// The numbers that such a layer has, in the order of the page; the first n_dims() are its form.
[[nodiscard]] std::span<const CnnField> cnn_fields(CnnVariant variant, CnnKind kind);
[[nodiscard]] size_t n_dims(CnnKind kind);

// A number that cannot be right, with the number of the rule that it breaks
// (core/formats/tinyruntime/README.md#rules).
struct CnnFault {
  size_t field = 0;  // in cnn_fields()
  uint8_t rule = 0;
  ErrorCode code = ErrorCode::BadValue;
  std::string message;
};
// Rules 4, 6 and 8 on one layer of no more than `max_weights` weights; empty for a sound one.
[[nodiscard]] std::vector<CnnFault> check_layer(CnnVariant variant, CnnKind kind,
                                                const CnnLayer& layer, uint64_t max_weights);
// Rule 8; the reason when the entry cannot be right.
[[nodiscard]] std::optional<std::string> check_activation(const CnnActivation& activation);

struct CnnTensor {
  std::string name;  // `conv.0.weight`, `conv.0.weight.scale`
  tensor::DType dtype = tensor::DType::F32;
  tensor::Shape shape;
  bool quantized = false;  // integers that stand for numbers, and the biases beside them
  // Rule 7, as in TensorEntry; floats have it. GCC warns of aggregates that leave it out.
  std::optional<float> finite_above = {};  // NOLINT(readability-redundant-member-init)
};
// The tensors of a sound layer, in the order of files.
[[nodiscard]] std::vector<CnnTensor> cnn_tensors(const CnnTable& table, CnnKind kind, size_t index);

// The table as a model's `config`, and back; what cannot be right is BadValue at its path.
[[nodiscard]] io::Json cnn_config(const CnnTable& table);
[[nodiscard]] Result<CnnTable> cnn_table(const io::Json& config);

}  // namespace ambry::model
