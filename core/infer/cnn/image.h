// A picture as the input of a network: cut or stretched to the input's form, made smaller or larger
// by a triangle filter as wide as the step between two results, and normalised.
#pragma once

#include <span>

#include "base/bytes.h"
#include "base/result.h"
#include "model/cnn/cnn_plan.h"

namespace ambry::infer {

struct Image {
  uint32_t width = 0;
  uint32_t height = 0;
  Bytes rgba;  // four bytes a pixel, row by row, not multiplied by alpha
};

// `input` has as many numbers as `shape`, of 1 channel (the picture's luma, BT.601) or of 3 (RGB).
// What is transparent shows white. BadValue for a picture without pixels.
[[nodiscard]] Result<void> image_to_input(const Image& image, const model::CnnImage& preprocessing,
                                          const model::CnnShape& shape, std::span<float> input);

}  // namespace ambry::infer
