// Σ a[i] b[i] with four accumulators in a fixed order.
#pragma once

#include <cassert>
#include <span>

namespace ambry::kernels {

template <class V>
[[nodiscard]] float dot(std::span<const float> a, std::span<const float> b) {
  assert(a.size() == b.size());
  constexpr size_t kStep = 4 * V::kLanes;
  auto acc0 = V::zero();
  auto acc1 = V::zero();
  auto acc2 = V::zero();
  auto acc3 = V::zero();
  size_t i = 0;
  for (; i + kStep <= a.size(); i += kStep) {
    acc0 = V::madd(V::load(&a[i]), V::load(&b[i]), acc0);
    acc1 = V::madd(V::load(&a[i + V::kLanes]), V::load(&b[i + V::kLanes]), acc1);
    acc2 = V::madd(V::load(&a[i + 2 * V::kLanes]), V::load(&b[i + 2 * V::kLanes]), acc2);
    acc3 = V::madd(V::load(&a[i + 3 * V::kLanes]), V::load(&b[i + 3 * V::kLanes]), acc3);
  }
  for (; i + V::kLanes <= a.size(); i += V::kLanes) {
    acc0 = V::madd(V::load(&a[i]), V::load(&b[i]), acc0);
  }
  float sum = V::reduce_add(V::add(V::add(acc0, acc2), V::add(acc1, acc3)));
  for (; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace ambry::kernels
