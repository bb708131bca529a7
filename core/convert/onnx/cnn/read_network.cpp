#include "convert/onnx/cnn/network_reader.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "convert/onnx/graph/graph_inputs.h"
#include "convert/onnx/undescribed/undescribed_graph.h"

namespace ambry::convert::onnx {

using formats::onnx::DataType;
using formats::onnx::kNoName;
using formats::onnx::Node;
using formats::onnx::ValueInfo;
using model::CnnNode;
using model::CnnOp;
using model::CnnShape;

Result<GraphNetwork> NetworkReader::run(const ValueInfo& input) {
  AMBRY_RETURN_IF_ERROR(check_model());
  // An operator that is unknown says more than a size that is missing.
  for (const Node& node : file_.graph().nodes) {
    AMBRY_RETURN_IF_ERROR(cnn_operator(file_, node));
  }
  AMBRY_RETURN_IF_ERROR(read_input(input));
  AMBRY_RETURN_IF_ERROR(count_uses());
  for (const Node& node : file_.graph().nodes) AMBRY_RETURN_IF_ERROR(take(node));
  AMBRY_RETURN_IF_ERROR(read_output());
  AMBRY_RETURN_IF_ERROR(check_all_used());
  return std::move(network_);
}

Result<void> NetworkReader::read_input(const ValueInfo& info) {
  const std::string_view name = file_.model().names[info.name];
  if (info.type != DataType::Float) {
    return error_at(ErrorCode::Unsupported, info.byte_offset, name,
                    "only inputs of float32 are supported");
  }
  const auto dims = file_.graph().dims_of(info);
  for (const formats::onnx::Dim& dim : dims.subspan(1)) {
    if (dim.is_number() && dim.number() >= 1 && dim.number() <= kMaxCnnExtent) continue;
    return error_at(ErrorCode::Unsupported, info.byte_offset, name,
                    "the graph states no size of the picture; export it for one size, such as "
                    "[1, 3, 224, 224]");
  }
  if (dims[0].is_number()) batch_ = static_cast<int64_t>(std::max<uint64_t>(1, dims[0].number()));
  const auto extent = [&](size_t i) { return static_cast<uint32_t>(dims[i].number()); };
  Known& known = known_[info.name];
  known.kind = Known::Kind::Map;
  known.map.shape = {extent(1), extent(2), extent(3)};
  network_.graph.input = known.map.shape;
  is_read_.push_back(false);
  return {};
}

Result<void> NetworkReader::check_model() const {
  const formats::onnx::OnnxModel& model = file_.model();
  const auto unsupported = [](const Text& message) {
    return make_error(ErrorCode::Unsupported, "opset_import", message);
  };
  const int64_t opset = model.opset();
  if (opset < kMinCnnOpset || opset > kMaxCnnOpset) {
    return unsupported({"the operators must be of a version from ",
                        static_cast<uint64_t>(kMinCnnOpset), " to ",
                        static_cast<uint64_t>(kMaxCnnOpset)});
  }
  for (const formats::onnx::Function& function : model.functions) {
    if (function.name.domain != kNoName) continue;
    return error_at(ErrorCode::Unsupported, function.body.byte_offset,
                    model.names[function.name.op_type],
                    "a function takes the name of an operator of ONNX");
  }
  for (const formats::onnx::SparseTensor& sparse : file_.graph().sparse_initializers) {
    return error_at(ErrorCode::Unsupported, sparse.values.byte_offset,
                    model.names[sparse.values.name], "sparse tensors are not supported");
  }
  return {};
}

Result<void> NetworkReader::count_uses() {
  const formats::onnx::Graph& graph = file_.graph();
  for (const formats::onnx::Tensor& tensor : graph.initializers) {
    Known& known = known_[tensor.name];
    if (known.kind != Known::Kind::Unknown) {
      return error_at(ErrorCode::Unsupported, tensor.byte_offset, file_.model().names[tensor.name],
                      "two values have this name");
    }
    known.kind = Known::Kind::Constant;
  }
  for (const Node& node : graph.nodes) {
    for (const NameId name : graph.inputs_of(node)) {
      ++uses_[name].count;
      uses_[name].relus += file_.model().is(node, "Relu") ? 1 : 0;
      uses_[name].concats += file_.model().is(node, "Concat") ? 1 : 0;
    }
  }
  for (const ValueInfo& output : graph.outputs) ++uses_[output.name].count;
  return {};
}

Result<void> NetworkReader::take(const Node& node) {
  AMBRY_TRY(const CnnOperator op, cnn_operator(file_, node));
  Known& target = known_[file_.output(node)];
  if (target.kind != Known::Kind::Unknown) return file_.refuse(node, "its output has two sources");
  for (const NameId name : file_.graph().inputs_of(node)) {
    if (name == kNoName || known_[name].kind != Known::Kind::Unknown) continue;
    return file_.refuse(node, {"no node before it computes ", file_.model().names[name]});
  }
  AMBRY_TRY(target, result_of(node, op));
  return {};
}

Result<KnownValue> NetworkReader::result_of(const Node& node, CnnOperator op) {
  AMBRY_TRY(auto constant, constant_result(node, op));
  if (constant) return *std::move(constant);
  Known result;
  if (op == CnnOperator::Shape) return shape_result(node);
  result.kind = Known::Kind::Map;
  if (op == CnnOperator::Concat) {
    AMBRY_TRY(result.map, concat_pool(node));
    return result;
  }
  // Sums take their operands in any order.
  if (op == CnnOperator::Add) {
    AMBRY_TRY(result.map, add(node));
    return result;
  }
  AMBRY_TRY(const Map* in, map_of(node, file_.input(node, 0)));
  AMBRY_TRY(result.map, map_result(node, op, *in));
  return result;
}

// The result where no input is a map: a constant, or numbers of a shape.
Result<std::optional<KnownValue>> NetworkReader::constant_result(const Node& node, CnnOperator op) {
  const auto names = file_.graph().inputs_of(node);
  const auto is_map = [&](NameId name) { return known_[name].kind == Known::Kind::Map; };
  if (std::ranges::any_of(names, is_map)) return std::optional<Known>();
  Known result;
  result.kind = Known::Kind::Constant;
  const bool constant = std::ranges::all_of(names, [&](NameId name) { return is_constant(name); });
  const bool passes = op == CnnOperator::Identity || op == CnnOperator::Cast ||
                      op == CnnOperator::Transpose || op == CnnOperator::Constant;
  if (constant && passes) return std::optional(std::move(result));
  std::vector<ShapeNumbers> inputs;
  for (const NameId name : names) {
    if (known_[name].kind == Known::Kind::Numbers) {
      inputs.push_back(known_[name].numbers);
      continue;
    }
    AMBRY_TRY(auto numbers, shape_constant(file_, name));
    if (!numbers) return file_.refuse(node, "computes neither a map nor a shape");
    inputs.push_back(*std::move(numbers));
  }
  result.kind = Known::Kind::Numbers;
  AMBRY_TRY(result.numbers, compute_numbers(file_, node, op, inputs));
  return std::optional(std::move(result));
}

Result<NetworkMap> NetworkReader::map_result(const Node& node, CnnOperator op, const Map& in) {
  switch (op) {
    case CnnOperator::Conv:
      return conv(node, in);
    case CnnOperator::BatchNormalization:
      return batch_norm(node, in);
    case CnnOperator::Relu: {
      Map map = append(in, CnnOp::Relu, in.shape);
      map.is_positive = true;
      return map;
    }
    case CnnOperator::MaxPool:
      return pool(node, in, CnnOp::MaxPool);
    case CnnOperator::AveragePool:
      return pool(node, in, CnnOp::AveragePool);
    case CnnOperator::GlobalMaxPool:
      return whole_pool(node, in, CnnOp::MaxPool, false);
    case CnnOperator::GlobalAveragePool:
      return whole_pool(node, in, CnnOp::AveragePool, false);
    case CnnOperator::ReduceMean:
      return reduce_mean(node, in);
    case CnnOperator::Flatten: {
      const int64_t axis = file_.int_of(node, "axis", 1);
      if (axis == 1 || axis == (in.is_flat ? -1 : -3)) return flattened(in);
      return file_.refuse(node, "only axis 1 is supported");
    }
    case CnnOperator::Reshape:
      return reshape(node, in);
    case CnnOperator::Squeeze:
      return squeeze(node, in);
    case CnnOperator::Gemm:
      return gemm(node, in);
    case CnnOperator::MatMul:
      return mat_mul(node, in);
    case CnnOperator::Softmax:
      return softmax(node, in);
    case CnnOperator::Identity:
    case CnnOperator::Dropout:
    case CnnOperator::Cast:
      return same(node, in);
    default:
      return file_.refuse(node, "cannot be applied to a map here");
  }
}

// Identity, Dropout without training, and Cast to the type that maps have.
Result<NetworkMap> NetworkReader::same(const Node& node, const Map& in) {
  const auto to = file_.int_of(node, "to", static_cast<int64_t>(DataType::Float));
  if (to != static_cast<int64_t>(DataType::Float)) {
    return file_.refuse(node, "maps are of float32 only");
  }
  if (file_.input(node, 2) != kNoName) return file_.refuse(node, "training is not supported");
  Map map = in;
  if (uses_[file_.input(node, 0)].count != 1) map.layer = GraphLayer::kNone;
  return map;
}

Result<const NetworkMap*> NetworkReader::map_of(const Node& node, NameId value) {
  const Known& known = known_[value];
  if (known.kind == Known::Kind::Map && known.map.half == Map::Half::None) return &known.map;
  return file_.refuse(node, {file_.model().names[value], " is no map or vector here"});
}

bool NetworkReader::is_constant(NameId value) const {
  return known_[value].kind == Known::Kind::Constant;
}

NetworkMap NetworkReader::append(const Map& in, CnnOp op, CnnShape shape, CnnNode node) {
  node.op = op;
  node.in = in.value;
  is_read_[in.value] = true;
  is_read_.push_back(false);
  Map map;
  map.value = model::append_node(network_.graph, std::move(node));
  map.shape = shape;
  map.is_flat = in.is_flat;
  return map;
}

Result<void> NetworkReader::read_output() {
  const auto& outputs = file_.graph().outputs;
  const auto fail = [&](const Text& message) {
    const bool any = !outputs.empty();
    return error_at(ErrorCode::Unsupported, any ? outputs[0].byte_offset : kNoOffset,
                    any ? file_.model().names[outputs[0].name] : "graph.output", message);
  };
  if (outputs.size() != 1) return fail("the network must have one output");
  const Known& known = known_[outputs[0].name];
  if (known.kind != Known::Kind::Map || known.map.half != Map::Half::None ||
      known.map.shape.plane() != 1) {
    return fail("the output is no vector with a number for each class");
  }
  if (outputs[0].kind == ValueInfo::Kind::Tensor && outputs[0].type != DataType::Float) {
    return fail("only an output of float32 is supported");
  }
  // The stated shape is [batch, n], or [batch, n, 1, 1] for a map.
  const auto dims = file_.graph().dims_of(outputs[0]);
  const bool fits = !outputs[0].has_shape ||
                    (dims.size() == (known.map.is_flat ? 2 : 4) &&
                     (!dims[1].is_number() || dims[1].number() == known.map.shape.channels));
  if (!fits) return fail("the output has another shape than the graph states");
  network_.graph.output = known.map.value;
  is_read_[known.map.value] = true;
  return {};
}

Result<void> NetworkReader::check_all_used() const {
  for (const Node& node : file_.graph().nodes) {
    const Known& known = known_[file_.output(node)];
    if (known.kind == Known::Kind::Map && known.map.half == Map::Half::None &&
        !is_read_[known.map.value]) {
      return file_.refuse(node, "nothing reads its result");
    }
  }
  return {};
}

namespace {

// Far above those of a network with model::kMaxCnnNodes operations.
constexpr size_t kMaxNames = size_t{1} << 17;

// The nodes before the first one that no network for pictures has.
size_t count_network_nodes(const OnnxFile& file) {
  const auto& nodes = file.graph().nodes;
  const auto other =
      std::ranges::find_if(nodes, [&](const Node& node) { return !cnn_operator(file, node); });
  return static_cast<size_t>(other - nodes.begin());
}

}  // namespace

Result<GraphNetwork> read_network(const OnnxFile& file) {
  const ValueInfo* input = picture_input(file);
  if (input == nullptr) return refuse_undescribed(file, count_network_nodes(file));
  if (file.model().names.size() > kMaxNames) {
    return make_error(ErrorCode::LimitExceeded, "graph",
                      {"more than ", uint64_t{kMaxNames},
                       " names; no network for pictures has so "
                       "many"});
  }
  return NetworkReader(file).run(*input);
}

}  // namespace ambry::convert::onnx
