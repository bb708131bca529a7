#include "infer/decoder/sampling/dry_breakers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "text/bpe/make_bpe.h"

namespace ambry::infer {
namespace {

using Ids = std::vector<uint32_t>;

std::vector<Ids> sequences(const text::Tokenizer& tokenizer,
                           const std::vector<std::string>& texts) {
  std::vector<Ids> found = *breaker_sequences(tokenizer, texts);
  std::ranges::sort(found);
  return found;
}

// The ids of single bytes are their values; 256 is "a\n", 257 is "\nb".
TEST(DryBreakers, AreTheTokensWithTheText) {
  const auto tokenizer =
      text::testing::make_bpe(text::testing::byte_level_data({{"a", "Ċ"}, {"Ċ", "b"}}));
  EXPECT_EQ(sequences(*tokenizer, {"\n"}), (std::vector<Ids>{{'\n'}, {256}, {257}}));
  EXPECT_EQ(sequences(*tokenizer, {"*", "a\n"}), (std::vector<Ids>{{'*'}, {'a', '\n'}, {256}}));
  EXPECT_TRUE(sequences(*tokenizer, {}).empty());
}

TEST(DryBreakers, ContinueWithTheRest) {
  const auto tokenizer =
      text::testing::make_bpe(text::testing::byte_level_data({{"x", "y"}, {"a", "x"}}));
  // 256 is "xy", 257 is "ax".
  EXPECT_EQ(sequences(*tokenizer, {"xyz"}),
            (std::vector<Ids>{{'x', 'y', 'z'}, {256, 'z'}, {257, 'y', 'z'}}));
}

}  // namespace
}  // namespace ambry::infer
