// The special tokens of language models: those around texts, and those that end an answer.
#include <gtest/gtest.h>

#include <string>

#include "formats/huggingface/tokenizer/decoder_files.h"
#include "formats/huggingface/tokenizer/decoder_tokenizer.h"
#include "model/tokenizer/end_tokens.h"

namespace ambry::formats::huggingface {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)
using model::TokenizerKind;

TEST(DecoderTokenizer, ReadsSpecialTokensFromTheTemplate) {
  const std::string part =
      R"({"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"<end>"}},
         {"Sequence":{"id":"A"}}],"special_tokens":{"<end>":{"ids":[3]}}})";
  const auto with_post = [](const std::string& post, const char* settings = "{}") {
    std::string json = byte_level(kByteLevel);
    json.insert(json.rfind('}'), R"(,"post_processor":)" + post);
    return read(with(json, settings));
  };
  for (const std::string& post :
       {part, R"({"type":"Sequence","processors":[{"type":"ByteLevel"},)" + part + "]}"}) {
    const auto made = with_post(post);
    EXPECT_EQ(made.tokenizer.add_bos, true) << post;
    EXPECT_EQ(made.tokenizer.add_eos, false) << post;
    EXPECT_EQ(made.tokenizer.bos_id, 3U) << post;
  }
  EXPECT_EQ(with_post(part, R"({"bos_token":"ab"})").tokenizer.bos_id, 2U);
  for (const char* none : {"null", R"({"type":"ByteLevel"})"}) {
    const auto made = with_post(none);
    EXPECT_EQ(made.tokenizer.add_bos, false) << none;
    EXPECT_EQ(made.tokenizer.bos_id, std::nullopt) << none;
  }
  const auto roberta =
      with_post(R"({"type":"RobertaProcessing","sep":["</s>",2],"cls":["<s>",3]})");
  EXPECT_EQ(roberta.tokenizer.bos_id, 3U);
  EXPECT_EQ(roberta.tokenizer.eos_id, 2U);
  EXPECT_EQ(roberta.tokenizer.add_eos, true);
}

// The ids that a text gets on both sides.
std::string ends(const DecoderTokenizer& made) {
  if (!made.tokenizer.post_processor) return "none";
  std::string ids;
  for (const model::TemplatePart& part : made.tokenizer.post_processor->single) {
    if (part.kind != model::TemplatePart::Kind::Special) ids += "A ";
    for (const uint32_t id : part.ids) ids += std::to_string(id) + " ";
  }
  return ids;
}

TEST(DecoderTokenizer, UnitesTheEndsOfAllFiles) {
  SideFiles files = with(byte_level(kByteLevel), R"({"eos_token":"<end>"})");
  files.add("generation_config.json", R"({"eos_token_id":[3,2]})");
  EXPECT_EQ(option(read(files), "eos_id"), "[3,2]");
  EXPECT_EQ(option(read(files, R"({"eos_token_id":1})"), "eos_id"), "[3,1,2]");
  files.add("special_tokens_map.json", R"({"eos_token":{"content":"b"}})");
  const auto all = read(files, R"({"eos_token_id":[0,3]})");
  EXPECT_EQ(all.tokenizer.eos_id, 3U);
  EXPECT_EQ(all.tokenizer.eos_ids, (std::vector<uint32_t>{3, 0, 2, 1}));
  // Without a name of its own, the first id is the one that is added to texts.
  files = with(byte_level(kByteLevel));
  files.add("generation_config.json", R"({"eos_token_id":2})");
  EXPECT_EQ(read(files).tokenizer.eos_id, 2U);
  EXPECT_EQ(option(read(files), "eos_id"), "absent");
  EXPECT_EQ(read(files, R"({"eos_token_id":[1]})").tokenizer.eos_ids,
            (std::vector<uint32_t>{1, 2}));
}

TEST(DecoderTokenizer, KnowsEndsByTheirText) {
  std::string json = byte_level(kByteLevel);
  json.replace(json.find("<end>"), 5, "<|im_end|>");
  EXPECT_EQ(option(read(with(json), R"({"eos_token_id":1})"), "eos_id"), "[1,3]");
}

