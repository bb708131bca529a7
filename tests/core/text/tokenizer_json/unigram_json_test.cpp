// Compares a tokenizer.json with a Unigram model with the results of npm tokenizers 0.23.2.
#include "text/tokenizer_json/unigram_json.h"

#include <gtest/gtest.h>

#include <string>

#include "model/tokenizer/files/unigram_file.h"
#include "text/make_tokenizer.h"
#include "text/sentencepiece/make_charsmap.h"
#include "text/test_files.h"

namespace ambry::text {
namespace {

using io::Json;

std::string base64_of(std::string bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const size_t n_padding = (3 - bytes.size() % 3) % 3;
  bytes.append(n_padding, '\0');
  std::string text;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t bits = 0;
    for (size_t j = i; j < i + 3; ++j) bits = bits << 8 | static_cast<uint8_t>(bytes[j]);
    for (int shift = 18; shift >= 0; shift -= 6) text += kDigits[bits >> shift & 63];
  }
  text.resize(text.size() - n_padding);
  return text.append(n_padding, '=');
}

std::string small_file() {
  const std::string map = base64_of(
      CharsmapMaker(CharsmapMaker::Rules{{"\uFF21", "A"}, {"\uFB01", "fi"}, {"\t", " "}}).bytes());
  return R"({"added_tokens": [
    {"id": 0, "content": "<s>", "special": true, "normalized": false},
    {"id": 1, "content": "</s>", "special": true, "normalized": false},
    {"id": 2, "content": "<unk>", "special": true, "normalized": false}],
  "normalizer": {"type": "Sequence", "normalizers": [
    {"type": "Precompiled", "precompiled_charsmap": ")" +
         map + R"("},
    {"type": "Strip", "strip_left": false, "strip_right": true},
    {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": "▁"}]},
  "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"},
  "post_processor": {"type": "TemplateProcessing",
    "single": [{"SpecialToken": {"id": "<s>"}}, {"Sequence": {"id": "A"}},
               {"SpecialToken": {"id": "</s>"}}],
    "special_tokens": {"<s>": {"ids": [0]}, "</s>": {"ids": [1]}}},
  "decoder": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"},
  "model": {"type": "Unigram", "unk_id": 2, "byte_fallback": false, "vocab": [
    ["<s>", 0], ["</s>", 0], ["<unk>", 0], ["▁", -2], ["▁a", -1], ["a", -2.5], ["b", -3],
    ["ab", -3.5], ["▁fi", -2], ["A", -4]]}})";
}

Result<std::unique_ptr<Tokenizer>> open(std::string file) {
  model::TokenizerData data;
  data.kind = model::TokenizerKind::Custom;
  data.payload = std::move(file);
  return make_tokenizer(std::move(data));
}

struct Golden {
  const char* text;
  std::vector<uint32_t> ids;
  const char* decoded;
};

TEST(UnigramJson, MatchesHuggingFacesIdsAndTexts) {
  const auto made = open(small_file());
  ASSERT_TRUE(made) << describe(made.error());
  const Golden kGolden[] = {
      {"ab a", {0, 4, 6, 4, 1}, "ab a"},        {"  a  ab \t", {0, 4, 4, 6, 1}, "a ab"},
      {"\uFF21\u0301b", {0, 3, 9, 6, 1}, "Ab"}, {"\uFB01zz\u00E9a", {0, 8, 2, 5, 1}, "fia"},
      {"a</s>b", {0, 4, 1, 3, 6, 1}, "a b"},    {"", {0, 1}, ""}};
  for (const Golden& golden : kGolden) {
    EXPECT_EQ((*made)->encode(golden.text, {}).ids, golden.ids) << golden.text;
    EXPECT_EQ((*made)->decode(golden.ids, true), golden.decoded);
  }
}

TEST(UnigramJson, SpansAreInTheOriginalText) {
  const auto made = open(small_file());
  ASSERT_TRUE(made);
  const Encoding encoding = (*made)->encode("\uFB01zz\u00E9a", kPlain);
  ASSERT_EQ(encoding.ids.size(), 3U);
  EXPECT_EQ(encoding.spans[1].begin, (TextPosition{3, 1}));
  EXPECT_EQ(encoding.spans[1].end, (TextPosition{7, 4}));
}

std::string with(std::string_view from, std::string_view to) {
  std::string file = small_file();
  const size_t at = file.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return file.replace(at, from.size(), to);
}

// Three pieces of T5. The sums of both orders differ in their last bits, by how the library rounds
// the scores.
TEST(UnigramJson, OrdersARunOfOneCharacterAsHuggingFace) {
  const auto made = open(with(
      R"(["▁", -2], ["▁a", -1], ["a", -2.5])",
      R"(["▁", -2.0122928619384766], ["-", -5.129043102264404], ["---", -12.130167007446289])"));
  ASSERT_TRUE(made) << describe(made.error());
  EXPECT_EQ((*made)->encode("-------", kPlain).ids, (std::vector<uint32_t>{3, 5, 5, 4}));
  EXPECT_EQ((*made)->encode("----------", kPlain).ids, (std::vector<uint32_t>{3, 5, 5, 4, 5}));
}

