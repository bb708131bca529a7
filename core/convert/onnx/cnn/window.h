// The window that a convolution or a pool moves over a picture.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "convert/onnx/graph/onnx_file.h"
#include "model/cnn/cnn_graph.h"

namespace ambry::convert::onnx {

struct CnnWindow {
  uint32_t kernel = 1;
  uint32_t stride = 1;
  uint32_t padding = 0;
};

// Reads the attributes of Conv, MaxPool and AveragePool, for a picture of this size. `kernel` is
// that of a conv's weight, or 0 for pools, which state theirs.
//
// Unsupported for what tinyRuntime's layers do not have: windows, strides and paddings that differ
// between the axes or sides, dilations, and a rounding that makes the result larger.
[[nodiscard]] Result<CnnWindow> read_window(const OnnxFile& file, const formats::onnx::Node& node,
                                            const model::CnnShape& in, uint64_t kernel);

// The number of places of the window along an axis; 0 if it does not fit.
[[nodiscard]] uint64_t window_places(const CnnWindow& window, uint64_t extent);

}  // namespace ambry::convert::onnx
