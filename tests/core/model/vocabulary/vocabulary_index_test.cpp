#include "model/vocabulary/vocabulary_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "model/tokenizer/made_up.h"

namespace ambry::model {
namespace {

TEST(VocabularyIndex, FindsEveryWordAndNoOther) {
  std::vector<std::string> texts = {"", "a b", "Straße", std::string("nul\0", 4)};
  for (int i = 0; i < 5000; ++i) texts.push_back("w" + std::to_string(i));
  const Vocabulary words = vocabulary_of(texts);
  const VocabularyIndex index(words);
  for (size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(index.find(words, texts[i]), i) << texts[i];
  for (const char* text : {"w5000", "W1", "Strasse", "nul", " "}) {
    EXPECT_EQ(index.find(words, text), std::nullopt) << text;
  }
}

TEST(VocabularyIndex, OfAnEmptyVocabularyFindsNothing) {
  EXPECT_EQ(VocabularyIndex().find({}, ""), std::nullopt);
  EXPECT_EQ(VocabularyIndex(Vocabulary()).find({}, "a"), std::nullopt);
}

TEST(VocabularyIndex, FindsTheFirstOfEqualWords) {
  const Vocabulary words = vocabulary_of({"b", "a", "b", "a", "b"});
  const VocabularyIndex index(words);
  EXPECT_EQ(index.find(words, "a"), 1U);
  EXPECT_EQ(index.find(words, "b"), 0U);
}

TEST(VocabularyIndex, KeepsEachIdOnceAndEqualTextsTogether) {
  const Vocabulary words = vocabulary_of({"b", "a", "b", "c", "b"});
  const VocabularyIndex index(words);
  std::vector<uint32_t> ids;
  for (size_t b = 0; b < index.n_buckets(); ++b) {
    const auto bucket = index.bucket(b);
    ids.insert(ids.end(), bucket.begin(), bucket.end());
  }
  std::vector<uint32_t> of_b;
  std::ranges::copy_if(ids, std::back_inserter(of_b),
                       [&](uint32_t id) { return words[id] == "b"; });
  EXPECT_EQ(of_b, (std::vector<uint32_t>{0, 2, 4}));
  std::ranges::sort(ids);
  EXPECT_EQ(ids, (std::vector<uint32_t>{0, 1, 2, 3, 4}));
}

}  // namespace
}  // namespace ambry::model
