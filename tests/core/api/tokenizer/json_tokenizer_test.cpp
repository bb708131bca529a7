// Opens AMB files that contain a whole tokenizer.json (make_amb.h).
#include "api/tokenizer/json_tokenizer.h"

#include <gtest/gtest.h>

#include <string>

#include "api/decoder/open_generator.h"
#include "api/tokenizer/token_lists.h"
#include "api/tokenizer/tokenizer_model.h"
#include "formats/amb/make_amb.h"

namespace ambry::api {
namespace {

using formats::amb::TokenizerType;
using formats::amb::testing::AmbMaker;
using formats::amb::testing::tiny_config;
using testing::answer;
using testing::File;
using testing::open_generator;
using Special = std::vector<uint16_t>;

constexpr uint16_t kNone = formats::amb::kNoToken;

// The tokenizer of bpe_tokenizer().
constexpr const char* kBpe =
    R"({"type":"BPE","vocab":{"a":0,"b":1,"ab":2,"Ġ":3,"abĠ":4,"c":5,"<s>":6,"</s>":7},)"
    R"("merges":["a b","ab Ġ"]})";
constexpr const char* kAdded =
    R"([{"id":6,"content":"<s>","special":true},{"id":7,"content":"</s>","special":true}])";
constexpr const char* kByteLevel = R"({"type":"ByteLevel","add_prefix_space":false})";
constexpr const char* kTemplate =
    R"({"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"<s>"}},)"
    R"({"Sequence":{"id":"A"}}],"special_tokens":{"<s>":{"id":"<s>","ids":[6]}}})";

std::string byte_level(const std::string& model = kBpe, const std::string& post = "null",
                       const std::string& words = kByteLevel) {
  return R"({"added_tokens":)" + std::string(kAdded) + R"(,"normalizer":null,"pre_tokenizer":)" +
         words + R"(,"decoder":{"type":"ByteLevel"},"post_processor":)" + post + R"(,"model":)" +
         model + "}";
}

File custom(const std::string& json, const Special& special = {}, const std::string& options = "") {
  AmbMaker maker;
  maker.tokenizer = formats::amb::testing::tokenizer_head(TokenizerType::Custom, special);
  formats::testing::put_text(maker.tokenizer, json);
  if (!options.empty()) maker.config = tiny_config(R"(, "tokenizer": )" + options);
  return maker.make();
}

Result<TokenizerModel> open_tokenizer(const File& file) {
  const io::MemorySource source(file);
  return TokenizerModel::open(source);
}

std::string ids_of(const File& file, std::string_view text, bool special = true) {
  const auto tokenizer = open_tokenizer(file);
  if (!tokenizer) return describe(tokenizer.error());
  const auto made = tokenize(**tokenizer->tokenizer(), text, nullptr, special);
  return made ? io::parse_json(*made)->find("ids")->dump() : describe(made.error());
}

std::string special_of(const File& file) {
  const auto tokenizer = open_tokenizer(file);
  if (!tokenizer) return describe(tokenizer.error());
  return io::parse_json(tokenizer->info())->find("special")->dump();
}

std::string generator_info(const File& file, std::string_view key) {
  const auto session = open_generator(file);
  if (!session) return describe(session.error());
  return io::parse_json(session->info())->find("generator")->find(key)->dump();
}

TEST(JsonTokenizer, OfByteLevelBpeMatchesAmbsOwnKind) {
  AmbMaker maker;
  maker.config = tiny_config(R"(, "tokenizer": {"added_tokens": )" + std::string(kAdded) +
                             R"(, "pretokenizer": "gpt2"})");
  const File own = maker.make();
  const File whole = custom(byte_level(), {6, 7});
  for (const char* text : {"", "ab", "ab c<s>ba", "aabb  ab</s>", "a c ab c"}) {
    EXPECT_EQ(ids_of(whole, text), ids_of(own, text)) << text;
  }
  EXPECT_EQ(ids_of(whole, "ab<s>c"), "[2,6,5]");
  EXPECT_EQ(special_of(whole), special_of(own));
  for (const char* key : {"endIds", "specialTokens", "vocabulary"}) {
    EXPECT_EQ(generator_info(whole, key), generator_info(own, key)) << key;
  }
  auto session = open_generator(whole);
  auto expected = open_generator(own);
  ASSERT_TRUE(session && expected);
  constexpr const char* kOptions = R"({"temperature": 0, "maxTokens": 6})";
  const auto made = answer(*session, whole, "ab c", kOptions);
  const auto wanted = answer(*expected, own, "ab c", kOptions);
  ASSERT_TRUE(made && wanted);
  EXPECT_EQ(made->prompt_ids, wanted->prompt_ids);
  EXPECT_EQ(made->ids, wanted->ids);
  EXPECT_EQ(made->text, wanted->text);
}

