#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "base/half.h"
#include "simd/all_isas.h"

namespace ambry::simd {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

template <class V>
class IsaTest : public ::testing::Test {
 protected:
  // `kLanes` values, different in every lane.
  static typename V::F32 ramp(float first, float step) {
    std::array<float, V::kLanes> lanes;
    for (size_t i = 0; i < V::kLanes; ++i) lanes[i] = first + step * static_cast<float>(i);
    return V::load(lanes.data());
  }
  static float lane(typename V::F32 v, size_t i) {
    std::array<float, V::kLanes> lanes;
    V::store(lanes.data(), v);
    return lanes[i];
  }
};
TYPED_TEST_SUITE(IsaTest, TypedIsas, IsaNames);

TYPED_TEST(IsaTest, DoesArithmeticLaneByLane) {
  using V = TypeParam;
  const auto a = this->ramp(1.5F, 2.25F);
  const auto b = this->ramp(-3.0F, 0.5F);
  for (size_t i = 0; i < V::kLanes; ++i) {
    const float x = 1.5F + 2.25F * static_cast<float>(i);
    const float y = -3.0F + 0.5F * static_cast<float>(i);
    EXPECT_EQ(this->lane(V::add(a, b), i), x + y);
    EXPECT_EQ(this->lane(V::sub(a, b), i), x - y);
    EXPECT_EQ(this->lane(V::mul(a, b), i), x * y);
    EXPECT_EQ(this->lane(V::div(a, b), i), x / y);
    EXPECT_EQ(this->lane(V::madd(a, b, a), i), x * y + x);
    EXPECT_EQ(this->lane(V::min(a, b), i), std::fmin(x, y));
    EXPECT_EQ(this->lane(V::max(a, b), i), std::fmax(x, y));
    EXPECT_EQ(this->lane(V::select(V::less(b, a), a, b), i), y < x ? x : y);
  }
}

TYPED_TEST(IsaTest, TransposesSquares) {
  using V = TypeParam;
  typename V::F32 square[V::kLanes];
  for (size_t i = 0; i < V::kLanes; ++i) square[i] = this->ramp(10.0F * static_cast<float>(i), 1);
  V::transpose(square);
  for (size_t i = 0; i < V::kLanes; ++i) {
    for (size_t j = 0; j < V::kLanes; ++j) {
      EXPECT_EQ(this->lane(square[i], j), 10.0F * static_cast<float>(j) + static_cast<float>(i));
    }
  }
}

TYPED_TEST(IsaTest, ReadsConstantsFromMemory) {
  using V = TypeParam;
  std::array<int32_t, V::kLanes> ints;
  V::store_i32(ints.data(), V::template constant_i32<-0x0F0F0F0F>());
  for (size_t i = 0; i < V::kLanes; ++i) {
    EXPECT_EQ(this->lane(V::template constant<-0.1F>(), i), -0.1F);
    EXPECT_EQ(ints[i], -0x0F0F0F0F);
  }
}

TYPED_TEST(IsaTest, CountsBitsAndSumsBytes) {
  using V = TypeParam;
  std::array<uint8_t, 4 * V::kLanes> bytes;
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(0xFFU - 37U * i);
  std::array<uint8_t, 4 * V::kLanes> counts;
  const auto loaded = V::load_i8x4(bytes.data());
  V::store_i8x4(counts.data(), V::popcount_i8x4(loaded));
  std::array<int32_t, V::kLanes> sums;
  V::store_i32(sums.data(), V::sum_u8x4(loaded));
  for (size_t i = 0; i < bytes.size(); ++i) EXPECT_EQ(counts[i], std::popcount(bytes[i]));
  for (size_t i = 0; i < sums.size(); ++i) {
    int32_t sum = 0;
    for (size_t j = 0; j < 4; ++j) sum += bytes[4 * i + j];
    EXPECT_EQ(sums[i], sum);
  }
}

TYPED_TEST(IsaTest, ShiftsMasksAndWidensPairs) {
  using V = TypeParam;
  constexpr size_t n = 2 * V::kLanes;
  std::array<int8_t, n> bytes;
  std::array<int16_t, n> pairs;
  for (size_t i = 0; i < n; ++i) {
    bytes[i] = static_cast<int8_t>(37 * i - 128);
    pairs[i] = static_cast<int16_t>(7919 * i - 32768);
  }
  const auto a = V::load_i16x2(pairs.data());
  std::array<int16_t, n> widened, shifted, masked, differences;
  V::store_i16x2(widened.data(), V::load_i8_as_i16x2(bytes.data()));
  V::store_i16x2(shifted.data(), V::shift_right_u16x2(a, 12));
  V::store_i16x2(masked.data(), V::and_i32(a, V::splat_i32(0x00F000F0)));
  V::store_i16x2(differences.data(), V::sub_i16x2(a, V::splat_i32(0x00080008)));
  std::array<int16_t, n> products;
  V::store_i16x2(products.data(), V::mul_i16x2(a, V::splat_i32(0x0003FFFF)));
  std::array<int32_t, V::kLanes> whole, quarter, filled, flipped, doubled;
  V::store_i32(whole.data(), a);
  V::store_i32(filled.data(), V::or_i32(a, V::splat_i32(0x00F000F0)));
  V::store_i32(flipped.data(), V::xor_i32(a, V::splat_i32(0x00F000F0)));
  V::store_i32(doubled.data(), V::shift_left(a, 1));
  V::store_i32(quarter.data(), V::shift_right(a, 2));
  for (size_t i = 0; i < n; ++i) {
    EXPECT_EQ(widened[i], bytes[i]);
    EXPECT_EQ(shifted[i], static_cast<uint16_t>(pairs[i]) >> 12);
    EXPECT_EQ(masked[i], pairs[i] & 0xF0);
    EXPECT_EQ(differences[i], static_cast<int16_t>(pairs[i] - 8));
    EXPECT_EQ(products[i], static_cast<int16_t>(pairs[i] * (i % 2 == 0 ? -1 : 3)));
    EXPECT_EQ(quarter[i / 2], whole[i / 2] >> 2);
    EXPECT_EQ(filled[i / 2], whole[i / 2] | 0x00F000F0);
    EXPECT_EQ(flipped[i / 2], whole[i / 2] ^ 0x00F000F0);
    EXPECT_EQ(static_cast<uint32_t>(doubled[i / 2]), static_cast<uint32_t>(whole[i / 2]) << 1);
  }
  EXPECT_EQ(V::reduce_add_i32(V::splat_i32(-3)), -3 * static_cast<int32_t>(V::kLanes));
  const int32_t wrapped = V::kLanes == 1 ? INT32_MIN : 0;
  EXPECT_EQ(V::reduce_add_i32(V::splat_i32(INT32_MIN)), wrapped);
  std::array<int16_t, V::kLanes> halves;
  V::store_i16(halves.data(), V::splat_i32(-8191));
  for (const int16_t half : halves) EXPECT_EQ(half, -8191);
}

TYPED_TEST(IsaTest, WidensEvery16BitValue) {
  using V = TypeParam;
  for (uint32_t first = 0; first < 65536; first += V::kLanes) {
    std::array<uint16_t, V::kLanes> bits;
    for (size_t i = 0; i < V::kLanes; ++i) bits[i] = static_cast<uint16_t>(first + i);
    for (size_t i = 0; i < V::kLanes; ++i) {
      const float half = this->lane(V::load_f16(bits.data()), i);
      EXPECT_EQ(std::bit_cast<uint32_t>(half), std::bit_cast<uint32_t>(f16_to_f32(bits[i])));
      if ((bits[i] & 0x7C00) != 0x7C00) {
        const float finite = this->lane(V::load_finite_f16(bits.data()), i);
        EXPECT_EQ(std::bit_cast<uint32_t>(finite), std::bit_cast<uint32_t>(half));
      }
      const float wide = this->lane(V::load_bf16(bits.data()), i);
      EXPECT_EQ(std::bit_cast<uint32_t>(wide), std::bit_cast<uint32_t>(bf16_to_f32(bits[i])));
    }
  }
}

// All values of binary16, the midpoints between them, and the neighbors of these.
TYPED_TEST(IsaTest, RoundsToF16LikeTheScalarCode) {
  using V = TypeParam;
  std::vector<uint32_t> edges = {0x7F7FFFFF, 0x7F800000, 0x7F800001, 0x7FC12345, 0x477FEFFF,
                                 0x477FF000, 0x33000000, 0x33000001, 0x00000001};
  for (uint32_t bits = 0; bits < 0x7C00; ++bits) {
    const auto exact = std::bit_cast<uint32_t>(f16_to_f32(static_cast<uint16_t>(bits)));
    const auto next = std::bit_cast<uint32_t>(f16_to_f32(static_cast<uint16_t>(bits + 1)));
    const uint32_t middle = exact + (next - exact) / 2;
    edges.insert(edges.end(), {exact, middle - 1, middle, middle + 1});
  }
  edges.resize((edges.size() + 3) / 4 * 4);
  for (const uint32_t sign : {0U, 0x80000000U}) {
    for (size_t at = 0; at < edges.size(); at += V::kLanes) {
      std::array<float, V::kLanes> values;
      for (size_t i = 0; i < V::kLanes; ++i) values[i] = std::bit_cast<float>(edges[at + i] | sign);
      std::array<uint16_t, V::kLanes> halves;
      V::store_f16(halves.data(), V::load(values.data()));
      for (size_t i = 0; i < V::kLanes; ++i) {
        EXPECT_EQ(halves[i], f32_to_f16(values[i])) << std::hex << edges[at + i];
      }
    }
  }
}

TYPED_TEST(IsaTest, WidensCountsAndFloors) {
  using V = TypeParam;
  const auto a = this->ramp(-1.25F, 0.75F);
  double sum = 0;
  double squares = 0;
  float least = 1e9F;
  uint64_t negative = 0;
  std::array<int32_t, V::kLanes> whole;
  V::store_truncated_i32(whole.data(), V::floor(a));
  for (size_t i = 0; i < V::kLanes; ++i) {
    const float x = -1.25F + 0.75F * static_cast<float>(i);
    sum += static_cast<double>(x) - 0.1;
    squares += static_cast<double>(x) * static_cast<double>(x);
    least = std::fmin(least, x);
    negative += x < 0.0F ? 2U : 0U;
    EXPECT_EQ(this->lane(V::abs(a), i), std::fabs(x));
    EXPECT_EQ(whole[i], static_cast<int32_t>(std::floor(x)));
  }
  const auto wide = V::widen(a);
  EXPECT_DOUBLE_EQ(V::reduce_add64(V::sub64(wide, V::splat64(0.1))), sum);
  EXPECT_DOUBLE_EQ(V::reduce_add64(V::mul64(wide, wide)), squares);
  EXPECT_EQ(V::reduce_min(a), least);
  const auto once = V::count(V::no_count(), V::less(a, V::zero()));
  EXPECT_EQ(V::reduce_count(V::count(once, V::less(a, V::zero()))), negative);
}

TYPED_TEST(IsaTest, LoadsAndStoresDoubles) {
  using V = TypeParam;
  std::array<double, V::kLanes> from;
  for (size_t i = 0; i < V::kLanes; ++i) from[i] = 0.1 + static_cast<double>(i);
  std::array<double, V::kLanes> to;
  V::store64(to.data(), V::add64(V::load64(from.data()), V::splat64(0.2)));
  for (size_t i = 0; i < V::kLanes; ++i) EXPECT_EQ(to[i], from[i] + 0.2);
}

TYPED_TEST(IsaTest, MinAndMaxKeepANanInTheFirstOperand) {
  using V = TypeParam;
  EXPECT_TRUE(std::isnan(this->lane(V::max(V::splat(kNan), V::zero()), 0)));
  EXPECT_TRUE(std::isnan(this->lane(V::min(V::splat(kNan), V::zero()), 0)));
  EXPECT_EQ(this->lane(V::max(V::splat(1.0F), V::splat(kNan)), 0), 1.0F);
  const auto equal = V::select(V::equal(V::splat(kNan), V::splat(kNan)), V::splat(1.0F), V::zero());
  EXPECT_EQ(this->lane(equal, 0), 0.0F);
  EXPECT_EQ(this->lane(V::max(V::splat(-kInfinity), V::zero()), 0), 0.0F);
}

TYPED_TEST(IsaTest, PartialLoadsAndStoresTouchOnlyTheirLanes) {
  using V = TypeParam;
  for (size_t n = 0; n < V::kLanes; ++n) {
    // Exactly n values, so that a sanitizer notices reads and writes past them.
    const std::vector<float> from(n, 7.0F);
    const auto v = V::load_partial(from.data(), n);
    for (size_t i = 0; i < V::kLanes; ++i) EXPECT_EQ(this->lane(v, i), i < n ? 7.0F : 0.0F);
    std::vector<float> to(n, 0.0F);
    V::store_partial(to.data(), n, v);
    EXPECT_EQ(to, from);
  }
}

TYPED_TEST(IsaTest, WidensSignedBytes) {
  using V = TypeParam;
  const std::array<int8_t, 4> bytes = {-128, 127, 0, -1};
  const auto v = V::load_i8(bytes.data());
  for (size_t i = 0; i < V::kLanes; ++i) EXPECT_EQ(this->lane(v, i), static_cast<float>(bytes[i]));
}

TYPED_TEST(IsaTest, WrapsIntegers) {
  using V = TypeParam;
  std::array<int32_t, V::kLanes> lanes;
  const auto first = [&](typename V::I32 v) {
    V::store_i32(lanes.data(), v);
    for (const int32_t lane : lanes) EXPECT_EQ(lane, lanes[0]);
    return lanes[0];
  };
  const auto top = V::splat_i32(INT32_MAX);
  EXPECT_EQ(first(V::add_i32(top, V::splat_i32(2))), INT32_MIN + 1);
  EXPECT_EQ(first(V::sub_i32(V::splat_i32(INT32_MIN), V::splat_i32(1))), INT32_MAX);
  EXPECT_EQ(first(V::mul_i32(top, V::splat_i32(3))), INT32_MAX - 2);
  EXPECT_EQ(first(V::sign_extend_i16(V::splat_i32(32768))), -32768);
  EXPECT_EQ(this->lane(V::to_f32(V::splat_i32(-16777217)), 0), -16777216.0F);
  EXPECT_EQ(first(V::bits_as_i32(V::splat(-1.5F))), static_cast<int32_t>(0xBFC00000U));
}

TYPED_TEST(IsaTest, LooksBytesUpInATable) {
  using V = TypeParam;
  constexpr size_t n = 4 * V::kLanes;
  std::array<int8_t, 16> table;
  for (size_t i = 0; i < table.size(); ++i) table[i] = static_cast<int8_t>(i * 17 - 127);
  for (size_t shift = 0; shift < 16; ++shift) {
    std::array<uint8_t, n> indices, found;
    for (size_t i = 0; i < n; ++i) indices[i] = static_cast<uint8_t>((5 * i + shift) % 16);
    V::store_i8x4(found.data(),
                  V::look_up(V::load_table(table.data()), V::load_i8x4(indices.data())));
    for (size_t i = 0; i < n; ++i) {
      EXPECT_EQ(static_cast<int8_t>(found[i]), table[indices[i]]);
    }
  }
}

TYPED_TEST(IsaTest, ConvertsToIntegersLikeX86) {
  using V = TypeParam;
  std::array<int32_t, V::kLanes> lanes;
  const auto whole = [&](float v) {
    V::store_i32(lanes.data(), V::to_i32(V::splat(v)));
    return lanes[V::kLanes - 1];
  };
  EXPECT_EQ(whole(-129.0F), -129);
  EXPECT_EQ(whole(2147483520.0F), 2147483520);
  EXPECT_EQ(whole(-2147483648.0F), INT32_MIN);
  for (const float past : {2147483648.0F, -3e9F, kNan, kInfinity, -kInfinity}) {
    EXPECT_EQ(whole(past), INT32_MIN) << past;
  }
  EXPECT_EQ(this->lane(V::trunc(V::splat(-2.75F)), 0), -2.0F);
  EXPECT_EQ(this->lane(V::copysign(V::splat(-0.5F), V::splat(7.0F)), 0), 0.5F);
  EXPECT_EQ(this->lane(V::copysign(V::splat(0.5F), V::splat(-0.0F)), 0), -0.5F);
}

TYPED_TEST(IsaTest, MultipliesInt16Pairs) {
  using V = TypeParam;
  std::array<int16_t, 2 * V::kLanes> a;
  std::array<int16_t, 2 * V::kLanes> b;
  for (size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<int16_t>(100 * static_cast<int>(i) - 350);
    b[i] = static_cast<int16_t>(255 - 77 * static_cast<int>(i));
  }
  std::array<int32_t, V::kLanes> products;
  std::array<int32_t, V::kLanes> by_one;
  V::store_i32(products.data(), V::dot_i16x2(V::load_i16x2(a.data()), V::load_i16x2(b.data())));
  V::store_i32(by_one.data(), V::dot_i16x2(V::load_i16x2(a.data()), V::splat_i16x2(b.data())));
  for (size_t i = 0; i < V::kLanes; ++i) {
    EXPECT_EQ(products[i], a[2 * i] * b[2 * i] + a[2 * i + 1] * b[2 * i + 1]);
    EXPECT_EQ(by_one[i], a[2 * i] * b[0] + a[2 * i + 1] * b[1]);
  }
  V::store_i32(products.data(), V::load_i16(b.data()));
  for (size_t i = 0; i < V::kLanes; ++i) EXPECT_EQ(products[i], b[i]);
  V::store_i16x2(a.data(), V::widen_even_i8(V::pack_i16x2(V::splat_i32(384), V::splat_i32(-129))));
  for (size_t i = 0; i < V::kLanes; ++i) {
    EXPECT_EQ(a[2 * i], -128);
    EXPECT_EQ(a[2 * i + 1], 127);
  }
  V::store_i16x2(a.data(), V::widen_odd_i8(V::pack_i16x2(V::splat_i32(384), V::splat_i32(-129))));
  for (size_t i = 0; i < V::kLanes; ++i) {
    EXPECT_EQ(a[2 * i], 1);
    EXPECT_EQ(a[2 * i + 1], -1);
  }
  V::store_i16x2(a.data(), V::pack_i16x2(V::splat_i32(-5), V::splat_i32(7)));
  for (size_t i = 0; i < V::kLanes; ++i) {
    EXPECT_EQ(a[2 * i], -5);
    EXPECT_EQ(a[2 * i + 1], 7);
  }
}

TYPED_TEST(IsaTest, MultipliesFourBytes) {
  using V = TypeParam;
  std::array<int8_t, 4> a = {-128, 127, -3, 5};
  std::array<uint8_t, 4 * V::kLanes> b;
  std::array<uint8_t, V::kLanes> columns[4];
  for (size_t i = 0; i < b.size(); ++i) {
    b[i] = static_cast<uint8_t>((i * 37 + 90) % 128);
    columns[i % 4][i / 4] = b[i];
  }
  std::array<int32_t, V::kLanes> sums;
  V::store_i32(sums.data(), V::add_dot_i8x4(V::splat_i8x4(a.data()), V::load_i8x4(b.data()),
                                            V::splat_i32(1000)));
  std::array<uint8_t, 4 * V::kLanes> joined;
  V::store_i8x4(joined.data(), V::interleave_i8x4(columns[0].data(), columns[1].data(),
                                                  columns[2].data(), columns[3].data()));
  EXPECT_EQ(joined, b);
  for (size_t i = 0; i < V::kLanes; ++i) {
    const uint8_t* quad = &b[4 * i];
    EXPECT_EQ(sums[i], 1000 - 128 * quad[0] + 127 * quad[1] - 3 * quad[2] + 5 * quad[3]);
  }
}

TYPED_TEST(IsaTest, StoresBytesClamped) {
  using V = TypeParam;
  std::array<uint8_t, V::kLanes + 1> bytes;
  for (const int32_t v : {-32768, -1, 0, 200, 255, 256, 32767}) {
    bytes.fill(7);
    V::store_u8(bytes.data(), V::splat_i32(v));
    for (size_t i = 0; i < V::kLanes; ++i) EXPECT_EQ(bytes[i], std::clamp(v, 0, 255));
    EXPECT_EQ(bytes.back(), 7);
  }
}

TYPED_TEST(IsaTest, AddsToTheExponent) {
  using V = TypeParam;
  for (int n = -120; n <= 120; ++n) {
    const auto biased = V::splat(static_cast<float>(n) + 12582912.0F);
    EXPECT_EQ(this->lane(V::add_exponent(V::splat(-1.25F), biased), 0), std::ldexp(-1.25F, n));
  }
}

TYPED_TEST(IsaTest, ReducesOverAllLanes) {
  using V = TypeParam;
  float sum = 0;
  for (size_t i = 0; i < V::kLanes; ++i) sum += 1.0F + static_cast<float>(i);
  EXPECT_EQ(V::reduce_add(this->ramp(1.0F, 1.0F)), sum);
  EXPECT_EQ(V::reduce_max(this->ramp(1.0F, 1.0F)), static_cast<float>(V::kLanes));
  EXPECT_EQ(V::reduce_max(this->ramp(1.0F, -1.0F)), 1.0F);
}

}  // namespace
}  // namespace ambry::simd
