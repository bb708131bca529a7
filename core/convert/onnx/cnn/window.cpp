#include "convert/onnx/cnn/window.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace ambry::convert::onnx {
namespace {

using formats::onnx::Node;
using model::CnnShape;

constexpr int64_t kMaxWindow = int64_t{1} << 20;

// The number that the list repeats, for each of `n` places. `without` if there is no list.
Result<uint32_t> repeated(const OnnxFile& file, const Node& node, std::string_view attribute,
                          size_t n, int64_t without) {
  const auto list = file.ints_of(node, attribute);
  if (!list) return static_cast<uint32_t>(without);
  const bool same = std::ranges::all_of(*list, [&](int64_t each) { return each == list->front(); });
  if (list->size() != n || !same) {
    return file.refuse(node, {attribute, " must be ", uint64_t{n}, " times one number"});
  }
  if (list->front() < 0 || list->front() > kMaxWindow) {
    return file.refuse(node, {attribute, " is outside 0…", static_cast<uint64_t>(kMaxWindow)});
  }
  return static_cast<uint32_t>(list->front());
}

// `SAME_UPPER` and `SAME_LOWER` differ only where the padding is odd, which no layer here has.
Result<uint32_t> same_padding(const OnnxFile& file, const Node& node, const CnnWindow& window,
                              const CnnShape& in) {
  std::array<uint64_t, 2> totals{};
  const std::array<uint64_t, 2> extents = {in.height, in.width};
  for (size_t i = 0; i < 2; ++i) {
    const uint64_t places = (extents[i] + window.stride - 1) / window.stride;
    const uint64_t covered = (places - 1) * window.stride + window.kernel;
    totals[i] = std::max(covered, extents[i]) - extents[i];
  }
  if (totals[0] != totals[1] || totals[0] % 2 != 0) {
    return file.refuse(node, "auto_pad pads the sides differently for this size of picture");
  }
  return static_cast<uint32_t>(totals[0] / 2);
}

Result<uint32_t> read_padding(const OnnxFile& file, const Node& node, const CnnWindow& window,
                              const CnnShape& in) {
  const std::string_view mode = file.text_of(node, "auto_pad");
  if (mode.empty() || mode == "NOTSET") return repeated(file, node, "pads", 4, 0);
  const auto pads = file.ints_of(node, "pads");
  if (pads) return file.refuse(node, "has both auto_pad and pads");
  if (mode == "VALID") return 0U;
  if (mode == "SAME_UPPER" || mode == "SAME_LOWER") return same_padding(file, node, window, in);
  return file.refuse(node, "auto_pad has an unknown value");
}

// Rounding up gives more places than rounding down unless the window ends at the edge.
bool rounds_up(const CnnWindow& window, uint64_t extent) {
  return (extent + 2 * uint64_t{window.padding} - window.kernel) % window.stride != 0;
}

}  // namespace

uint64_t window_places(const CnnWindow& window, uint64_t extent) {
  const uint64_t padded = extent + 2 * uint64_t{window.padding};
  return padded < window.kernel ? 0 : (padded - window.kernel) / window.stride + 1;
}

Result<CnnWindow> read_window(const OnnxFile& file, const Node& node, const CnnShape& in,
                              uint64_t kernel) {
  CnnWindow window;
  AMBRY_TRY(window.kernel, repeated(file, node, "kernel_shape", 2, static_cast<int64_t>(kernel)));
  if (window.kernel == 0 || (kernel != 0 && window.kernel != kernel)) {
    return file.refuse(node, "kernel_shape is missing, or is not that of the weight");
  }
  AMBRY_TRY(window.stride, repeated(file, node, "strides", 2, 1));
  if (window.stride == 0) return file.refuse(node, "strides must be at least 1");
  AMBRY_TRY(const uint32_t dilation, repeated(file, node, "dilations", 2, 1));
  if (dilation != 1) return file.refuse(node, "dilations are not supported");
  AMBRY_TRY(window.padding, read_padding(file, node, window, in));
  if (window_places(window, in.height) == 0 || window_places(window, in.width) == 0) {
    return file.refuse(node, "the window is larger than the picture");
  }
  const int64_t ceil = file.int_of(node, "ceil_mode", 0);
  if (ceil != 0 && (ceil != 1 || rounds_up(window, in.height) || rounds_up(window, in.width))) {
    return file.refuse(node, "ceil_mode makes the result larger, which is not supported");
  }
  return window;
}

}  // namespace ambry::convert::onnx
