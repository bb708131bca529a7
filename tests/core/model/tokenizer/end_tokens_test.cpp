#include "model/tokenizer/end_tokens.h"

#include <gtest/gtest.h>

#include "model/tokenizer/made_up.h"

namespace ambry::model {
namespace {

constexpr uint8_t kNormal = 1;
constexpr uint8_t kControl = 3;
constexpr uint8_t kUserDefined = 4;

using Ids = std::vector<uint32_t>;

AddedToken added(uint32_t id, const char* content, bool special = true) {
  AddedToken token;
  token.id = id;
  token.content = content;
  token.special = special;
  return token;
}

TokenizerData with_added(const std::vector<std::string>& contents, uint32_t first) {
  TokenizerData data;
  for (const std::string& content : contents) {
    data.added_tokens.push_back(added(first++, content.c_str()));
  }
  return data;
}

TEST(EndTokens, AreThoseOfTheFileAndThoseKnownByTheirText) {
  TokenizerData data = with_added({"<s>", "<|im_start|>", "<|im_end|>", "<|endoftext|>"}, 10);
  data.eos_id = 13;
  EXPECT_EQ(end_ids(data), (Ids{13, 12}));
  data.eos_ids = {13, 40};
  EXPECT_EQ(end_ids(data), (Ids{13, 40, 12}));
  EXPECT_EQ(end_ids(data, {}), (Ids{13, 40}));
  EXPECT_EQ(end_ids(TokenizerData()), Ids());
}

// A tokenizer's own word that is spelled like an end is a part of texts.
TEST(EndTokens, AreNoOrdinaryPieces) {
  TokenizerData data;
  data.vocabulary = vocabulary_of({"a", "</s>", "<eos>", "<end_of_turn>"});
  EXPECT_EQ(end_ids(data), Ids());
  data.types = {kNormal, kNormal, kControl, kUserDefined};
  EXPECT_EQ(end_ids(data), (Ids{3, 2}));
  data.ids = {7, 5, 3, 1};
  EXPECT_EQ(end_ids(data), (Ids{1, 3}));
}

TEST(EndTokens, KnowAllTextsOnce) {
  for (const char* text :
       {"<|eot_id|>", "<|eom_id|>", "<|end|>", "<end_of_utterance>", "[EOT]", "[EOS]", "_<EOT>",
        "<|return|>", "<|call|>", "<turn|>", "<|fim_pad|>", "<|repo_name|>", "<|file_sep|>",
        "<\xEF\xBD\x9C"
        "end\xE2\x96\x81of\xE2\x96\x81sentence\xEF\xBD\x9C>"}) {
    EXPECT_TRUE(is_end_text(text)) << text;
  }
  for (const char* text : {"", "<s>", "<|im_start|>", "<|END|>", " <|end|>", "<pad>", "[SEP]"}) {
    EXPECT_FALSE(is_end_text(text)) << text;
  }
  TokenizerData data = with_added({"<eos>", "<eos>"}, 3);
  EXPECT_EQ(end_ids(data), Ids{4});
}

// A model with channels goes on after <|end|>.
TEST(EndTokens, LeaveOutTheEndsOfMessagesWithin) {
  EXPECT_EQ(end_ids(with_added({"<|end|>", "<|return|>", "<|call|>"}, 0)), (Ids{1, 2}));
  EXPECT_EQ(end_ids(with_added({"<|end|>", "<|flush|>", "<|calls|>"}, 0)), (Ids{2, 1}));
  EXPECT_EQ(end_ids(with_added({"<|end|>", "<|return|>"}, 0)), (Ids{0, 1}));
  EXPECT_EQ(end_ids(with_added({"</s>", "<|tool_response>"}, 0)), Ids{1});
  TokenizerData stated = with_added({"<|end|>", "<|return|>", "<|call|>"}, 0);
  stated.eos_id = 0;
  EXPECT_EQ(end_ids(stated), (Ids{0, 1, 2}));
}

TEST(EndTokens, AreStatedOnce) {
  TokenizerData data;
  set_stated_ends({}, data);
  EXPECT_EQ(stated_ends(data), Ids());
  set_stated_ends({5}, data);
  EXPECT_EQ(data.eos_ids, Ids{5});
  EXPECT_EQ(data.eos_id, std::nullopt);
  data.eos_id = 2;
  set_stated_ends({5, 2, 5}, data);
  EXPECT_EQ(data.eos_ids, (Ids{2, 5}));
  set_stated_ends({2}, data);
  EXPECT_EQ(data.eos_ids, Ids());
  EXPECT_EQ(stated_ends(data), Ids{2});
}

}  // namespace
}  // namespace ambry::model
