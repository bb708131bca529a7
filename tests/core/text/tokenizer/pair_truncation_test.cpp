// How pairs are cut, compared with npm tokenizers 0.23.2 (TruncationStrategy longest_first).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "text/make_tokenizer.h"

namespace ambry::text {
namespace {

std::unique_ptr<Tokenizer> small_bpe() {
  model::TokenizerData data;
  data.kind = model::TokenizerKind::Bpe;
  data.pretokenizer = "gpt2";
  // U+0120 stands for a space.
  for (const char* token : {"<s>", "</s>", "a", "b", "ab", "\u0120", "\u0120a"}) {
    data.vocabulary.push_back(token);
  }
  for (const char* part : {"a", "b", "\u0120", "a"}) data.merges.push_back(part);
  data.post_processor = model::bert_post_processor(0, 1);
  auto made = make_tokenizer(std::move(data));
  EXPECT_TRUE(made) << describe(made.error());
  return std::move(*made);
}

struct Golden {
  const char* first;
  const char* second;
  uint32_t max_length;
  std::vector<uint32_t> ids;
};

TEST(PairTruncation, CutsTheLongerTextFirstAsHuggingFace) {
  const auto tokenizer = small_bpe();
  const Golden kGolden[] = {{"abb abb abb", "abb abb abb abb", 6, {0, 4, 1, 4, 3, 1}},
                            {"abb abb abb", "abb abb abb abb", 9, {0, 4, 3, 5, 1, 4, 3, 5, 1}},
                            {"bbbbbbbbb a", "abbb abb", 8, {0, 3, 3, 3, 1, 4, 3, 1}},
                            {"a", "abbabbabb a", 8, {0, 2, 1, 4, 3, 4, 3, 1}},
                            // The library reads 7 tokens of the first text and 8 of the second,
                            // which is one word. So the second counts as the longer one.
                            {"b b b b b", "bbbbbbbb", 6, {0, 3, 1, 3, 3, 1}},
                            {"bbbbbbbb", "b b b b b", 6, {0, 3, 3, 1, 3, 1}},
                            {"b b b b b", "bbbbbbbb", 8, {0, 3, 5, 3, 1, 3, 3, 1}}};
  for (const Golden& golden : kGolden) {
    const auto encoding = tokenizer->encode_pair(
        golden.first, golden.second, {.add_special = true, .max_length = golden.max_length});
    ASSERT_TRUE(encoding) << describe(encoding.error());
    EXPECT_EQ(encoding->ids, golden.ids) << golden.first << " | " << golden.second;
    EXPECT_TRUE(encoding->truncated());
  }
}

TEST(PairTruncation, KeepsTheSpecialTokensAndTheTypes) {
  const auto encoding =
      small_bpe()->encode_pair("abb", "abb abb", {.add_special = true, .max_length = 6});
  ASSERT_TRUE(encoding);
  EXPECT_EQ(encoding->type_ids, (std::vector<uint32_t>{0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(encoding->full_length, 10U);
}

}  // namespace
}  // namespace ambry::text
