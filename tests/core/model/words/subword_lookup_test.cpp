#include "model/words/subword_lookup.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace ambry::model {
namespace {

using Found = std::vector<std::pair<std::string, std::vector<uint64_t>>>;

Found pieces_of(const WordVocabulary& words, std::string_view word) {
  const SubwordLookup pieces(words);
  Found found;
  pieces.for_each(word, [&](std::string_view piece, std::span<const uint64_t> rows) {
    found.emplace_back(piece, std::vector<uint64_t>(rows.begin(), rows.end()));
  });
  EXPECT_EQ(found.size(), pieces.count(word)) << word;
  return found;
}

std::vector<uint64_t> rows_of(const WordVocabulary& words, std::string_view word) {
  std::vector<uint64_t> all;
  for (const auto& [piece, rows] : pieces_of(words, word)) {
    all.insert(all.end(), rows.begin(), rows.end());
  }
  return all;
}

WordVocabulary hashed(WordVocabularyKind kind, uint64_t n_words, uint64_t n_buckets) {
  WordVocabulary words;
  words.kind = kind;
  words.n_words = n_words;
  words.n_buckets = n_buckets;
  words.min_n = 3;
  words.max_n = 6;
  return words;
}

// These values are from the tests of the reference programs.
TEST(SubwordLookup, FindsTheBucketsOfTheReference) {
  const WordVocabulary words = hashed(WordVocabularyKind::Bucket, 2, 1024);
  EXPECT_EQ(rows_of(words, "OOV"), (std::vector<uint64_t>{70, 669, 492, 123, 258, 1011}));
  std::vector<uint64_t> sorted = rows_of(words, "tübingen");
  std::ranges::sort(sorted);
  EXPECT_EQ(sorted, (std::vector<uint64_t>{14,  69,  74,  124, 168, 181, 197, 246, 250,
                                           276, 300, 308, 325, 416, 549, 590, 648, 651,
                                           707, 717, 761, 817, 820, 857, 860, 1007}));
  std::vector<uint64_t> fasttext =
      rows_of(hashed(WordVocabularyKind::FastText, 0, 2'000'000), "Daniël");
  std::ranges::sort(fasttext);
  EXPECT_EQ(fasttext, (std::vector<uint64_t>{69886, 84537, 338340, 441697, 448390, 468430, 504093,
                                             573175, 749365, 804851, 811506, 991985, 1022467,
                                             1105725, 1249224, 1418443, 1493412, 1880616}));
}

TEST(SubwordLookup, FindsOnlyStoredNgrams) {
  WordVocabulary words = hashed(WordVocabularyKind::Explicit, 5, 2);
  words.max_n = 3;
  for (const char* ngram : {"<ab", "bc>", "abd"}) words.ngrams.push_back(ngram);
  words.ngram_rows = {0, 1, 0};
  EXPECT_EQ(pieces_of(words, "abc"), (Found{{"<ab", {5}}, {"abc", {}}, {"bc>", {6}}}));
  EXPECT_EQ(rows_of(words, "abd"), (std::vector<uint64_t>{5, 5}));
}

TEST(SubwordLookup, StartsWithTheWholeWordInFloret) {
  WordVocabulary words = hashed(WordVocabularyKind::Floret, 0, 10);
  words.n_hashes = 2;
  words.seed = 2166136261U;
  words.min_n = 2;
  words.max_n = 2;
  EXPECT_EQ(pieces_of(words, "der").front(), (Found::value_type{"<der>", {5, 6}}));
  EXPECT_EQ(pieces_of(words, "der")[1], (Found::value_type{"<d", {7, 5}}));
  words.bow = "[";
  words.eow = "]";
  EXPECT_EQ(pieces_of(words, "der").front(), (Found::value_type{"[der]", {8, 1}}));
}

TEST(SubwordLookup, FindsNothingForShortWordsAndSimpleVocabularies) {
  EXPECT_TRUE(pieces_of(hashed(WordVocabularyKind::Bucket, 0, 4), "").empty());
  EXPECT_TRUE(pieces_of(WordVocabulary(), "word").empty());
}

}  // namespace
}  // namespace ambry::model
