#include "convert/onnx/cnn/network_reader.h"

#include <utility>

#include "convert/onnx/cnn/window.h"

namespace ambry::convert::onnx {

using formats::onnx::Node;
using model::CnnNode;
using model::CnnOp;
using model::CnnShape;

Result<NetworkMap> NetworkReader::pool(const Node& node, const Map& in, CnnOp op) {
  if (in.is_flat) return file_.refuse(node, "takes maps only");
  if (file_.int_of(node, "storage_order", 0) != 0) {
    return file_.refuse(node, "only storage_order 0 is supported");
  }
  AMBRY_TRY(const CnnWindow window, read_window(file_, node, in.shape, 0));
  if (window.padding >= window.kernel) return file_.refuse(node, "pads more than its window has");
  if (op == CnnOp::AveragePool && window.padding > 0 &&
      file_.int_of(node, "count_include_pad", 0) != 1) {
    return file_.refuse(node, "the padding must count (count_include_pad)");
  }
  const bool whole =
      window.padding == 0 && window.kernel == in.shape.height && window.kernel == in.shape.width;
  if (whole) return whole_pool(node, in, op, false);
  if (op == CnnOp::MaxPool && !in.is_positive && !is_before_relu(file_.output(node))) {
    return file_.refuse(node, "must be behind or before a Relu: tinyRuntime's maxima start from 0");
  }
  CnnNode made;
  made.kernel = window.kernel;
  made.stride = window.stride;
  made.padding = window.padding;
  const auto places = [&](uint32_t extent) {
    return static_cast<uint32_t>(window_places(window, extent));
  };
  Map map = append(in, op, {in.shape.channels, places(in.shape.height), places(in.shape.width)},
                   std::move(made));
  map.is_positive = in.is_positive;
  return map;
}

// A pool over the whole map. Where only a Concat reads it, it is half of a concat pool.
Result<NetworkMap> NetworkReader::whole_pool(const Node& node, const Map& in, CnnOp op,
                                             bool is_flat) {
  const bool maxima = op == CnnOp::MaxPool;
  if (in.is_flat || in.shape.height != in.shape.width) {
    return file_.refuse(node, "pools square maps only");
  }
  if (maxima && !in.is_positive && !is_before_relu(file_.output(node))) {
    return file_.refuse(node, "must be behind or before a Relu: tinyRuntime's maxima start from 0");
  }
  const CnnShape shape{in.shape.channels};
  const Uses& uses = uses_[file_.output(node)];
  if (uses.concats == 1 && uses.count == 1 && !is_flat) {
    Map half;
    half.shape = shape;
    half.half = maxima ? Map::Half::Maxima : Map::Half::Means;
    half.pooled = in.value;
    half.is_positive = in.is_positive;
    return half;
  }
  CnnNode made;
  made.kernel = in.shape.height;
  Map map = append(in, op, shape, std::move(made));
  map.is_flat = is_flat;
  map.is_positive = in.is_positive;
  return map;
}

bool NetworkReader::is_before_relu(NameId value) const {
  return uses_[value].count > 0 && uses_[value].relus == uses_[value].count;
}

Result<NetworkMap> NetworkReader::reduce_mean(const Node& node, const Map& in) {
  constexpr int64_t kAxesAsInput = 18;
  AMBRY_TRY(auto axes, axes_of(node, kAxesAsInput));
  if (in.is_flat || !are_plane(std::move(axes))) {
    return file_.refuse(node, "only the mean of height and width is supported");
  }
  return whole_pool(node, in, CnnOp::AveragePool, file_.int_of(node, "keepdims", 1) == 0);
}

Result<NetworkMap> NetworkReader::concat_pool(const Node& node) {
  const auto names = file_.graph().inputs_of(node);
  const Map& first = known_[names[0]].map;
  const Map& second = known_[names.back()].map;
  const int64_t axis = file_.int_of(node, "axis", 0);
  if (names.size() != 2 || first.half != Map::Half::Maxima || second.half != Map::Half::Means ||
      first.pooled != second.pooled || (axis != 1 && axis != -3)) {
    return file_.refuse(node, "joins only the maxima and then the means of one whole map");
  }
  Map pooled;
  pooled.value = first.pooled;
  pooled.shape = first.shape;
  Map map = append(pooled, CnnOp::ConcatPool, {2 * first.shape.channels});
  map.is_positive = first.is_positive;
  return map;
}

Result<NetworkMap> NetworkReader::softmax(const Node& node, const Map& in) {
  constexpr int64_t kLastAxisByDefault = 13;
  const int64_t without = file_.model().opset() >= kLastAxisByDefault ? -1 : 1;
  const int64_t axis = file_.int_of(node, "axis", without);
  if (!in.is_flat || (axis != 1 && axis != -1)) {
    return file_.refuse(node, "only the softmax of each vector is supported");
  }
  const NameId result = file_.output(node);
  if (file_.graph().outputs.empty() || file_.graph().outputs[0].name != result ||
      uses_[result].count != 1) {
    return file_.refuse(node, "is supported only at the end");
  }
  return append(in, CnnOp::Softmax, in.shape);
}

}  // namespace ambry::convert::onnx
