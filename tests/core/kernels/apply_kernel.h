// Applies a kernel that works on one vector to any number of floats.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

namespace ambry {

template <class V, class Function>
std::vector<float> apply(const std::vector<float>& in, Function&& function) {
  std::vector<float> out(in.size());
  for (size_t i = 0; i < in.size(); i += V::kLanes) {
    const size_t n = std::min(V::kLanes, in.size() - i);
    std::array<float, V::kLanes> lanes{};
    std::copy_n(&in[i], n, lanes.begin());
    V::store(lanes.data(), function(V::load(lanes.data())));
    std::copy_n(lanes.begin(), n, &out[i]);
  }
  return out;
}

}  // namespace ambry
