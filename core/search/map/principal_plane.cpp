#include "search/map/principal_plane.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/random.h"
#include "kernels/scaled_rows.h"
#include "kernels/similarity/dot_rows.h"
#include "simd/isa.h"

namespace ambry::search {
namespace {

constexpr size_t kSampledRows = 4096;
// More axes than are wanted: the first two are then found in fewer passes.
constexpr size_t kAxes = 4;
constexpr size_t kPasses = 12;
constexpr uint64_t kPlaneSeed = 0x41;
// An axis that loses so much of its length to those before it is only a rounding error.
constexpr double kLeastRest = 1e-6;

double length_of(std::span<const float> vector) {
  double squares = 0;
  for (const float x : vector) squares += double{x} * double{x};
  return std::sqrt(squares);
}

}  // namespace

PrincipalPlane::PrincipalPlane(std::span<const float> rows, size_t dim)
    : rows_(rows), dim_(dim), mean_(dim), axes_(kAxes * dim) {
  const size_t n = rows.size() / dim;
  std::vector<double> sums(dim);
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < dim; ++j) sums[j] += double{row(i)[j]};
  }
  for (size_t j = 0; j < dim; ++j) mean_[j] = static_cast<float>(sums[j] / static_cast<double>(n));
  Random random(kPlaneSeed);
  for (float& x : axes_) x = static_cast<float>(random.next() >> 40) / 8388608.0F - 1.0F;
  orthonormalize();
}

bool PrincipalPlane::step() {
  const size_t n = rows_.size() / dim_;
  const size_t sampled = std::min(n, kSampledRows);
  std::vector<float> sums(kAxes * dim_);
  std::vector<float> centred(dim_);
  std::array<float, kAxes> along{};
  for (size_t i = 0; i < sampled; ++i) {
    const auto from = row(i * n / sampled);
    for (size_t j = 0; j < dim_; ++j) centred[j] = from[j] - mean_[j];
    kernels::dot_rows(axes_.data(), centred, along);
    for (size_t a = 0; a < kAxes; ++a) {
      kernels::add_scaled_row<simd::Best>(centred.data(), along[a],
                                          std::span(sums).subspan(a * dim_, dim_));
    }
  }
  axes_ = std::move(sums);
  orthonormalize();
  return ++passes_ < kPasses;
}

// Gram and Schmidt's way, in doubles.
void PrincipalPlane::orthonormalize() {
  for (size_t a = 0; a < kAxes; ++a) {
    const auto own = axis(a);
    const double before = length_of(own);
    for (size_t b = 0; b < a; ++b) {
      const auto other = axis(b);
      double product = 0;
      for (size_t j = 0; j < dim_; ++j) product += double{own[j]} * double{other[j]};
      for (size_t j = 0; j < dim_; ++j) own[j] -= static_cast<float>(product) * other[j];
    }
    const double rest = length_of(own);
    const double factor = rest > kLeastRest * before ? 1 / rest : 0;
    for (float& x : own) x = static_cast<float>(double{x} * factor);
  }
}

std::vector<float> PrincipalPlane::points() const {
  std::vector<float> points(rows_.size() / dim_ * 2);
  std::array<float, 2> origin{};
  kernels::dot_rows(axes_.data(), mean_, origin);
  for (size_t i = 0; i < points.size() / 2; ++i) {
    const auto point = std::span(points).subspan(2 * i, 2);
    kernels::dot_rows(axes_.data(), row(i), point);
    point[0] -= origin[0];
    point[1] -= origin[1];
  }
  return points;
}

}  // namespace ambry::search
