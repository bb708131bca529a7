#include "model/tokenizer/bpe/rank_merges.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "model/tokenizer/bpe/bpe_word.h"
#include "model/tokenizer/files/make_ranked.h"

namespace ambry::model {
namespace {

Vocabulary vocabulary_of(const std::vector<std::string>& tokens) {
  Vocabulary vocabulary;
  for (const std::string& token : tokens) vocabulary.push_back(token);
  return vocabulary;
}

std::string merges_of(const std::vector<std::string>& more) {
  const Vocabulary merges = merges_by_rank(vocabulary_of(ranked_tokens(more)));
  std::string text;
  for (size_t i = 0; i < merges.size(); i += 2) {
    text += (text.empty() ? "" : ", ") + std::string(merges[i]) + "+" + std::string(merges[i + 1]);
  }
  return text;
}

TEST(RankMerges, HaveThePartsThatATokenIsMadeOf) {
  EXPECT_EQ(merges_of({"bc", "ab", "abc"}), "b+c, a+b, a+bc");
  EXPECT_EQ(merges_of({" a"}), "\u0120+a");
  // The part has a higher rank than the whole.
  EXPECT_EQ(merges_of({"abc", "ab"}), "ab+c, a+b");
  // Merging b and c first leaves no way to the whole.
  EXPECT_EQ(merges_of({"bc", "ab", "abcd", "abc"}), "b+c, a+b, abc+d, a+bc");
  EXPECT_EQ(merges_of({"bc", "ab", "abx", "abcx"}), "b+c, a+b, ab+x");
}

// tiktoken's own rule, by trying: the joined bytes of lowest rank merge first, from the left.
std::vector<std::string> merged_by_trying(const std::map<std::string, uint32_t>& ranks,
                                          std::string_view word) {
  std::vector<std::string> parts;
  for (const char byte : word) parts.emplace_back(1, byte);
  for (;;) {
    size_t best = parts.size();
    uint32_t lowest = UINT32_MAX;
    for (size_t i = 0; i + 1 < parts.size(); ++i) {
      const auto found = ranks.find(parts[i] + parts[i + 1]);
      if (found == ranks.end() || found->second >= lowest) continue;
      best = i;
      lowest = found->second;
    }
    if (best == parts.size()) return parts;
    parts[best] += parts[best + 1];
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(best) + 1);
  }
}

// Words over three letters, and tokens of any kind in any order.
TEST(RankMerges, GiveWhatTryingGives) {
  std::mt19937 random(1);
  const auto word_of = [&](size_t longest) {
    std::string word;
    const size_t n = 1 + random() % longest;
    for (size_t i = 0; i < n; ++i) word += static_cast<char>('a' + random() % 3);
    return word;
  };
  for (int round = 0; round < 200; ++round) {
    std::vector<std::string> tokens = ranked_tokens({});
    std::map<std::string, uint32_t> ranks;
    for (uint32_t id = 0; id < 256; ++id) ranks[tokens[id]] = id;
    for (int i = 0; i < 30; ++i) {
      const std::string token = word_of(7);
      if (ranks.emplace(token, static_cast<uint32_t>(tokens.size())).second)
        tokens.push_back(token);
    }
    const Vocabulary merges = merges_by_rank(vocabulary_of(tokens));
    MergeTable table(merges.size() / 2);
    for (uint32_t i = 0; i < merges.size(); i += 2) {
      const std::string left(merges[i]);
      const std::string right(merges[i + 1]);
      table.set(ranks.at(left), ranks.at(right), {i, ranks.at(left + right)});
    }
    for (int i = 0; i < 30; ++i) {
      const std::string text = word_of(20);
      BpeWord word;
      for (const char byte : text) word.add({static_cast<uint8_t>(byte), 1});
      word.merge(table);
      std::vector<BpePart> parts;
      word.take(parts);
      std::vector<std::string> found;
      for (const BpePart& part : parts) found.push_back(tokens[part.id]);
      ASSERT_EQ(found, merged_by_trying(ranks, text)) << text;
    }
  }
}

}  // namespace
}  // namespace ambry::model