TEST(DecoderTokenizer, LeavesOutEndsThatTheModelDoesNotHave) {
  SideFiles files = with(byte_level(kByteLevel));
  files.add("generation_config.json", R"({"eos_token_id":[1,4,-1,2]})");
  const auto made = read(files, R"({"vocab_size":4,"eos_token_id":7})");
  EXPECT_EQ(made.tokenizer.eos_ids, (std::vector<uint32_t>{1, 2}));
  ASSERT_EQ(made.warnings.size(), 3U);
  EXPECT_EQ(made.warnings[0].path, "config.json.eos_token_id");
  EXPECT_EQ(made.warnings[1].path, "generation_config.json.eos_token_id[1]");
  EXPECT_EQ(made.warnings[2].path, "generation_config.json.eos_token_id[2]");
}

TEST(DecoderTokenizer, RefusesEndsThatAreNoIds) {
  for (const char* ends :
       {"1.5", "\"2\"", "true", "{}", "[[1]]", "[1,-2]", "[null]", "4294967296"}) {
    SideFiles files = with(byte_level(kByteLevel));
    files.add("generation_config.json", concat({R"({"eos_token_id":)", ends, "}"}));
    const auto refused = read_decoder_tokenizer(files, io::Json::object());
    const bool too_large = std::string_view(ends) == "4294967296";
    ASSERT_EQ(refused.has_value(), too_large) << ends;
    if (too_large) continue;
    EXPECT_TRUE(refused.error().path.starts_with("generation_config.json.eos_token_id")) << ends;
    EXPECT_EQ(refused.error().code, ErrorCode::BadValue);
  }
  std::string many = "1";
  for (size_t i = 0; i < model::kMaxStatedEnds; ++i) many += ",1";
  const auto refused = read_decoder_tokenizer(with(byte_level(kByteLevel)),
                                              *io::parse_json("{\"eos_token_id\":[" + many + "]}"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::LimitExceeded);
}

DecoderTokenizer with_template(const std::string& single, const char* settings) {
  std::string json = byte_level(kByteLevel);
  json.insert(json.rfind('}'), R"(,"post_processor":{"type":"TemplateProcessing","single":[)" +
                                   single + R"(],"special_tokens":{"x":{"ids":[1]}}})");
  return read(with(json, settings));
}

// Qwen3-Embedding ends texts with another token than the one that ends a turn.
TEST(DecoderTokenizer, KeepsTheIdsOfTheTemplate) {
  constexpr const char* kA = R"({"Sequence":{"id":"A"}})";
  constexpr const char* kX = R"({"SpecialToken":{"id":"x"}})";
  const auto after = with_template(concat({kA, ",", kX}), R"({"eos_token":"<end>"})");
  EXPECT_EQ(after.tokenizer.kind, TokenizerKind::Bpe);
  EXPECT_EQ(ends(after), "A 1 ");
  EXPECT_EQ(after.tokenizer.eos_id, 3U);
  EXPECT_EQ(option(after, "add_eos"), "true");
  const auto before = with_template(concat({kX, ",", kA}), R"({"bos_token":"<end>"})");
  EXPECT_EQ(ends(before), "1 A ");
  EXPECT_EQ(before.tokenizer.bos_id, 3U);
  const auto twice = with_template(concat({kX, ",", kX, ",", kA}), "{}");
  EXPECT_EQ(twice.tokenizer.kind, TokenizerKind::Bpe);
  EXPECT_EQ(ends(twice), "1 1 A ");
}

// As transformers' LlamaTokenizerFast: its settings turn an end on or off.
TEST(DecoderTokenizer, TurnsEndsOnAndOff) {
  constexpr const char* kA = R"({"Sequence":{"id":"A"}})";
  constexpr const char* kX = R"({"SpecialToken":{"id":"x"}})";
  EXPECT_EQ(ends(with_template(concat({kA, ",", kX}), R"({"eos_token":"<end>","bos_token":"a",
      "add_bos_token":true,"add_eos_token":true})")),
            "0 A 1 ");
  EXPECT_EQ(
      ends(with_template(concat({kX, ",", kA}), R"({"bos_token":"<end>","add_bos_token":false})")),
      "A ");
  // Making the tokenizer says that the id is missing.
  EXPECT_EQ(ends(with_template(kA, R"({"add_bos_token":true})")), "none");
}

}  // namespace
}  // namespace ambry::formats::huggingface
