#include "base/concat.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace ambry {
namespace {

TEST(Concat, JoinsTextsAndNumbers) {
  const std::string name = "shape";
  EXPECT_EQ(concat({"tensors[", uint64_t{3}, "].", name, std::string_view("!")}),
            "tensors[3].shape!");
  EXPECT_EQ(concat({}), "");
  EXPECT_EQ(concat({"", std::string_view(), name}), "shape");
}

TEST(Concat, WritesNumbersOfEveryWidth) {
  EXPECT_EQ(concat({UINT64_MAX, " ", uint8_t{0}, " ", uint16_t{65535}, " ", size_t{10}}),
            "18446744073709551615 0 65535 10");
}

}  // namespace
}  // namespace ambry
