// The layers of a convolutional network as tinyRuntime's files list them: the kind of each layer,
// its quantization and its tensors. The table does not say how values flow between layers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/json/json.h"
#include "model/file/model.h"
#include "tensor/dtype/dtype.h"
#include "tensor/dtype/shape.h"

namespace ambry::model {

enum class CnnVariant : uint8_t {
  Vanilla,  // float weights
  Dq8,      // int8 weights with a scale for each group; activations are quantized at run time
  Sq8,      // int8 weights with a scale for each tensor; the table has the ranges of activations
};
enum class CnnKind : uint8_t { Conv, Linear, BatchNorm };
inline constexpr CnnKind kCnnKinds[] = {CnnKind::Conv, CnnKind::Linear, CnnKind::BatchNorm};

// Values as files store them; check_layer() checks them. For linear layers and batch norms, the
// first three keep the values of a 1×1 convolution.
struct CnnLayer {
  int32_t kernel = 1;
  int32_t stride = 1;
  int32_t padding = 0;
  int32_t in = 0;    // channels or features
  int32_t out = 0;   // for a batch norm: the same as `in`
  int32_t bias = 0;  // 1: the layer has a bias
  // DQ8: this many consecutive weights of one output, or consecutive biases, share a scale.
  int32_t weight_group = 0;
  int32_t bias_group = 0;  // 0: no bias
  // SQ8.
  float weight_scale = 0;
  int32_t weight_zero_point = 0;
  float out_scale = 0;
  int32_t out_zero_point = 0;

  // The number of weights of one output. It does not overflow after check_layer().
  [[nodiscard]] uint64_t row() const {
    const auto k = static_cast<uint64_t>(kernel);
    return static_cast<uint64_t>(in) * k * k;
  }
  friend bool operator==(const CnnLayer&, const CnnLayer&) = default;
};

// SQ8: how a value between layers is quantized to a byte.
struct CnnActivation {
  float scale = 0;
  int32_t zero_point = 0;

  friend bool operator==(const CnnActivation&, const CnnActivation&) = default;
};

struct CnnTable {
  CnnVariant variant = CnnVariant::Vanilla;
  bool asymmetric = false;  // DQ8: groups have zero points; SQ8: always true
  int32_t n_classes = 0;    // as stated; the last linear layer is more reliable
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

// A field of a layer, under the name of the format's page: `stride`, `gs_w`, `wscale`. One of the
// two members is set.
struct CnnField {
  std::string_view name;
  int32_t CnnLayer::* integer = nullptr;
  float CnnLayer::* real = nullptr;
};
// The fields of such a layer, in the order of the page. The first n_dims() describe its shape.
[[nodiscard]] std::span<const CnnField> cnn_fields(CnnVariant variant, CnnKind kind);
[[nodiscard]] size_t n_dims(CnnKind kind);

// A field with an impossible value.
struct CnnFault {
  size_t field = 0;  // index in cnn_fields()
  ErrorCode code = ErrorCode::BadValue;
  std::string message;
};
// Checks the shape, the groups, the scales and the zero points of one layer, which may have
// `max_weights` weights (core/formats/tinyruntime/README.md#rules). Empty when all are valid.
[[nodiscard]] std::vector<CnnFault> check_layer(CnnVariant variant, CnnKind kind,
                                                const CnnLayer& layer, uint64_t max_weights);
// Checks the scale and the zero point. Returns the reason when one of them is invalid.
[[nodiscard]] std::optional<std::string> check_activation(const CnnActivation& activation);

struct CnnTensor {
  std::string name;  // `conv.0.weight`, `conv.0.weight.scale`
  tensor::DType dtype = tensor::DType::F32;
  tensor::Shape shape;
  bool quantized = false;  // integer codes, or a bias stored with them
  // As in TensorEntry; only floats have it. GCC warns about aggregates that leave it out.
  std::optional<float> finite_above = {};
};
// The tensors of a checked layer, in file order.
[[nodiscard]] std::vector<CnnTensor> cnn_tensors(const CnnTable& table, CnnKind kind, size_t index);

// Converts the table to a model's `config` and back. BadValue, with the path, for values that
// cannot be right.
[[nodiscard]] io::Json cnn_config(const CnnTable& table);
[[nodiscard]] Result<CnnTable> cnn_table(const io::Json& config);

}  // namespace ambry::model
