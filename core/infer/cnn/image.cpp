#include "infer/cnn/image.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <vector>

namespace ambry::infer {
namespace {

constexpr size_t kRgba = 4;
constexpr size_t kRgb = 3;

// The part of an axis that is used.
struct CropRange {
  double from;
  double length;
};

// The weights of one resampled pixel: of the input pixels from `first` on.
struct ResampleWeights {
  size_t first;
  std::vector<float> weights;
};

std::vector<ResampleWeights> resample_weights(size_t extent, const CropRange& range,
                                              size_t results) {
  const double step = range.length / static_cast<double>(results);
  const double reach = std::max(step, 1.0);
  std::vector<ResampleWeights> all;
  for (size_t i = 0; i < results; ++i) {
    const double centre = range.from + (static_cast<double>(i) + 0.5) * step;
    const double last = std::min(centre + reach, static_cast<double>(extent));
    ResampleWeights window{static_cast<size_t>(std::max(centre - reach, 0.0)), {}};
    double sum = 0;
    std::vector<double> weights;
    for (size_t at = window.first; static_cast<double>(at) < last; ++at) {
      const double distance = std::abs(static_cast<double>(at) + 0.5 - centre) / reach;
      weights.push_back(std::max(0.0, 1.0 - distance));
      sum += weights.back();
    }
    for (const double weight : weights) window.weights.push_back(static_cast<float>(weight / sum));
    all.push_back(std::move(window));
  }
  return all;
}

// Crops both axes around the middle to the proportions of `shape`.
std::array<CropRange, 2> crop_ranges(const Image& image, const model::CnnShape& shape, bool crop) {
  double width = image.width;
  double height = image.height;
  if (crop) {
    const double proportion = static_cast<double>(shape.width) / shape.height;
    width = std::min(width, height * proportion);
    height = std::min(height, width / proportion);
  }
  return {CropRange{(image.width - width) / 2, width},
          CropRange{(image.height - height) / 2, height}};
}

// Resamples one row of the image over white to the width of the input.
void resample_row(const uint8_t* rgba, const std::vector<ResampleWeights>& columns, float* to) {
  for (const ResampleWeights& window : columns) {
    std::array<float, kRgb> sums{};
    const uint8_t* pixel = rgba + window.first * kRgba;
    for (const float weight : window.weights) {
      const float alpha = static_cast<float>(pixel[kRgb]) / 255.0F;
      for (size_t c = 0; c < kRgb; ++c) {
        sums[c] += weight * (static_cast<float>(pixel[c]) * alpha + 255.0F * (1.0F - alpha));
      }
      pixel += kRgba;
    }
    to = std::ranges::copy(sums, to).out;
  }
}

float luma(const float* rgb) { return 0.299F * rgb[0] + 0.587F * rgb[1] + 0.114F * rgb[2]; }

}  // namespace

Result<void> image_to_input(const Image& image, const model::CnnImage& preprocessing,
                            const model::CnnShape& shape, std::span<float> input) {
  const size_t n_pixels = image.rgba.size() / kRgba;
  if (n_pixels == 0 || image.width == 0 || n_pixels / image.width != image.height) {
    return make_error(ErrorCode::BadValue, "picture",
                      "has no pixels, or not width * height of them");
  }
  assert(input.size() == shape.count() && preprocessing.mean.size() == shape.channels);
  const auto [across, down] = crop_ranges(image, shape, preprocessing.crop);
  const std::vector<ResampleWeights> columns = resample_weights(image.width, across, shape.width);
  const std::vector<ResampleWeights> rows = resample_weights(image.height, down, shape.height);
  const size_t row = kRgb * shape.width;
  std::vector<float> source_row(row);
  std::vector<float> resampled(row);
  for (size_t y = 0; y < shape.height; ++y) {
    std::ranges::fill(resampled, 0.0F);
    for (size_t i = 0; i < rows[y].weights.size(); ++i) {
      const size_t at = (rows[y].first + i) * image.width * kRgba;
      resample_row(image.rgba.data() + at, columns, source_row.data());
      for (size_t k = 0; k < row; ++k) resampled[k] += rows[y].weights[i] * source_row[k];
    }
    for (size_t c = 0; c < shape.channels; ++c) {
      for (size_t x = 0; x < shape.width; ++x) {
        const float* rgb = &resampled[kRgb * x];
        const float value = shape.channels == kRgb ? rgb[c] : luma(rgb);
        input[(c * shape.height + y) * shape.width + x] =
            (value / 255.0F - preprocessing.mean[c]) / preprocessing.deviation[c];
      }
    }
  }
  return {};
}

}  // namespace ambry::infer
