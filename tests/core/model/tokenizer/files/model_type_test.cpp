#include "model/tokenizer/files/model_type.h"

#include <gtest/gtest.h>

#include <string>

#include "base/concat.h"

namespace ambry::model {
namespace {

std::string type_of(const char* model) {
  const auto root = io::parse_json(concat({R"({"model":)", model, "}"}));
  EXPECT_TRUE(root) << model;
  return root ? std::string(tokenizer_model_type(*root)) : "";
}

// As npm tokenizers 0.23.2 reads them.
TEST(TokenizerModelType, FollowsTheFieldsWhereNoneIsStated) {
  const std::pair<const char*, const char*> kRows[] = {
      {R"({"vocab":{"a":0},"merges":[]})", "BPE"},
      {R"({"vocab":{"a":0},"merges":[],"unk_token":"a","continuing_subword_prefix":"##",
          "max_input_chars_per_word":100})",
       "BPE"},
      {R"({"vocab":{"a":0},"unk_token":"a","continuing_subword_prefix":"##",
          "max_input_chars_per_word":100})",
       "WordPiece"},
      {R"({"vocab":{"a":0},"unk_token":"a","continuing_subword_prefix":"##"})", "WordLevel"},
      {R"({"vocab":[["a",0]],"unk_id":0})", "Unigram"},
      {R"({"type":"Unigram","vocab":{"a":0},"merges":[]})", "Unigram"},
      {R"({"type":null,"vocab":[]})", ""},
      {R"({"vocab":{"a":0}})", ""},
      {R"({"merges":[]})", ""},
      {"[]", ""}};
  for (const auto& [model, type] : kRows) EXPECT_EQ(type_of(model), type) << model;
}

}  // namespace
}  // namespace ambry::model
