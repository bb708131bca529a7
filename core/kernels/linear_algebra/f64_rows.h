// Linear algebra in doubles on one or two rows of a matrix. Sums run over the lanes in a fixed
// order, so Baseline gives the same results in every build.
#pragma once

#include <cassert>
#include <cstddef>
#include <span>

namespace ambry::kernels {

struct DotProducts {
  double aa;
  double ab;
  double bb;
};

template <class V>
[[nodiscard]] DotProducts dot_products(std::span<const double> a, std::span<const double> b) {
  assert(a.size() == b.size());
  auto aa = V::splat64(0.0);
  auto ab = aa;
  auto bb = aa;
  size_t i = 0;
  for (; i + V::kLanes <= a.size(); i += V::kLanes) {
    const auto x = V::load64(&a[i]);
    const auto y = V::load64(&b[i]);
    aa = V::add64(aa, V::mul64(x, x));
    ab = V::add64(ab, V::mul64(x, y));
    bb = V::add64(bb, V::mul64(y, y));
  }
  DotProducts sums{V::reduce_add64(aa), V::reduce_add64(ab), V::reduce_add64(bb)};
  for (; i < a.size(); ++i) {
    sums.aa += a[i] * a[i];
    sums.ab += a[i] * b[i];
    sums.bb += b[i] * b[i];
  }
  return sums;
}

// (a, b) = (c a - s b, s a + c b).
template <class V>
void rotate_rows(std::span<double> a, std::span<double> b, double c, double s) {
  assert(a.size() == b.size());
  const auto cosine = V::splat64(c);
  const auto sine = V::splat64(s);
  size_t i = 0;
  for (; i + V::kLanes <= a.size(); i += V::kLanes) {
    const auto x = V::load64(&a[i]);
    const auto y = V::load64(&b[i]);
    V::store64(&a[i], V::sub64(V::mul64(cosine, x), V::mul64(sine, y)));
    V::store64(&b[i], V::add64(V::mul64(sine, x), V::mul64(cosine, y)));
  }
  for (; i < a.size(); ++i) {
    const double x = a[i];
    a[i] = c * x - s * b[i];
    b[i] = s * x + c * b[i];
  }
}

// to += factor * row.
template <class V>
void axpy(std::span<const double> row, double factor, std::span<double> to) {
  assert(row.size() == to.size());
  const auto times = V::splat64(factor);
  size_t i = 0;
  for (; i + V::kLanes <= row.size(); i += V::kLanes) {
    V::store64(&to[i], V::add64(V::load64(&to[i]), V::mul64(times, V::load64(&row[i]))));
  }
  for (; i < row.size(); ++i) to[i] += factor * row[i];
}

}  // namespace ambry::kernels
