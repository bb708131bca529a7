#include "model/vocabulary/repeated_tokens.h"

#include <gtest/gtest.h>

#include <string>

#include "model/tokenizer/made_up.h"

namespace ambry::model {
namespace {

TEST(RepeatedTokens, FindsNoneAmongDistinctTokens) {
  EXPECT_EQ(find_repeated_tokens({}).count, 0U);
  EXPECT_EQ(find_repeated_tokens(vocabulary_of({""})).count, 0U);
  Vocabulary many;
  for (int i = 0; i < 100'000; ++i) many.push_back(std::to_string(i));
  EXPECT_EQ(find_repeated_tokens(many).count, 0U);
}

TEST(RepeatedTokens, ReportsTheFirstOccurrence) {
  const auto found = find_repeated_tokens(vocabulary_of({"a", "b", "", "b", "a", "", "b"}));
  EXPECT_EQ(found.count, 4U);
  EXPECT_EQ(found.examples,
            (std::vector<std::pair<uint32_t, uint32_t>>{{1, 3}, {0, 4}, {2, 5}, {1, 6}}));
}

TEST(RepeatedTokens, GivesAFewExamplesOfMany) {
  const auto found = find_repeated_tokens(vocabulary_of(std::vector<std::string>(1000, "x")), 3);
  EXPECT_EQ(found.count, 999U);
  EXPECT_EQ(found.examples.size(), 3U);
}

}  // namespace
}  // namespace ambry::model
