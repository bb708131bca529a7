#include "tensor/dtype/convert.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "tensor/dtype/shape.h"

namespace ambry::tensor {
namespace {

template <class T>
Bytes bytes_of_values(const std::vector<T>& values) {
  return bytes_of(std::span<const T>(values));
}

template <class T>
std::vector<float> widened(DType dtype, const std::vector<T>& stored) {
  std::vector<float> out(stored.size());
  EXPECT_TRUE(to_f32(dtype, bytes_of_values(stored), out));
  return out;
}

TEST(DType, NamesAndSizesGoTogether) {
  EXPECT_EQ(dtype_name(DType::BF16), "bf16");
  EXPECT_EQ(dtype_name(DType::Bool), "bool");
  EXPECT_EQ(dtype_size(DType::F64), 8U);
  EXPECT_EQ(dtype_size(DType::I8), 1U);
  EXPECT_TRUE(is_float(DType::F64));
  EXPECT_FALSE(is_float(DType::I8));
}

TEST(Shape, CountsWithoutWrapping) {
  EXPECT_EQ(Shape({3, 4}).count(), 12U);
  EXPECT_EQ(Shape().count(), 1U);
  EXPECT_EQ(Shape({1ULL << 40, 1ULL << 40}).count(), std::nullopt);
  EXPECT_EQ(to_string(Shape({30522, 384})), "[30522, 384]");
  EXPECT_EQ(to_string(Shape()), "[]");
}

TEST(ToF32, ReadsEveryStoredType) {
  EXPECT_EQ(widened<float>(DType::F32, {1.5F}), (std::vector<float>{1.5F}));
  EXPECT_EQ(widened<uint16_t>(DType::F16, {0x3C00, 0x0001}), (std::vector<float>{1, 0x1p-24F}));
  EXPECT_EQ(widened<uint16_t>(DType::BF16, {0x3FC0}), (std::vector<float>{1.5F}));
  EXPECT_EQ(widened<double>(DType::F64, {0.1}), (std::vector<float>{0.1F}));
  EXPECT_EQ(widened<int8_t>(DType::I8, {-128}), (std::vector<float>{-128}));
  EXPECT_EQ(widened<int16_t>(DType::I16, {-300}), (std::vector<float>{-300}));
  EXPECT_EQ(widened<int32_t>(DType::I32, {-70000}), (std::vector<float>{-70000}));
  EXPECT_EQ(widened<int64_t>(DType::I64, {-5}), (std::vector<float>{-5}));
  EXPECT_EQ(widened<uint8_t>(DType::U8, {255}), (std::vector<float>{255}));
  EXPECT_EQ(widened<uint16_t>(DType::U16, {65535}), (std::vector<float>{65535}));
  EXPECT_EQ(widened<uint32_t>(DType::U32, {4294967295U}), (std::vector<float>{4294967296.0F}));
  EXPECT_EQ(widened<uint64_t>(DType::U64, {7}), (std::vector<float>{7}));
  EXPECT_EQ(widened<uint8_t>(DType::Bool, {1}), (std::vector<float>{1}));
}

TEST(ToF32, RefusesBytesThatDoNotFillTheElements) {
  const std::vector<uint8_t> bytes(7);
  std::vector<float> out(2);
  const auto result = to_f32(DType::F32, bytes, out);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::Mismatch);
}

TEST(FromF32, RoundTripsEveryFiniteHalf) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const std::vector<uint16_t> stored = {static_cast<uint16_t>(bits)};
    for (const DType dtype : {DType::F16, DType::BF16}) {
      const std::vector<float> value = widened(dtype, stored);
      if (std::isnan(value[0])) continue;
      std::array<uint8_t, 2> back{};
      ASSERT_TRUE(from_f32(dtype, value, back));
      ASSERT_EQ(load_le<uint16_t>(back.data()), bits);
    }
  }
}

TEST(FromF32, RefusesToTurnAFiniteNumberIntoInfinity) {
  std::array<uint8_t, 4> out{};
  const std::vector<float> values = {1, 70000};
  const auto f16 = from_f32(DType::F16, values, out);
  ASSERT_FALSE(f16);
  EXPECT_EQ(f16.error().code, ErrorCode::Overflow);
  EXPECT_EQ(f16.error().path, "element 1");
  const std::vector<float> largest = {std::numeric_limits<float>::max(), 0};
  EXPECT_FALSE(from_f32(DType::BF16, largest, out));
  const std::vector<float> infinite = {std::numeric_limits<float>::infinity(), 65519};
  EXPECT_TRUE(from_f32(DType::F16, infinite, out));
  EXPECT_EQ(load_le<uint16_t>(out.data() + 2), 0x7BFF);
}

TEST(FromF32, RoundsIntegersHalfToEvenAndRejectsOverflow) {
  std::array<uint8_t, 4> out{};
  ASSERT_TRUE(from_f32(DType::I8, std::vector<float>{0.5F, 1.5F, -2.5F, 127.4F}, out));
  EXPECT_EQ(out, (std::array<uint8_t, 4>{0, 2, 0xFE, 127}));
  for (const float bad : {127.6F, -129.0F, std::nanf("")}) {
    const auto result = from_f32(DType::I8, std::vector<float>{0, 0, 0, bad}, out);
    ASSERT_FALSE(result) << bad;
    EXPECT_EQ(result.error().code, ErrorCode::BadValue);
  }
  EXPECT_EQ(from_f32(DType::Bool, std::vector<float>{1, 1, 1, 1}, out).error().code,
            ErrorCode::Unsupported);
}

}  // namespace
}  // namespace ambry::tensor