TEST(JsonTokenizer, AddsTheSpecialTokensOfItsTemplate) {
  EXPECT_EQ(ids_of(custom(byte_level()), "ab"), "[2]");
  EXPECT_EQ(ids_of(custom(byte_level(kBpe, kTemplate)), "ab"), "[6,2]");
  EXPECT_EQ(ids_of(custom(byte_level(kBpe, kTemplate)), "ab", false), "[2]");
  const std::string sequence =
      R"({"type":"Sequence","processors":[{"type":"ByteLevel"},)" + std::string(kTemplate) + "]}";
  EXPECT_EQ(ids_of(custom(byte_level(kBpe, sequence)), "ab"), "[6,2]");
}

// The model file can state one token for each end only, so such a template stays.
TEST(JsonTokenizer, KeepsATemplateOfSeveralTokens) {
  const std::string post =
      R"({"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"<s>"}},
          {"SpecialToken":{"id":"</s>"}},{"Sequence":{"id":"A"}}],
          "pair":[{"Sequence":{"id":"B","type_id":3}},{"SpecialToken":{"id":"</s>","type_id":1}},
          {"Sequence":{"id":"A"}}],
          "special_tokens":{"<s>":{"ids":[6,6]},"</s>":{"ids":[5]}}})";
  const File file = custom(byte_level(kBpe, post), {1, 2}, R"({"add_bos": true})");
  EXPECT_EQ(ids_of(file, "ab"), "[6,6,5,2]");
  EXPECT_EQ(ids_of(file, "ab", false), "[2]");
  const auto tokenizer = open_tokenizer(file);
  ASSERT_TRUE(tokenizer);
  const std::string_view second = "a";
  const auto pair = tokenize(**tokenizer->tokenizer(), "ab", &second, true);
  ASSERT_TRUE(pair) << describe(pair.error());
  EXPECT_EQ(io::parse_json(*pair)->find("ids")->dump(), "[0,5,2]");
  EXPECT_EQ(io::parse_json(*pair)->find("typeIds")->dump(), "[3,1,0]");
  const auto none = open_tokenizer(custom(byte_level(kBpe, kTemplate)));
  EXPECT_EQ(tokenize(**none->tokenizer(), "ab", &second, true).error().path, "pair");
}

TEST(JsonTokenizer, IsOverriddenByTheModelFile) {
  const std::string whole = byte_level(kBpe, kTemplate);
  EXPECT_EQ(special_of(custom(whole)), R"({"bos":6})");
  EXPECT_EQ(special_of(custom(whole, {5, 4, 3})), R"({"bos":5,"eos":4,"pad":3})");
  EXPECT_EQ(ids_of(custom(whole, {5}), "ab"), "[5,2]");
  EXPECT_EQ(generator_info(custom(whole, {5, 4}), "endIds"), "[4,7]");  // 7 by its text
  const File ends = custom(whole, {5, 4}, R"({"eos_id": [7, 1], "bos_id": 2, "add_bos": false})");
  EXPECT_EQ(generator_info(ends, "endIds"), "[7,1]");
  EXPECT_EQ(special_of(ends), R"({"bos":2,"eos":7})");
  EXPECT_EQ(ids_of(ends, "ab"), "[2]");
  EXPECT_EQ(ids_of(custom(whole, {}, R"({"added_tokens": []})"), "<s>", false), "[]");
}

// The start of a tokenizer.json of Llama's form.
const std::string kPieceDecoder =
    R"({"decoder":{"type":"Sequence","decoders":[{"type":"Replace","pattern":{"String":"▁"},"content":" "},
       {"type":"ByteFallback"},{"type":"Fuse"},{"type":"Strip","content":" ","start":1,"stop":0}]},)";

TEST(JsonTokenizer, OfSentencePieceRuns) {
  const std::string pieces =
      kPieceDecoder +
      R"("normalizer":{"type":"Sequence","normalizers":[{"type":"Prepend","prepend":"▁"},
         {"type":"Replace","pattern":{"String":" "},"content":"▁"}]},"model":{"type":"BPE",
         "fuse_unk":true,"unk_token":"<unk>","vocab":{"<unk>":0,"▁":1,"a":2,"▁a":3,"b":4},
         "merges":["▁ a"]}})";
  EXPECT_EQ(ids_of(custom(pieces), "a ab"), "[3,3,4]");
  // The default ids of SentencePiece are not added.
  EXPECT_EQ(special_of(custom(pieces)), R"({"unk":0})");
  EXPECT_EQ(special_of(custom(pieces, {4, 2})), R"({"bos":4,"eos":2,"unk":0})");
}

