#include "search/map/map_layout.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <utility>

namespace ambry::search {
namespace {

constexpr uint64_t kLayoutSeed = 0x4D4150;
// Many points need fewer epochs: more of them are moved in each.
constexpr double kMostEpochs = 300;
constexpr double kLeastEpochs = 100;
constexpr double kFewPoints = 2000;
constexpr size_t kLots = 4;  // points that push, for each neighbour
constexpr size_t kPointsOfStep = 2048;
constexpr float kFirstExtent = 10;  // of the coordinates when the work begins
constexpr float kScatter = 0.01F;   // parts equal points
constexpr float kLongestMove = 4;
constexpr float kLeastSquare = 0.001F;  // keeps the push of touching points finite

float bounded(float move) { return std::clamp(move, -kLongestMove, kLongestMove); }

size_t epochs_for(size_t n_points) {
  if (n_points == 0) return 0;
  const double epochs = kMostEpochs * std::sqrt(kFewPoints / static_cast<double>(n_points));
  return static_cast<size_t>(std::clamp(epochs, kLeastEpochs, kMostEpochs));
}

struct Moments {
  double x = 0;
  double y = 0;
  double xx = 0;
  double xy = 0;
  double yy = 0;
};

Moments moments_of(const std::vector<float>& points) {
  Moments sums;
  const size_t n_points = points.size() / 2;
  const auto n = static_cast<double>(n_points);
  for (size_t i = 0; i < points.size(); i += 2) {
    sums.x += double{points[i]} / n;
    sums.y += double{points[i + 1]} / n;
  }
  for (size_t i = 0; i < points.size(); i += 2) {
    const double x = double{points[i]} - sums.x;
    const double y = double{points[i + 1]} - sums.y;
    sums.xx += x * x / n;
    sums.xy += x * y / n;
    sums.yy += y * y / n;
  }
  return sums;
}

// The direction in which points vary most, of length 1.
std::array<double, 2> direction_of(const Moments& sums) {
  const double half = (sums.xx - sums.yy) / 2;
  const double root = std::sqrt(half * half + sums.xy * sums.xy);
  const double along = half + root;
  const double length = std::sqrt(along * along + sums.xy * sums.xy);
  if (length == 0) return half < 0 ? std::array{0.0, 1.0} : std::array{1.0, 0.0};
  return {along / length, sums.xy / length};
}

}  // namespace

Layout::Layout(std::vector<float> points, std::vector<uint32_t> neighbours, size_t count)
    : points_(std::move(points)),
      neighbours_(std::move(neighbours)),
      count_(count),
      epochs_(epochs_for(points_.size() / 2)),
      random_(kLayoutSeed) {
  assert(neighbours_.size() == n_points() * count);
  float extent = 0;
  for (const float x : points_) extent = std::max(extent, std::abs(x));
  const float scale = extent > 0 ? kFirstExtent / extent : 0;
  for (float& x : points_) {
    const float lot = static_cast<float>(random_.next() >> 40) / 8388608.0F - 1.0F;
    x = x * scale + kScatter * lot;
  }
  if (n_points() < 2 || count == 0) epoch_ = epochs_;
}

uint32_t Layout::progress() const {
  const uint64_t done = uint64_t{epoch_} * n_points() + next_;
  return static_cast<uint32_t>(1000 * done / (uint64_t{epochs_} * n_points()));
}

bool Layout::step() {
  if (epoch_ == epochs_) return false;
  rate_ = 1 - static_cast<float>(epoch_) / static_cast<float>(epochs_);
  const size_t end = std::min(next_ + kPointsOfStep, n_points());
  for (; next_ < end; ++next_) move(next_);
  if (next_ == n_points()) {
    next_ = 0;
    ++epoch_;
  }
  return epoch_ < epochs_;
}

void Layout::move(size_t i) {
  float* const point = &points_[2 * i];
  const uint64_t n = n_points();
  for (size_t k = 0; k < count_; ++k) {
    attract(point, &points_[2 * size_t{neighbours_[i * count_ + k]}]);
    for (size_t lot = 0; lot < kLots; ++lot) {
      repel(point, &points_[2 * static_cast<size_t>((random_.next() >> 32) * n >> 32)]);
    }
  }
}

void Layout::attract(float* point, float* other) const {
  const float x = point[0] - other[0];
  const float y = point[1] - other[1];
  const float pull = -2 / (1 + x * x + y * y);
  const float by_x = rate_ * bounded(pull * x);
  const float by_y = rate_ * bounded(pull * y);
  point[0] += by_x;
  point[1] += by_y;
  other[0] -= by_x;
  other[1] -= by_y;
}

void Layout::repel(float* point, const float* other) const {
  const float x = point[0] - other[0];
  const float y = point[1] - other[1];
  const float square = x * x + y * y;
  const float push = 2 / ((kLeastSquare + square) * (1 + square));
  point[0] += rate_ * bounded(push * x);
  point[1] += rate_ * bounded(push * y);
}

std::vector<float> Layout::points() const {
  const Moments sums = moments_of(points_);
  const auto [c, s] = direction_of(sums);
  const double variance = sums.xx + sums.yy;
  const double scale = variance > 0 ? 1 / std::sqrt(variance) : 0;
  std::vector<float> points(points_.size());
  for (size_t i = 0; i < points.size(); i += 2) {
    const double x = (double{points_[i]} - sums.x) * scale;
    const double y = (double{points_[i + 1]} - sums.y) * scale;
    points[i] = static_cast<float>(c * x + s * y);
    points[i + 1] = static_cast<float>(c * y - s * x);
  }
  return points;
}

}  // namespace ambry::search
