#include "model/vocabulary/vocabulary.h"

#include <gtest/gtest.h>

namespace ambry::model {
namespace {

TEST(Vocabulary, ReturnsTokensByIdIncludingEmptyOnes) {
  Vocabulary vocabulary;
  EXPECT_TRUE(vocabulary.empty());
  vocabulary.push_back("[PAD]");
  vocabulary.push_back("");
  vocabulary.push_back("##ing");
  ASSERT_EQ(vocabulary.size(), 3U);
  EXPECT_EQ(vocabulary[0], "[PAD]");
  EXPECT_EQ(vocabulary[1], "");
  EXPECT_EQ(vocabulary[2], "##ing");
  EXPECT_EQ(vocabulary.text_bytes(), 10U);
}

TEST(Vocabulary, ComparesTokenByToken) {
  Vocabulary a;
  Vocabulary b;
  a.push_back("ab");
  a.push_back("c");
  b.push_back("a");
  b.push_back("bc");
  EXPECT_NE(a, b);
  EXPECT_EQ(a, Vocabulary(a));
}

}  // namespace
}  // namespace ambry::model
