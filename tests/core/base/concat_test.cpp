#include "base/concat.h"

#include <gtest/gtest.h>

#include <array>
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

TEST(Concat, ListsTexts) {
  struct Named {
    std::string_view name;
  };
  EXPECT_EQ(comma_list(std::array{Named{"llama"}, Named{"gemma"}}, &Named::name), "llama, gemma");
  EXPECT_EQ(comma_list(std::array{std::string("bert")}), "bert");
  EXPECT_EQ(comma_list(std::array<std::string_view, 0>{}), "");
}

TEST(Concat, WritesNumbersOfEveryWidth) {
  EXPECT_EQ(concat({UINT64_MAX, " ", uint8_t{0}, " ", uint16_t{65535}, " ", size_t{10}}),
            "18446744073709551615 0 65535 10");
}

}  // namespace
}  // namespace ambry
