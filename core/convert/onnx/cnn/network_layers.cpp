#include "convert/onnx/cnn/network_reader.h"

#include <string_view>
#include <utility>
#include <vector>

#include "convert/onnx/cnn/window.h"
#include "convert/onnx/graph/graph_constants.h"

namespace ambry::convert::onnx {

using formats::onnx::DataType;
using formats::onnx::kNoName;
using formats::onnx::Node;
using model::CnnKind;
using model::CnnNode;
using model::CnnOp;

namespace {

constexpr float kNormEpsilon = 1e-5F;  // what tinyRuntime adds to a variance

// Exchanges the axes of a matrix.
void turn(Input& matrix) {
  tensor::Shape& shape = matrix.tensor.shape;
  const uint64_t columns = shape[1];
  shape = {columns, shape[0]};
  matrix.strides =
      matrix.strides.empty() ? std::vector<uint64_t>{1, columns} : std::vector<uint64_t>();
}

}  // namespace

Result<NetworkMap> NetworkReader::conv(const Node& node, const Map& in) {
  if (in.is_flat) return file_.refuse(node, "takes maps only");
  AMBRY_TRY(Input weight, weight_of(node, file_.input(node, 1), 4));
  const tensor::Shape& shape = weight.tensor.shape;
  if (file_.int_of(node, "group", 1) != 1) {
    return file_.refuse(node,
                        "grouped convolutions are not supported: tinyRuntime's files store no "
                        "groups");
  }
  if (shape[2] != shape[3]) return file_.refuse(node, "the kernel is not square");
  if (shape[1] != in.shape.channels) {
    return file_.refuse(
        node, {"the weight takes ", shape[1], " channels, but the map has ", in.shape.channels});
  }
  AMBRY_TRY(const CnnWindow window, read_window(file_, node, in.shape, shape[2]));
  GraphLayer layer;
  layer.stride = window.stride;
  layer.padding = window.padding;
  const auto channels = static_cast<uint32_t>(shape[0]);
  if (const NameId bias = file_.input(node, 2); bias != kNoName) {
    AMBRY_TRY(layer.bias, vector_of(node, bias, channels));
  }
  layer.weight = keep(std::move(weight));
  CnnNode made;
  made.index = add_layer(layer);
  const auto places = [&](uint32_t extent) {
    return static_cast<uint32_t>(window_places(window, extent));
  };
  Map map = append(in, CnnOp::Conv, {channels, places(in.shape.height), places(in.shape.width)},
                   std::move(made));
  map.layer = static_cast<uint32_t>(network_.layers.size() - 1);
  return map;
}

// A batch norm that alone reads a conv is folded into it, as the exporter of tinyRuntime does.
Result<NetworkMap> NetworkReader::batch_norm(const Node& node, const Map& in) {
  if (file_.float_of(node, "epsilon", kNormEpsilon) != kNormEpsilon) {
    return file_.refuse(node,
                        "only an epsilon of 1e-5 is supported: tinyRuntime's files store none");
  }
  if (file_.int_of(node, "training_mode", 0) != 0 || file_.int_of(node, "spatial", 1) != 1) {
    return file_.refuse(node, "only the mode of inference over channels is supported");
  }
  GraphLayer layer;
  layer.kind = CnnKind::BatchNorm;
  for (size_t i = 0; i < layer.norm.size(); ++i) {
    AMBRY_TRY(layer.norm[i], vector_of(node, file_.input(node, i + 1), in.shape.channels));
  }
  Map map = in;
  const bool alone = in.layer != GraphLayer::kNone && uses_[file_.input(node, 0)].count == 1;
  if (alone && network_.layers[in.layer].kind == CnnKind::Conv) {
    network_.layers[in.layer].norm = layer.norm;
  } else {
    CnnNode made;
    made.index = add_layer(layer);
    map = append(in, CnnOp::BatchNorm, in.shape, std::move(made));
  }
  map.layer = GraphLayer::kNone;
  map.is_positive = false;
  return map;
}

Result<NetworkMap> NetworkReader::add(const Node& node) {
  NameId a = file_.input(node, 0);
  NameId b = file_.input(node, 1);
  if (is_constant(a)) std::swap(a, b);
  AMBRY_TRY(const Map* in, map_of(node, a));
  if (is_constant(b)) {
    const bool alone = in->layer != GraphLayer::kNone && uses_[a].count == 1;
    if (!alone || network_.layers[in->layer].kind != CnnKind::Linear ||
        network_.layers[in->layer].bias != GraphLayer::kNone) {
      return file_.refuse(node, "constants are added behind a MatMul only");
    }
    AMBRY_TRY(network_.layers[in->layer].bias, vector_of(node, b, in->shape.channels));
    return *in;
  }
  AMBRY_TRY(const Map* other, map_of(node, b));
  if (in->shape != other->shape || in->is_flat != other->is_flat) {
    return file_.refuse(node, "the maps have different shapes");
  }
  CnnNode made;
  made.other = other->value;
  is_read_[other->value] = true;
  Map map = append(*in, CnnOp::Add, in->shape, std::move(made));
  map.is_positive = in->is_positive && other->is_positive;
  return map;
}

Result<NetworkMap> NetworkReader::gemm(const Node& node, const Map& in) {
  if (file_.float_of(node, "alpha", 1) != 1 || file_.float_of(node, "beta", 1) != 1 ||
      file_.int_of(node, "transA", 0) != 0) {
    return file_.refuse(node, "only alpha 1, beta 1 and transA 0 are supported");
  }
  AMBRY_TRY(Input weight, weight_of(node, file_.input(node, 1), 2));
  const int64_t turned = file_.int_of(node, "transB", 0);
  if (turned != 0 && turned != 1) return file_.refuse(node, "transB must be 0 or 1");
  return linear(node, in, std::move(weight), file_.input(node, 2), turned == 0);
}

Result<NetworkMap> NetworkReader::mat_mul(const Node& node, const Map& in) {
  AMBRY_TRY(Input weight, weight_of(node, file_.input(node, 1), 2));
  return linear(node, in, std::move(weight), kNoName, true);
}

// `turns`: the weight is [in, out] in the graph.
Result<NetworkMap> NetworkReader::linear(const Node& node, const Map& in, Input weight, NameId bias,
                                         bool turns) {
  if (turns) turn(weight);
  const tensor::Shape shape = weight.tensor.shape;
  if (!in.is_flat || shape[1] != in.shape.channels) {
    return file_.refuse(node, {"the weight takes vectors of ", shape[1], " numbers"});
  }
  GraphLayer layer;
  layer.kind = CnnKind::Linear;
  if (bias != kNoName) AMBRY_TRY(layer.bias, vector_of(node, bias, shape[0]));
  layer.weight = keep(std::move(weight));
  CnnNode made;
  made.index = add_layer(layer);
  Map map = append(in, CnnOp::Linear, {static_cast<uint32_t>(shape[0])}, std::move(made));
  map.is_flat = true;
  map.layer = static_cast<uint32_t>(network_.layers.size() - 1);
  return map;
}

// A constant of float32, which may be stored as float16 or bfloat16 behind a Cast.
Result<Input> NetworkReader::weight_of(const Node& node, NameId value, size_t rank) {
  const std::string_view name = file_.model().names[value];
  NameId root = value;
  bool widened = false;
  bool turned = false;
  while (file_.constant(root) == nullptr) {
    const Node* maker = is_constant(root) ? file_.producer(root) : nullptr;
    if (maker == nullptr) return file_.refuse(node, {name, " is no constant"});
    if (file_.model().is(*maker, "Cast")) {
      widened = true;
      if (file_.int_of(*maker, "to", 0) != static_cast<int64_t>(DataType::Float)) {
        return file_.refuse(*maker, "weights are of float32");
      }
    }
    if (file_.model().is(*maker, "Transpose")) {
      turned = !turned;
      const auto order = file_.ints_of(*maker, "perm");
      if (rank != 2 || (order && *order != std::vector<int64_t>{1, 0})) {
        return file_.refuse(*maker, "only matrices are transposed");
      }
    }
    root = file_.input(*maker, 0);
  }
  const formats::onnx::Tensor& tensor = *file_.constant(root);
  const bool narrow = tensor.type == DataType::Float16 || tensor.type == DataType::Bfloat16;
  if (tensor.type != DataType::Float && !(narrow && widened)) {
    return file_.refuse(node, {name, " is not of float32"});
  }
  AMBRY_TRY(auto stored, stored_input(file_, tensor));
  if (!stored) return file_.refuse(node, {name, " is not stored as plain floats"});
  const tensor::Shape& shape = stored->tensor.shape;
  bool fits = shape.rank() == rank;
  for (const uint64_t extent : shape.extents()) {
    fits = fits && extent >= 1 && extent <= kMaxCnnExtent;
  }
  if (!fits) return file_.refuse(node, {name, " has the shape ", to_string(shape)});
  if (turned) turn(*stored);
  return *std::move(stored);
}

Result<uint32_t> NetworkReader::vector_of(const Node& node, NameId value, uint64_t n) {
  AMBRY_TRY(Input weight, weight_of(node, value, 1));
  if (weight.tensor.shape[0] == n) return keep(std::move(weight));
  return file_.refuse(node, {file_.model().names[value], " has ", weight.tensor.shape[0],
                             " numbers, expected ", n});
}

uint32_t NetworkReader::keep(Input weight) {
  network_.weights.push_back(std::move(weight));
  return static_cast<uint32_t>(network_.weights.size() - 1);
}

uint32_t NetworkReader::add_layer(GraphLayer layer) {
  network_.layers.push_back(layer);
  return counts_[static_cast<size_t>(layer.kind)]++;
}

}  // namespace ambry::convert::onnx
