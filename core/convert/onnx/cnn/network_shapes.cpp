#include "convert/onnx/cnn/network_reader.h"

#include <algorithm>
#include <utility>

namespace ambry::convert::onnx {

using formats::onnx::kNoName;
using formats::onnx::Node;
using model::CnnOp;

// Whether these are the axes of height and width of a map.
bool are_plane(std::vector<int64_t> axes) {
  for (int64_t& axis : axes) axis += axis < 0 ? 4 : 0;
  std::ranges::sort(axes);
  return axes == std::vector<int64_t>{2, 3};
}

// The extents, or those from `start` to `end`.
Result<KnownValue> NetworkReader::shape_result(const Node& node) {
  Known result;
  result.kind = Known::Kind::Numbers;
  AMBRY_TRY(const Map* map, map_of(node, file_.input(node, 0)));
  std::vector<int64_t>& numbers = result.numbers.numbers;
  numbers = {batch_, map->shape.channels};
  if (!map->is_flat) numbers.insert(numbers.end(), {map->shape.height, map->shape.width});
  const auto rank = static_cast<int64_t>(numbers.size());
  const auto place = [&](const char* attribute, int64_t without) {
    const int64_t at = file_.int_of(node, attribute, without);
    return std::clamp<int64_t>(at < 0 ? at + rank : at, 0, rank);
  };
  const int64_t end = place("end", rank);
  numbers.resize(static_cast<size_t>(end));
  numbers.erase(numbers.begin(),
                numbers.begin() + static_cast<ptrdiff_t>(std::min(place("start", 0), end)));
  return result;
}

Result<NetworkMap> NetworkReader::flattened(const Map& in) {
  Map map = in;
  if (in.shape.plane() != 1) {
    map = append(in, CnnOp::Flatten, {static_cast<uint32_t>(in.shape.count())});
    map.is_positive = in.is_positive;
  }
  map.layer = GraphLayer::kNone;
  map.is_flat = true;
  return map;
}

Result<std::vector<int64_t>> NetworkReader::axes_of(const Node& node, int64_t as_input_since) {
  const auto stated = file_.ints_of(node, "axes");
  const NameId input = file_.input(node, 1);
  const bool as_input = file_.model().opset() >= as_input_since;
  if (stated && input == kNoName && !as_input) return *stated;
  if (!stated && input != kNoName && as_input) {
    AMBRY_TRY(auto numbers, shape_constant(file_, input));
    if (numbers && numbers->is_list) return std::move(numbers->numbers);
  }
  return file_.refuse(node, "the axes are not stated as this version of the operators has them");
}

// Only to [batch, all others].
Result<NetworkMap> NetworkReader::reshape(const Node& node, const Map& in) {
  const NameId name = file_.input(node, 1);
  std::optional<ShapeNumbers> shape;
  if (known_[name].kind == Known::Kind::Numbers) {
    shape = known_[name].numbers;
  } else {
    AMBRY_TRY(shape, shape_constant(file_, name));
  }
  const auto count = static_cast<int64_t>(in.shape.count());
  if (!shape || !shape->is_list || shape->numbers.size() != 2) {
    return file_.refuse(node, "only the shape [batch, features] is supported");
  }
  const int64_t rows = shape->numbers[0];
  const int64_t columns = shape->numbers[1];
  const bool keeps = rows == 0 && file_.int_of(node, "allowzero", 0) == 0;
  const bool batch = keeps || rows == batch_ || (rows == 1 && batch_ == kAnyBatch);
  if ((batch && (columns == count || columns == -1)) || (rows == -1 && columns == count)) {
    return flattened(in);
  }
  return file_.refuse(node, "only the shape [batch, features] is supported");
}

Result<NetworkMap> NetworkReader::squeeze(const Node& node, const Map& in) {
  constexpr int64_t kAxesAsInput = 13;
  AMBRY_TRY(auto axes, axes_of(node, kAxesAsInput));
  if (in.is_flat || in.shape.plane() != 1 || !are_plane(std::move(axes))) {
    return file_.refuse(node, "only the axes of height and width can be left out");
  }
  return flattened(in);
}

}  // namespace ambry::convert::onnx
