#include "base/error.h"

#include <gtest/gtest.h>

namespace ambry {
namespace {

TEST(Error, NamesEveryCode) {
  EXPECT_EQ(error_code_name(ErrorCode::Truncated), "Truncated");
  EXPECT_EQ(error_code_name(ErrorCode::BadMagic), "BadMagic");
  EXPECT_EQ(error_code_name(ErrorCode::UnsupportedVersion), "UnsupportedVersion");
  EXPECT_EQ(error_code_name(ErrorCode::BadValue), "BadValue");
  EXPECT_EQ(error_code_name(ErrorCode::Overflow), "Overflow");
  EXPECT_EQ(error_code_name(ErrorCode::LimitExceeded), "LimitExceeded");
  EXPECT_EQ(error_code_name(ErrorCode::Unsupported), "Unsupported");
  EXPECT_EQ(error_code_name(ErrorCode::Mismatch), "Mismatch");
  EXPECT_EQ(error_code_name(ErrorCode::NotFound), "NotFound");
  EXPECT_EQ(error_code_name(ErrorCode::NeedBytes), "NeedBytes");
  EXPECT_EQ(error_code_name(ErrorCode::Cancelled), "Cancelled");
}

TEST(Error, DescribesPlacePathAndMessage) {
  const Error error = error_at(ErrorCode::Truncated, 12, "header.flags", "4 bytes wanted, 1 left");
  EXPECT_EQ(describe(error), "Truncated at byte 12, header.flags: 4 bytes wanted, 1 left");
}

TEST(Error, DescribesAnErrorWithoutAPlace) {
  EXPECT_EQ(describe(make_error(ErrorCode::NotFound, "", "no such tensor")),
            "NotFound: no such tensor");
  EXPECT_EQ(describe(make_error(ErrorCode::BadValue, "dim", "not positive")),
            "BadValue, dim: not positive");
}

}  // namespace
}  // namespace ambry
