// Converts an image to the input of a network: crops or stretches it to the input's shape,
// resamples it with a triangle filter, and normalizes it. The filter is as wide as the step between
// two output pixels.
#pragma once

#include <span>

#include "base/bytes.h"
#include "base/result.h"
#include "model/cnn/cnn_plan.h"

namespace ambry::infer {

struct Image {
  uint32_t width = 0;
  uint32_t height = 0;
  Bytes rgba;  // four bytes per pixel, row by row, alpha not premultiplied
};

// `input` has as many values as `shape`, in 1 channel (luma, BT.601) or 3 (RGB). Transparent pixels
// show white. BadValue for an image without pixels.
[[nodiscard]] Result<void> image_to_input(const Image& image, const model::CnnImage& preprocessing,
                                          const model::CnnShape& shape, std::span<float> input);

}  // namespace ambry::infer
