#include "formats/huggingface/tokenizer/tokenizer_files.h"

#include <gtest/gtest.h>

#include <string>

#include "formats/huggingface/tokenizer/encoder_tokenizer_files.h"

namespace ambry::formats::huggingface {
namespace {

constexpr const char* kNormalizer =
    R"({"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,"strip_accents":null,"lowercase":true})";
constexpr const char* kModel =
    R"({"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##","max_input_chars_per_word":100,)"
    R"("vocab":{"[UNK]":1,"[PAD]":0,"[CLS]":2,"[SEP]":3,"[MASK]":4,"a":5}})";

constexpr const char* kPost = R"({"type":"BertProcessing","sep":["[SEP]",3],"cls":["[CLS]",2]})";

struct Parts {
  std::string normalizer = kNormalizer;
  std::string model = kModel;
  std::string pre_tokenizer = R"({"type":"BertPreTokenizer"})";
  std::string post_processor = kPost;
  std::string added =
      R"([{"id":2,"content":"[CLS]","special":true,"lstrip":false,"rstrip":false,"single_word":false,"normalized":false}])";

  [[nodiscard]] std::string text() const {
    return R"({"version":"1.0","truncation":{"max_length":128},"padding":{"strategy":{"Fixed":128}},)"
           R"("added_tokens":)" +
           added + R"(,"normalizer":)" + normalizer + R"(,"pre_tokenizer":)" + pre_tokenizer +
           R"(,"post_processor":)" + post_processor + R"(,"model":)" + model + "}";
  }
};

TEST(VocabTxt, TakesTheLineNumberAsId) {
  const auto tokenizer = parse_vocab_txt("[PAD]\r\n\nword \n[UNK]\n[CLS]\n[SEP]\n\xC3\xA9");
  ASSERT_TRUE(tokenizer);
  ASSERT_EQ(tokenizer->vocabulary.size(), 7U);
  EXPECT_EQ(tokenizer->vocabulary[0], "[PAD]");
  EXPECT_EQ(tokenizer->vocabulary[1], "");
  EXPECT_EQ(tokenizer->vocabulary[2], "word");
  EXPECT_EQ(tokenizer->vocabulary[6], "\xC3\xA9");
  EXPECT_EQ(tokenizer->unk_id, 3U);
  EXPECT_EQ(tokenizer->mask_id, std::nullopt);
  EXPECT_EQ(tokenizer->added_tokens.size(), 4U);
}

TEST(VocabTxt, RefusesEmptyAndIllFormedText) {
  EXPECT_EQ(parse_vocab_txt("").error().code, ErrorCode::Truncated);
  EXPECT_EQ(parse_vocab_txt("a\nb\xFF").error().byte_offset, 3U);
}

TEST(TokenizerJson, ReadsWordPiece) {
  Parts parts;
  parts.normalizer =
      R"({"type":"BertNormalizer","clean_text":false,"handle_chinese_chars":false,"strip_accents":true,"lowercase":false})";
  const auto tokenizer = parse_tokenizer_json(parts.text());
  ASSERT_TRUE(tokenizer) << describe(tokenizer.error());
  EXPECT_EQ(tokenizer->vocabulary.size(), 6U);
  EXPECT_EQ(tokenizer->vocabulary[1], "[UNK]");
  EXPECT_FALSE(tokenizer->clean_text);
  EXPECT_FALSE(tokenizer->handle_chinese_chars);
  EXPECT_FALSE(tokenizer->lowercase);
  EXPECT_EQ(tokenizer->strip_accents, true);
  EXPECT_EQ(tokenizer->unk_id, 1U);
  ASSERT_EQ(tokenizer->added_tokens.size(), 1U);
  EXPECT_EQ(tokenizer->added_tokens[0].content, "[CLS]");
}