// As npm tokenizers 0.23.2: the token is normalized to U+2581 and itself.
TEST(JsonTokenizer, LooksForNormalizedTokensInNormalizedText) {
  const std::string pieces =
      kPieceDecoder + R"("added_tokens":[{"id":4,"content":"b","special":false,"normalized":true}],
         "normalizer":{"type":"Sequence","normalizers":[{"type":"Prepend","prepend":"▁"},
         {"type":"Replace","pattern":{"String":" "},"content":"▁"}]},"model":{"type":"BPE",
         "fuse_unk":true,"unk_token":"<unk>","vocab":{"<unk>":0,"▁":1,"a":2,"▁a":3,"b":4},
         "merges":["▁ a"]}})";
  EXPECT_EQ(ids_of(custom(pieces), "b ab bb"), "[4,3,4,4,4]");
}

std::string word_piece(const char* normalizer) {
  return R"({"normalizer":{"type":")" + std::string(normalizer) +
         R"("},"decoder":{"type":"WordPiece"},"pre_tokenizer":{"type":"BertPreTokenizer"},
         "post_processor":{"type":"BertProcessing","sep":["[SEP]",3],"cls":["[CLS]",2]},"model":{"type":"WordPiece",
         "unk_token":"[UNK]","vocab":{"[PAD]":0,"[UNK]":1,"[CLS]":2,"[SEP]":3,"a":4,"##b":5}}})";
}

TEST(JsonTokenizer, OfWordPieceHasNoTokensThatItDoesNotList) {
  EXPECT_EQ(ids_of(custom(word_piece("BertNormalizer")), "a[SEP]"), "[2,4,1,1,1,3]");
}

// Llama's form, but with a piece that two merges make in another order than its length says.
TEST(JsonTokenizer, MergesInTheOrderOfTheList) {
  const std::string pieces =
      kPieceDecoder + R"("normalizer":{"type":"Replace","pattern":{"String":" "},"content":"▁"},
         "model":{"type":"BPE","unk_token":"<unk>","vocab":{"<unk>":0,"▁":1,"a":2,"aa":3,"aaa":4},
         "merges":["a a","a aa"]}})";
  std::string without_strip = pieces;
  const std::string strip = R"(,{"type":"Strip","content":" ","start":1,"stop":0})";
  without_strip.erase(without_strip.find(strip), strip.size());
  // There is no merge of aa and a. To make ids, no decoder is needed.
  EXPECT_EQ(ids_of(custom(without_strip), "aaa"), "[3,2]");
  EXPECT_EQ(ids_of(custom(pieces), "aaa"), "[3,2]");
}

TEST(JsonTokenizer, NamesTheStepThatIsNotSupported) {
  const auto refused = [](const std::string& json) { return ids_of(custom(json), "ab"); };
  EXPECT_NE(refused(byte_level(kBpe, "null", R"({"type":"Sequence","pretokenizers":[
      {"type":"UnicodeScripts"},{"type":"ByteLevel"}]})"))
                .find("tokenizer.json.pre_tokenizer: UnicodeScripts"),
            std::string::npos);
  constexpr const char* kDropout = R"({"type":"BPE","dropout":0.5,"vocab":{"a":0},"merges":[]})";
  EXPECT_NE(refused(byte_level(kDropout)).find("tokenizer.json.model.dropout"), std::string::npos);
}

// As npm tokenizers 0.23.2 gives the ids: those of the vocabulary, or else the next one.
TEST(JsonTokenizer, GivesAddedTokensTheIdsOfTheLibrary) {
  const auto with = [](const char* content, const char* id) {
    std::string json = byte_level();
    const std::string_view first = R"("id":6,"content":"<s>")";
    return custom(json.replace(json.find(first), first.size(),
                               concat({R"("id":)", id, R"(,"content":")", content, "\""})));
  };
  EXPECT_EQ(ids_of(with("<u>", "8"), "ab<u>"), "[2,8]");
  EXPECT_EQ(ids_of(with("c", "9"), "abc"), "[2,5]");
  const std::string refused = ids_of(with("<u>", "9"), "ab");
  EXPECT_NE(refused.find("tokenizer.json.added_tokens[0].id: the vocabulary does not have this"),
            std::string::npos)
      << refused;
}

