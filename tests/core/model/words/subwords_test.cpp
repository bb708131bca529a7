#include "model/words/subwords.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace ambry::model {
namespace {

std::vector<std::string> ngrams_of(std::string_view text, uint32_t min_n, uint32_t max_n) {
  std::vector<std::string> found;
  for_each_ngram(text, min_n, max_n, [&](std::string_view ngram) { found.emplace_back(ngram); });
  EXPECT_EQ(found.size(), count_ngrams(count_scalar_values(text), min_n, max_n)) << text;
  return found;
}

using Texts = std::vector<std::string>;

// These lists are from the tests of the reference programs.
TEST(Subwords, ComeInTheOrderOfTheReference) {
  EXPECT_EQ(ngrams_of("<Test>", 3, 6), (Texts{"<Test>", "<Test", "<Tes", "<Te", "Test>", "Test",
                                              "Tes", "est>", "est", "st>"}));
  EXPECT_EQ(ngrams_of("<实验>", 2, 6), (Texts{"<实验>", "<实验", "<实", "实验>", "实验", "验>"}));
  EXPECT_EQ(ngrams_of("<Test>", 5, 6), (Texts{"<Test>", "<Test", "Test>"}));
  EXPECT_EQ(ngrams_of("ˈjəp", 3, 6), (Texts{"ˈjəp", "ˈjə", "jəp"}));
}

TEST(Subwords, ShortWordsHaveNone) {
  EXPECT_TRUE(ngrams_of("<Test>", 10, 11).empty());
  EXPECT_TRUE(ngrams_of("", 1, 3).empty());
  EXPECT_TRUE(ngrams_of("abc", 0, 0).empty());
}

TEST(Subwords, AreCountedWithoutOverflow) {
  EXPECT_EQ(count_ngrams(UINT64_MAX / 2, 1, UINT32_MAX), UINT64_MAX / 2);
  EXPECT_EQ(count_ngrams(4, 1, UINT32_MAX), 10U);
}

TEST(Subwords, HashLikeFastText) {
  EXPECT_EQ(fasttext_hash("<Da"), 1207493412U);
  EXPECT_EQ(fasttext_hash("iël"), 2856811506U);
  EXPECT_EQ(fasttext_hash("<tü"), 155969970U);
  EXPECT_EQ(fasttext_hash("实验"), 1345973769U);
  EXPECT_EQ(fasttext_hash("😀"), 604031496U);
}

TEST(Subwords, HashLikeFinalfusion) {
  EXPECT_EQ(finalfusion_hash("<Da"), 0xACBD1465361EECEFU);
  EXPECT_EQ(finalfusion_hash("iël"), 0x8721752A09E391B8U);
  EXPECT_EQ(finalfusion_hash("dings"), 0x4A5904E2F26307C7U);
  EXPECT_EQ(finalfusion_hash("<实验>"), 0x778FBAC8F8F13752U);
  EXPECT_EQ(finalfusion_hash("😀"), 0x98DE2D382FF57C47U);
}

TEST(Subwords, HashLikeFloret) {
  using Hashes = std::array<uint32_t, 4>;
  constexpr uint32_t kSeed = 2166136261U;
  EXPECT_EQ(floret_hashes(">", kSeed), (Hashes{25205078, 821907239, 1501779085, 648618124}));
  EXPECT_EQ(floret_hashes("<der>", kSeed), (Hashes{1064604755, 1585587896, 184295361, 1704567063}));
  EXPECT_EQ(floret_hashes("<Daniël>", kSeed),
            (Hashes{2619377842, 1588046083, 1104575560, 1621256572}));
  EXPECT_EQ(floret_hashes("<a long word over sixteen bytes>", kSeed),
            (Hashes{1664710996, 517969770, 295747192, 2413660060}));
}

TEST(Subwords, HashIntoTheBucketsOfTheReference) {
  std::vector<uint32_t> buckets;
  for_each_ngram("<Daniël>", 3, 6, [&](std::string_view ngram) {
    buckets.push_back(fasttext_hash(ngram) % 2'000'000);
  });
  std::ranges::sort(buckets);
  EXPECT_EQ(buckets, (std::vector<uint32_t>{69886, 84537, 338340, 441697, 448390, 468430, 504093,
                                            573175, 749365, 804851, 811506, 991985, 1022467,
                                            1105725, 1249224, 1418443, 1493412, 1880616}));
}

}  // namespace
}  // namespace ambry::model
