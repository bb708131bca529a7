#include "kernels/gemm/groups/group_tile_int16.h"

#include <gtest/gtest.h>

#include <vector>

#include "kernels/test_random.h"
#include "simd/all_isas.h"

namespace ambry::kernels {
namespace {

template <class V>
class GroupTileInt16Test : public ::testing::Test {};
TYPED_TEST_SUITE(GroupTileInt16Test, TypedIsas, IsaNames);

std::vector<int16_t> random_pairs(TestRandom& random, size_t n, uint32_t most) {
  std::vector<int16_t> pairs(n);
  for (int16_t& pair : pairs) {
    pair = static_cast<int16_t>(random.bits() % (2 * most + 1) - most);
  }
  return pairs;
}

// Element i of a column of a panel.
int64_t at(const std::vector<int16_t>& panel, size_t i, size_t column) {
  return panel[(i / 2 * kPanelColumns + column) * 2 + i % 2];
}

struct Side {
  std::vector<int16_t> pairs;
  std::vector<float> scales;
  std::vector<int32_t> zero_points;
  std::vector<int32_t> sums;

  [[nodiscard]] QuantizedGroups view(bool asymmetric) const {
    return {pairs.data(), scales.data(), asymmetric ? zero_points.data() : nullptr, sums.data()};
  }
};

// Compares with a literal implementation of core/formats/tinyruntime/README.md#dq8-sum. Zero points
// that overflow the sum wrap.
TYPED_TEST(GroupTileInt16Test, AddsGroupsInOrder) {
  using V = TypeParam;
  constexpr size_t kRows = 3;
  for (const GroupShape shape :
       {GroupShape{1, 1}, GroupShape{5, 1}, GroupShape{3, 4}, GroupShape{2, 32}}) {
    TestRandom random(shape.n_groups);
    Side a{random_pairs(random, kRows * shape.row_size(), 128),
           random.floats(kRows * shape.n_groups),
           {},
           {}};
    Side b{random_pairs(random, kPanelColumns * shape.row_size(), 128),
           random.floats(shape.n_groups * kPanelColumns),
           {},
           {}};
    const size_t group = 2 * shape.n_pairs;
    for (size_t i = 0; i < a.scales.size(); ++i) {
      a.zero_points.push_back(static_cast<int32_t>(i * 1234567));
      int64_t sum = 0;
      for (size_t k = 0; k < group; ++k) sum += a.pairs[i * group + k] - a.zero_points[i];
      a.sums.push_back(static_cast<int32_t>(sum));
    }
    for (size_t i = 0; i < b.scales.size(); ++i) {
      b.zero_points.push_back(-static_cast<int32_t>(i * 98765));
      int64_t sum = 0;
      for (size_t k = 0; k < group; ++k) {
        sum += at(b.pairs, i / kPanelColumns * group + k, i % kPanelColumns);
      }
      b.sums.push_back(static_cast<int32_t>(sum));
    }
    for (const bool asymmetric : {false, true}) {
      std::vector<float> sums(2 * kPanelColumns);
      multiply_groups<V>(shape, a.view(asymmetric), 1, 2, b.view(asymmetric), sums.data());
      for (size_t r = 0; r < 2; ++r) {
        for (size_t c = 0; c < kPanelColumns; ++c) {
          float wanted = 0;
          for (size_t g = 0; g < shape.n_groups; ++g) {
            const size_t of_a = (1 + r) * shape.n_groups + g;
            const size_t of_b = g * kPanelColumns + c;
            uint32_t isum = 0;
            for (size_t k = 0; k < group; ++k) {
              const int64_t q = at(b.pairs, g * group + k, c);
              const int64_t w = a.pairs[of_a * group + k];
              isum += static_cast<uint32_t>(
                  asymmetric ? (q - b.zero_points[of_b]) * (w - a.zero_points[of_a]) : q * w);
            }
            const float x = static_cast<float>(static_cast<int32_t>(isum)) * b.scales[of_b];
            wanted += x * a.scales[of_a];
          }
          EXPECT_EQ(sums[r * kPanelColumns + c], wanted) << shape.n_groups << asymmetric;
        }
      }
    }
  }
}

}  // namespace
}  // namespace ambry::kernels