void expect_refused_file(std::string file, ErrorCode code, std::string_view path) {
  const auto made = open(std::move(file));
  ASSERT_FALSE(made) << path;
  EXPECT_EQ(made.error().code, code) << describe(made.error());
  EXPECT_EQ(made.error().path, path);
}

// ALBERT's steps.
TEST(UnigramJson, ChangesTextsAsItsNormalizerSays) {
  const auto made =
      open(with(R"({"type": "Strip", "strip_left": false, "strip_right": true})",
                R"({"type": "NFKD"}, {"type": "StripAccents"}, {"type": "Lowercase"})"));
  ASSERT_TRUE(made) << describe(made.error());
  const Encoding encoding = (*made)->encode("\u00C1b", kPlain);
  EXPECT_EQ(encoding.ids, (std::vector<uint32_t>{4, 6}));
  EXPECT_EQ(encoding.spans[0].end, (TextPosition{2, 1}));
}

// A tokenizer in parts, as EMBD stores it.
TEST(UnigramJson, RunsFromItsParts) {
  auto file = model::read_unigram_file(small_file());
  ASSERT_TRUE(file) << describe(file.error());
  const auto made = make_tokenizer(model::unigram_tokenizer(std::move(*file)));
  ASSERT_TRUE(made) << describe(made.error());
  EXPECT_EQ((*made)->encode("\uFF21\u0301b", {}).ids, (std::vector<uint32_t>{0, 3, 9, 6, 1}));
}

TEST(UnigramJson, RefusesATemplateOfNoTokens) {
  expect_refused_file(with("\"ids\": [1]", "\"ids\": [10]"), ErrorCode::BadValue,
                      "tokenizer.json.post_processor");
}

TEST(UnigramJson, ReportsUnsupportedSteps) {
  expect_refused_file(with("\"Strip\"", "\"Nmt\""), ErrorCode::Unsupported,
                      "tokenizer.json.normalizer");
  expect_refused_file(with(" {2,}", "[a-z]"), ErrorCode::Unsupported, "tokenizer.json.normalizer");
  expect_refused_file(with("\"Metaspace\"", "\"Punctuation\""), ErrorCode::Unsupported,
                      "tokenizer.json.pre_tokenizer");
  expect_refused_file(with("\"TemplateProcessing\"", "\"Magic\""), ErrorCode::Unsupported,
                      "tokenizer.json.post_processor");
  expect_refused_file(with("\"Unigram\"", "\"BPE\""), ErrorCode::Unsupported,
                      "tokenizer.json.model");
}

constexpr const char* kDecoder =
    R"("decoder": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"})";

// Encoders need no text of ids.
TEST(UnigramJson, EncodesWhateverTheDecoderIs) {
  for (const char* other : {R"("decoder": {"type": "CTC"})", R"("decoder": null)"}) {
    const auto made = open(with(kDecoder, other));
    ASSERT_TRUE(made) << describe(made.error());
    EXPECT_EQ((*made)->encode("ab a", {}).ids, (std::vector<uint32_t>{0, 4, 6, 4, 1}));
    const auto decodes = (*made)->can_decode();
    ASSERT_FALSE(decodes);
    EXPECT_EQ(decodes.error().code, ErrorCode::Unsupported);
    EXPECT_EQ(decodes.error().path, "tokenizer.json.decoder");
  }
  EXPECT_TRUE((*open(small_file()))->can_decode());
}

// As npm tokenizers 0.23.2.
TEST(UnigramJson, DecodesAsLlama) {
  const auto made = open(with(kDecoder, R"("decoder": {"type": "Sequence", "decoders": [
      {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}, {"type": "ByteFallback"},
      {"type": "Fuse"}, {"type": "Strip", "content": " ", "start": 1, "stop": 0}]})"));
  ASSERT_TRUE(made) << describe(made.error());
  ASSERT_TRUE((*made)->can_decode());
  const std::vector<uint32_t> ids = {0, 4, 6, 4, 1};
  EXPECT_EQ((*made)->decode(ids, true), "ab a");
  EXPECT_EQ((*made)->decode(ids, false), "<s> ab a</s>");
}

TEST(UnigramJson, RejectsInvalidVocabularies) {
  constexpr const char* kPath = "tokenizer.json.model.vocab";
  expect_refused_file(with("[\"b\", -3]", "[\"b\"]"), ErrorCode::BadValue, kPath);
  expect_refused_file(with("[\"b\", -3]", "[\"b\", \"-3\"]"), ErrorCode::BadValue, kPath);
  expect_refused_file(with("\"unk_id\": 2", "\"unk_id\": null"), ErrorCode::NotFound, kPath);
  expect_refused_file(with("\"unk_id\": 2", "\"unk_id\": 99"), ErrorCode::NotFound, kPath);
  expect_refused_file(with("\"precompiled_charsmap\": \"", "\"precompiled_charsmap\": \"*"),
                      ErrorCode::BadValue, "tokenizer.json.normalizer");
  expect_refused_file("{\"model\"", ErrorCode::Truncated, "tokenizer.json");
}

}  // namespace
}  // namespace ambry::text