// CLIP spells the end of a word in its last token.
TEST(JsonTokenizer, PutsTheSuffixAtTheEndOfAWord) {
  constexpr const char* kSuffix =
      R"({"type":"BPE","end_of_word_suffix":"</w>","vocab":{"a":0,"b":1,"a</w>":2,"b</w>":3,)"
      R"("ab</w>":4,"c":5},"merges":["a b</w>"]})";
  EXPECT_EQ(ids_of(custom(byte_level(kSuffix)), "abab"), "[0,1,4]");
  EXPECT_EQ(ids_of(custom(byte_level(kSuffix)), "ba"), "[1,2]");
}

TEST(JsonTokenizer, OfWordPieceRuns) {
  const File whole = custom(word_piece("BertNormalizer"));
  EXPECT_EQ(ids_of(whole, "AB x"), "[2,4,5,1,3]");
  EXPECT_EQ(ids_of(custom(word_piece("BertNormalizer"), {0, 1}), "ab"), "[0,4,5,1]");
  EXPECT_EQ(generator_info(whole, "vocabulary"), "8");
}

TEST(JsonTokenizer, OfUnigramRuns) {
  const File whole = custom(
      R"({"pre_tokenizer":{"type":"Metaspace","replacement":"▁","prepend_scheme":"always"},
         "decoder":{"type":"Metaspace","replacement":"▁","prepend_scheme":"always"},
         "model":{"type":"Unigram","unk_id":0,"vocab":[["<unk>",0],["▁",-2],["▁a",-1]]}})",
      {kNone, 2});
  EXPECT_EQ(ids_of(whole, "a a"), "[2,2]");
  EXPECT_EQ(generator_info(whole, "endIds"), "[2]");
}

TEST(JsonTokenizer, OfUnknownKindHasOnlyIds) {
  const std::pair<std::string, const char*> rows[] = {
      {byte_level(kBpe, "null", R"({"type":"Whitespace"})"), "BPE"},
      {word_piece("Lowercase"), "Lowercase"},
      {R"({"model":{"type":"WordLevel"}})", "WordLevel"},
      {R"({"model":[]})", "none"},
      {"{}", "none"}};
  for (const auto& [json, named] : rows) {
    const File file = custom(json);
    const auto tokenizer = open_tokenizer(file);
    ASSERT_FALSE(tokenizer) << json;
    EXPECT_EQ(tokenizer.error().code, ErrorCode::Unsupported) << json;
    EXPECT_NE(tokenizer.error().message.find(named), std::string::npos)
        << describe(tokenizer.error());
    auto session = open_generator(file);
    ASSERT_TRUE(session) << describe(session.error());
    EXPECT_EQ(answer(*session, file, "a", "{}").error().code, ErrorCode::Unsupported);
    EXPECT_TRUE(answer(*session, file, "", R"({"ids": [0, 1], "maxTokens": 2})"));
  }
}

TEST(JsonTokenizer, WithADamagedModelIsReportedAtItsOffset) {
  const auto bpe = [](const std::string& rest) {
    return byte_level(R"({"type":"BPE",)" + rest + "}");
  };
  const std::pair<std::string, const char*> rows[] = {
      {bpe(R"("merges":[])"), "tokenizer.json.model.vocab"},
      {bpe(R"("vocab":7,"merges":[])"), "tokenizer.json.model.vocab"},
      {bpe(R"("vocab":{"a":-1},"merges":[])"), "tokenizer.json.model.vocab.a"},
      {bpe(R"("vocab":{"a":0,"b":0},"merges":[])"), "tokenizer.json.model.vocab.b"},
      {bpe(R"("vocab":{"a":0})"), "tokenizer.json.model.merges"},
      {bpe(R"("vocab":{"a":0},"merges":["a"])"), "tokenizer.json.model.merges[0]"}};
  for (const auto& [json, path] : rows) {
    const auto tokenizer = open_tokenizer(custom(json));
    ASSERT_FALSE(tokenizer) << json;
    const Error& error = tokenizer.error();
    EXPECT_EQ(error.code, ErrorCode::BadValue) << describe(error);
    EXPECT_EQ(error.path, path);
    EXPECT_LT(error.byte_offset, json.size()) << describe(error);
    EXPECT_EQ(open_generator(custom(json)).error().path, path);
  }
}

}  // namespace
}  // namespace ambry::api
