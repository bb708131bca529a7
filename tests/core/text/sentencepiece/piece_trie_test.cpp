#include "text/sentencepiece/piece_trie.h"
#include "repetitions.h"

#include <gtest/gtest.h>

#include <string>

namespace ambry::text {
namespace {

model::Vocabulary vocabulary_of(std::initializer_list<const char*> pieces) {
  model::Vocabulary vocabulary;
  for (const char* piece : pieces) vocabulary.push_back(piece);
  return vocabulary;
}

PieceTrie trie_of(const model::Vocabulary& vocabulary, std::vector<uint32_t> ids) {
  return std::move(PieceTrie::build(vocabulary, ids)).value();
}

std::vector<std::pair<uint32_t, uint32_t>> prefixes(const PieceTrie& trie, std::string_view text) {
  std::vector<std::pair<uint32_t, uint32_t>> found;
  trie.for_each_prefix(text,
                       [&](const PieceTrie::Match& m) { found.emplace_back(m.id, m.n_bytes); });
  return found;
}

TEST(PieceTrie, FindsWholePiecesOnly) {
  const auto vocabulary = vocabulary_of({"ab", "abc", "\xC3\xA9", "\xFF", "abd", "b"});
  const PieceTrie trie = trie_of(vocabulary, {0, 1, 2, 3, 4});
  EXPECT_EQ(trie.find("ab"), 0U);
  EXPECT_EQ(trie.find("abc"), 1U);
  EXPECT_EQ(trie.find("abd"), 4U);
  EXPECT_EQ(trie.find("\xC3\xA9"), 2U);
  EXPECT_EQ(trie.find("\xFF"), 3U);
  for (const char* absent : {"", "a", "abcd", "abe", "\xC3", "b", "c"}) {
    EXPECT_FALSE(trie.find(absent)) << absent;
  }
}

TEST(PieceTrie, FindsEveryPieceThatStartsAText) {
  const auto vocabulary = vocabulary_of({"a", "abc", "ab", "b", "abcde"});
  const PieceTrie trie = trie_of(vocabulary, {0, 1, 2, 3, 4});
  using Matches = std::vector<std::pair<uint32_t, uint32_t>>;
  EXPECT_EQ(prefixes(trie, "abcd"), (Matches{{0, 1}, {2, 2}, {1, 3}}));
  EXPECT_EQ(prefixes(trie, "b"), (Matches{{3, 1}}));
  EXPECT_EQ(prefixes(trie, "xab"), Matches());
  EXPECT_EQ(trie.longest("abcdx")->id, 1U);
  EXPECT_EQ(trie.longest("abcdx")->n_bytes, 3U);
  EXPECT_FALSE(trie.longest(""));
}

TEST(PieceTrie, UsesTheLastOfEqualPieces) {
  const auto vocabulary = vocabulary_of({"a", "", "a", "b"});
  EXPECT_EQ(trie_of(vocabulary, {0, 1, 2, 3}).find("a"), 2U);
  EXPECT_EQ(trie_of(vocabulary, {2, 0}).find("a"), 0U);
}

TEST(PieceTrie, MayBeEmpty) {
  EXPECT_FALSE(PieceTrie().find(""));
  EXPECT_FALSE(PieceTrie().longest("a"));
  const auto vocabulary = vocabulary_of({""});
  EXPECT_TRUE(trie_of(vocabulary, {}).empty());
  EXPECT_TRUE(trie_of(vocabulary, {0}).empty());
  EXPECT_FALSE(trie_of(vocabulary, {0}).find(""));
}

TEST(PieceTrie, RejectsTooManyNodes) {
  AMBRY_TOO_SLOW_WITH_SANITIZERS();
  model::Vocabulary vocabulary;
  std::vector<uint32_t> ids;
  for (uint32_t i = 0; i < 300; ++i) {
    std::string piece(60'000, 'a');
    piece[0] = static_cast<char>(i % 256);
    piece[1] = static_cast<char>(i / 256);
    vocabulary.push_back(piece);
    ids.push_back(i);
  }
  const auto made = PieceTrie::build(vocabulary, ids);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::LimitExceeded);
}

}  // namespace
}  // namespace ambry::text
