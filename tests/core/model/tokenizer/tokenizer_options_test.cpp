#include "model/tokenizer/tokenizer_options.h"

#include <gtest/gtest.h>

namespace ambry::model {
namespace {

TEST(TokenizerOptions, AreReadBackAsTheyWereWritten) {
  TokenizerData data;
  data.kind = TokenizerKind::Bpe;
  data.bos_id = 1;
  data.eos_id = 2;
  data.eos_ids = {2, 5};
  data.pad_id = 0;
  data.mask_id = 7;
  data.normalizer = {TextChange::Lowercase, TextChange::Nfc};
  data.add_bos = true;
  data.add_eos = false;
  data.add_prefix_space = true;
  data.byte_fallback = true;
  data.fuse_unk = false;
  data.legacy = true;
  data.ignore_merges = true;
  data.pretokenizer = "digits+gpt2";
  data.end_of_word_suffix = "</w>";
  data.added_tokens.push_back({.id = 9, .content = "<x>", .lstrip = true});
  TokenizerData again;
  again.kind = data.kind;
  ASSERT_TRUE(read_tokenizer_options(tokenizer_options_json(data), "options", again));
  EXPECT_EQ(again, data);
}

TEST(TokenizerOptions, AreNoneOfATokenizerThatStatesNone) {
  TokenizerData data;
  data.kind = TokenizerKind::Bpe;
  EXPECT_EQ(tokenizer_options_json(data).dump(), "{}");
  data.normalizer.emplace();
  EXPECT_EQ(tokenizer_options_json(data).dump(), R"({"normalizer":"none"})");
}

}  // namespace
}  // namespace ambry::model
