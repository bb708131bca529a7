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

// The part of an axis that is shown.
struct Part {
  double from;
  double length;
};

// What one result is mixed from: weights of neighbours from `first` on.
struct Mix {
  size_t first;
  std::vector<float> weights;
};

std::vector<Mix> mixes(size_t extent, const Part& part, size_t results) {
  const double step = part.length / static_cast<double>(results);
  const double reach = std::max(step, 1.0);
  std::vector<Mix> all;
  for (size_t i = 0; i < results; ++i) {
    const double centre = part.from + (static_cast<double>(i) + 0.5) * step;
    const double last = std::min(centre + reach, static_cast<double>(extent));
    Mix mix{static_cast<size_t>(std::max(centre - reach, 0.0)), {}};
    double sum = 0;
    std::vector<double> weights;
    for (size_t at = mix.first; static_cast<double>(at) < last; ++at) {
      const double distance = std::abs(static_cast<double>(at) + 0.5 - centre) / reach;
      weights.push_back(std::max(0.0, 1.0 - distance));
      sum += weights.back();
    }
    for (const double weight : weights) mix.weights.push_back(static_cast<float>(weight / sum));
    all.push_back(std::move(mix));
  }
  return all;
}

// The middle of both axes in the proportion of `shape`.
std::array<Part, 2> shown(const Picture& picture, const model::CnnShape& shape, bool crop) {
  double width = picture.width;
  double height = picture.height;
  if (crop) {
    const double proportion = static_cast<double>(shape.width) / shape.height;
    width = std::min(width, height * proportion);
    height = std::min(height, width / proportion);
  }
  return {Part{(picture.width - width) / 2, width}, Part{(picture.height - height) / 2, height}};
}

// One row of the picture over white, made as wide as the input.
void mix_row(const uint8_t* rgba, const std::vector<Mix>& columns, float* to) {
  for (const Mix& mix : columns) {
    std::array<float, kRgb> sums{};
    const uint8_t* pixel = rgba + mix.first * kRgba;
    for (const float weight : mix.weights) {
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

Result<void> read_picture(const Picture& picture, const model::CnnImage& image,
                          const model::CnnShape& shape, std::span<float> input) {
  const size_t n_pixels = picture.rgba.size() / kRgba;
  if (n_pixels == 0 || picture.width == 0 || n_pixels / picture.width != picture.height) {
    return make_error(ErrorCode::BadValue, "picture", "has no pixels, or not as many as it says");
  }
  assert(input.size() == shape.count() && image.mean.size() == shape.channels);
  const auto [across, down] = shown(picture, shape, image.crop);
  const std::vector<Mix> columns = mixes(picture.width, across, shape.width);
  const std::vector<Mix> rows = mixes(picture.height, down, shape.height);
  const size_t row = kRgb * shape.width;
  std::vector<float> source(row);
  std::vector<float> mixed(row);
  for (size_t y = 0; y < shape.height; ++y) {
    std::ranges::fill(mixed, 0.0F);
    for (size_t i = 0; i < rows[y].weights.size(); ++i) {
      const size_t at = (rows[y].first + i) * picture.width * kRgba;
      mix_row(picture.rgba.data() + at, columns, source.data());
      for (size_t k = 0; k < row; ++k) mixed[k] += rows[y].weights[i] * source[k];
    }
    for (size_t c = 0; c < shape.channels; ++c) {
      for (size_t x = 0; x < shape.width; ++x) {
        const float* rgb = &mixed[kRgb * x];
        const float value = shape.channels == kRgb ? rgb[c] : luma(rgb);
        input[(c * shape.height + y) * shape.width + x] =
            (value / 255.0F - image.mean[c]) / image.deviation[c];
      }
    }
  }
  return {};
}

}  // namespace ambry::infer
