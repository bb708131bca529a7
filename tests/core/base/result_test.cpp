#include "base/result.h"

#include <memory>
#include <string>

#include <gtest/gtest.h>

namespace ambry {
namespace {

Error failure() { return make_error(ErrorCode::BadValue, "x", "wrong"); }

Result<int> half_of(int n) {
  if (n % 2 != 0) return failure();
  return n / 2;
}

Result<void> accept_even(int n) {
  if (n % 2 != 0) return failure();
  return {};
}

Result<int> quarter_of(int n) {
  AMBRY_TRY(const int half, half_of(n));
  AMBRY_TRY(const int quarter, half_of(half));
  return quarter;
}

Result<int> checked_twice(int n) {
  AMBRY_RETURN_IF_ERROR(accept_even(n));
  AMBRY_RETURN_IF_ERROR(half_of(n / 2));
  return n;
}

TEST(Result, HoldsAValue) {
  const Result<int> result = half_of(8);
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(result.value(), 4);
  EXPECT_EQ(*result, 4);
}

TEST(Result, HoldsAnError) {
  const Result<int> result = half_of(7);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::BadValue);
  EXPECT_EQ(result.error().path, "x");
}

TEST(Result, MovesValuesThatCannotBeCopied) {
  Result<std::unique_ptr<std::string>> result(std::make_unique<std::string>("kept"));
  ASSERT_TRUE(result);
  EXPECT_EQ(**result, "kept");
  const std::unique_ptr<std::string> taken = std::move(result).value();
  EXPECT_EQ(*taken, "kept");
}

TEST(Result, ReachesMembersThroughTheArrow) {
  Result<std::string> result(std::string("four"));
  EXPECT_EQ(result->size(), 4U);
}

TEST(Result, VoidResultIsSuccessByDefault) {
  EXPECT_TRUE(accept_even(2));
  ASSERT_FALSE(accept_even(3));
  EXPECT_EQ(accept_even(3).error().message, "wrong");
}

TEST(Result, TryReturnsTheFirstError) {
  EXPECT_EQ(*quarter_of(12), 3);
  EXPECT_FALSE(quarter_of(6));
  EXPECT_FALSE(quarter_of(3));
}

TEST(Result, CheckReturnsErrorsAndDiscardsValues) {
  EXPECT_EQ(*checked_twice(4), 4);
  EXPECT_FALSE(checked_twice(3));
  EXPECT_FALSE(checked_twice(6));
}

}  // namespace
}  // namespace ambry
