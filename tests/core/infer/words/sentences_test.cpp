#include "infer/words/sentences.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "infer/words/synthetic_words.h"

namespace ambry::infer {
namespace {

WordVectors sentence_words() {
  return testing::make_vectors({{"the", {1, 0, 0}},
                                {"über", {0, 1, 0}},
                                {"cat", {0, 0, 1}},
                                {"U.S.", {3, 0, 4}},
                                {"Cat", {0, 2, 0}}});
}

std::vector<std::string> words_of(std::string_view text) {
  const WordVectors vectors = sentence_words();
  std::vector<std::string> words;
  for_each_word(vectors, text, [&](std::string_view word) { words.emplace_back(word); });
  return words;
}

using Words = std::vector<std::string>;

TEST(Sentences, SplitsIntoWordsOfTheVocabulary) {
  EXPECT_EQ(words_of(" the\tcat\n"), (Words{"the", "cat"}));
  EXPECT_EQ(words_of("(The cat, the Cat!)"), (Words{"the", "cat", "the", "Cat"}));
  EXPECT_EQ(words_of("U.S. CAT-ÜBER"), (Words{"U.S.", "cat", "über"}));
  EXPECT_EQ(words_of("a dog's"), (Words{"a", "dog", "s"}));
  EXPECT_EQ(words_of(" ... "), Words());
  EXPECT_EQ(words_of(""), Words());
}

std::vector<float> encode(const SentenceOptions& options, std::string_view text) {
  const WordVectors vectors = sentence_words();
  std::vector<float> out(3, 7.0F);
  EXPECT_TRUE(SentenceEncoder(vectors, options).encode(text, out));
  return out;
}

TEST(Sentences, AveragesTheVectorsOfTheWords) {
  const SentenceOptions raw{.weights = WordWeights::Mean, .normalize = false};
  EXPECT_EQ(encode(raw, "the cat dog the"), (std::vector{2.0F / 3, 0.0F, 1.0F / 3}));
  const auto unit = encode({}, "the cat");
  EXPECT_NEAR(unit[0], std::sqrt(0.5), 1e-6);
  EXPECT_NEAR(unit[2], std::sqrt(0.5), 1e-6);
}

TEST(Sentences, GivesZerosWithoutKnownWords) {
  for (const char* text : {"", "dog", "…"}) EXPECT_EQ(encode({}, text), std::vector<float>(3));
}

// p of row r is 1 / ((r + 1) H), H = 1 + 1/2 + 1/3 + 1/4 + 1/5.
TEST(Sentences, SifWeighsRareWordsMore) {
  const SentenceOptions sif{.weights = WordWeights::Sif, .normalize = false};
  const double harmonic = 1 + 1.0 / 2 + 1.0 / 3 + 1.0 / 4 + 1.0 / 5;
  const auto weight = [&](double row) { return 1e-3 / (1e-3 + 1 / ((row + 1) * harmonic)); };
  const auto found = encode(sif, "the cat");
  EXPECT_NEAR(found[0], weight(0) / 2, 1e-7);
  EXPECT_NEAR(found[2], weight(2) / 2, 1e-7);
}

}  // namespace
}  // namespace ambry::infer