TEST(TokenizerJson, AppendsAddedTokensToTheVocabulary) {
  Parts parts;
  parts.added = R"([{"id":6,"content":"<new>","special":false}])";
  const auto tokenizer = parse_tokenizer_json(parts.text());
  ASSERT_TRUE(tokenizer) << describe(tokenizer.error());
  EXPECT_EQ(tokenizer->vocabulary[6], "<new>");
  EXPECT_TRUE(tokenizer->added_tokens[0].normalized);
}

TEST(TokenizerJson, RefusesHolesAndClashesInTheIds) {
  for (const char* added :
       {R"([{"id":7,"content":"<new>"}])", R"([{"id":4000000000,"content":"<new>"}])",
        R"([{"id":5,"content":"<new>"}])", R"([{"id":-1,"content":"<new>"}])",
        R"([{"id":6,"content":""}])"}) {
    Parts parts;
    parts.added = added;
    const auto tokenizer = parse_tokenizer_json(parts.text());
    ASSERT_FALSE(tokenizer) << added;
    EXPECT_EQ(tokenizer.error().code, ErrorCode::BadValue);
  }
}

TEST(TokenizerJson, NamesUnsupportedSteps) {
  struct Case {
    std::string Parts::* part;
    const char* value;
    const char* path;
    const char* named;
  };
  const Case kCases[] = {
      {&Parts::model, R"({"type":"BPE","vocab":{},"merges":[]})", "tokenizer.json.model", "BPE"},
      {&Parts::model, R"({"type":"Unigram"})", "tokenizer.json.model", "Unigram"},
      {&Parts::model, R"({"vocab":{}})", "tokenizer.json.model", "without a type"},
      {&Parts::normalizer, R"({"type":"Sequence"})", "tokenizer.json.normalizer", "Sequence"},
      {&Parts::normalizer, "null", "tokenizer.json.normalizer", "without normalizer"},
      {&Parts::pre_tokenizer, R"({"type":"Whitespace"})", "tokenizer.json.pre_tokenizer",
       "Whitespace"},
      {&Parts::post_processor, R"({"type":"Magic"})", "tokenizer.json.post_processor", "Magic"}};
  for (const Case& c : kCases) {
    Parts parts;
    parts.*c.part = c.value;
    const auto tokenizer = parse_tokenizer_json(parts.text());
    ASSERT_FALSE(tokenizer) << c.value;
    EXPECT_EQ(tokenizer.error().code, ErrorCode::Unsupported);
    EXPECT_EQ(tokenizer.error().path, c.path);
    EXPECT_NE(tokenizer.error().message.find(c.named), std::string::npos)
        << tokenizer.error().message;
  }
}

// A small vocabulary (Model2Vec's) may keep the ids that its template had before.
TEST(TokenizerJson, TakesTheIdsOfItsTemplate) {
  Parts parts;
  parts.post_processor = R"({"type":"TemplateProcessing","single":[
    {"SpecialToken":{"id":"[CLS]","type_id":0}},{"Sequence":{"id":"A","type_id":0}},
    {"SpecialToken":{"id":"[SEP]","type_id":0}}],
    "special_tokens":{"[CLS]":{"ids":[4]},"[SEP]":{"ids":[5]}}})";
  const auto tokenizer = parse_tokenizer_json(parts.text());
  ASSERT_TRUE(tokenizer) << describe(tokenizer.error());
  EXPECT_EQ(tokenizer->cls_id, 4U);
  EXPECT_EQ(tokenizer->sep_id, 5U);
  EXPECT_FALSE(tokenizer->post_processor);
  SideFiles files;
  files.add("tokenizer.json", parts.text());
  files.add("tokenizer_config.json", R"({"cls_token":"[CLS]","sep_token":"[SEP]"})");
  const auto read = read_tokenizer(files, "");
  ASSERT_TRUE(read) << describe(read.error());
  EXPECT_EQ(read->cls_id, 4U);
  EXPECT_EQ(read->sep_id, 5U);
}

}  // namespace
}  // namespace ambry::formats::huggingface
