#include "infer/decoder/steps/stream_steps.h"

namespace ambry::infer {
namespace {

double mean_square(std::span<const float> row) {
  double sum = 0;
  for (const float x : row) sum += static_cast<double>(x) * static_cast<double>(x);
  return sum / static_cast<double>(row.size());
}

}  // namespace

float length_ratio(std::span<const float> like, std::span<const float> row) {
  constexpr double kLeast = 1e-5;
  return static_cast<float>(std::sqrt(mean_square(like)) /
                            std::sqrt(std::max(mean_square(row), kLeast)));
}

void predict_streams(std::span<const float> weights, size_t n_streams, std::span<float> row) {
  const size_t width = row.size() / n_streams;
  std::array<float, model::kMaxStreams> before{};
  for (size_t i = 0; i < width; ++i) {
    for (size_t s = 0; s < n_streams; ++s) before[s] = row[s * width + i];
    for (size_t s = 0; s < n_streams; ++s) {
      float sum = 0;
      for (size_t b = 0; b < n_streams; ++b) sum += before[b] * weights[s * n_streams + b];
      row[s * width + i] = before[s] + sum;
    }
  }
}

}  // namespace ambry::infer
