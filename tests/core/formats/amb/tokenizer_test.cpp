#include <gtest/gtest.h>

#include <algorithm>

#include "formats/amb/make_amb.h"
#include "formats/conformance.h"

namespace ambry::formats::amb {
namespace {

using formats::testing::Outcome;
using io::Strictness;
using model::TokenizerKind;
using testing::AmbMaker;
using testing::File;
using testing::put_at;
using testing::tiny_config;
using Payload = std::vector<uint8_t>;

struct Read {
  Outcome outcome;
  uint64_t at = 0;  // of the tokenizer section

  [[nodiscard]] const model::TokenizerData& tokenizer() const { return *outcome.model->tokenizer; }
};

Read read_tokenizer(const Payload& tokenizer, const std::string& config = tiny_config(),
                    model::ReadOptions options = {}) {
  AmbMaker maker;
  maker.tokenizer = tokenizer;
  maker.config = config;
  const File file = maker.make();
  return {formats::testing::read(file, *find_format("amb"), {Strictness::Strict, options}),
          maker.places.tokenizer};
}

void expect_tokenizer_error(const Payload& tokenizer, ErrorCode code, std::string_view path,
                            uint64_t offset, const std::string& config = tiny_config()) {
  const Read got = read_tokenizer(tokenizer, config);
  ASSERT_TRUE(got.outcome.model);
  ASSERT_EQ(got.outcome.found.errors.size(), 1U);
  const Error& error = got.outcome.found.errors[0];
  EXPECT_EQ(error.code, code) << describe(error);
  EXPECT_EQ(error.path, path) << describe(error);
  EXPECT_EQ(error.byte_offset, got.at + offset) << describe(error);
}

TEST(AmbTokenizer, OfBytePairs) {
  const Read got = read_tokenizer(testing::bpe_tokenizer());
  ASSERT_TRUE(got.outcome.accepted());
  EXPECT_EQ(got.tokenizer().kind, TokenizerKind::Bpe);
  ASSERT_EQ(got.tokenizer().merges.size(), 4U);
  EXPECT_EQ(got.tokenizer().merges[2], "ab");
  ASSERT_EQ(got.tokenizer().vocabulary.size(), 8U);
  EXPECT_EQ(got.tokenizer().vocabulary[4], "ab\xC4\xA0");
  EXPECT_TRUE(got.tokenizer().ids.empty());
  EXPECT_EQ(got.tokenizer().bos_id, 6U);
  EXPECT_EQ(got.tokenizer().eos_id, 7U);
  EXPECT_FALSE(got.tokenizer().pad_id);
}

TEST(AmbTokenizer, OfWordPieces) {
  const Read got = read_tokenizer(testing::wordpiece_tokenizer());
  ASSERT_TRUE(got.outcome.accepted());
  EXPECT_EQ(got.tokenizer().kind, TokenizerKind::WordPiece);
  EXPECT_EQ(got.tokenizer().vocabulary[6], "##b");
  EXPECT_EQ(got.tokenizer().cls_id, 2U);
  EXPECT_EQ(got.tokenizer().sep_id, 3U);
  EXPECT_EQ(got.tokenizer().mask_id, 4U);
}

TEST(AmbTokenizer, OfSentencePieces) {
  const Read got = read_tokenizer(testing::sentencepiece_tokenizer());
  ASSERT_TRUE(got.outcome.accepted());
  EXPECT_EQ(got.tokenizer().kind, TokenizerKind::SentencePieceBpe);
  EXPECT_EQ(got.tokenizer().vocabulary[7], "ab");
  EXPECT_EQ(got.tokenizer().scores[7], -7);
  EXPECT_EQ(got.tokenizer().types[3], 6);
  EXPECT_EQ(got.tokenizer().payload, as_text(testing::sentencepiece_model()));
  EXPECT_EQ(got.tokenizer().bos_id, 1U);
  EXPECT_FALSE(got.tokenizer().pad_id);
  EXPECT_EQ(read_tokenizer(testing::sentencepiece_tokenizer(1)).tokenizer().kind,
            TokenizerKind::SentencePieceUnigram);
  const Read words = read_tokenizer(testing::sentencepiece_tokenizer(3));
  EXPECT_EQ(words.tokenizer().kind, TokenizerKind::Custom);
  EXPECT_EQ(words.outcome.found.warnings.size(), 1U);
}

TEST(AmbTokenizer, OfAnUnknownKind) {
  const Read json = read_tokenizer(testing::custom_tokenizer());
  ASSERT_TRUE(json.outcome.accepted());
  EXPECT_EQ(json.tokenizer().kind, TokenizerKind::Custom);
  EXPECT_TRUE(json.tokenizer().payload.starts_with("{\"model\""));
  const Read opaque = read_tokenizer(testing::custom_tokenizer("\x01\xFF opaque"));
  ASSERT_TRUE(opaque.outcome.accepted());
  EXPECT_EQ(opaque.tokenizer().payload, "\x01\xFF opaque");
  expect_tokenizer_error(testing::custom_tokenizer("{\"model\": }"), ErrorCode::BadValue,
                         "tokenizer.payload", 11 + 10);
}

// core/formats/amb/README.md#special-ids
TEST(AmbSpecialIds, AreOverriddenByTheConfig) {
  const Read got =
      read_tokenizer(testing::bpe_tokenizer(),
                     tiny_config(R"(, "tokenizer": {"bos_id": 0, "eos_id": [5, 7], "pad_id": 1,
                                                       "unk_id": null})"));
  ASSERT_TRUE(got.outcome.accepted());
  EXPECT_EQ(got.tokenizer().bos_id, 0U);
  EXPECT_EQ(got.tokenizer().eos_id, 5U);
  EXPECT_EQ(got.tokenizer().pad_id, 1U);
  EXPECT_FALSE(got.tokenizer().unk_id);
}

TEST(AmbSpecialIds, AreInTheVocabulary) {
  Payload tokenizer = testing::bpe_tokenizer();
  put_at(tokenizer, 5, uint16_t{8});
  expect_tokenizer_error(tokenizer, ErrorCode::BadValue, "tokenizer.pad_id", 5);
  const Read got =
      read_tokenizer(testing::bpe_tokenizer(), tiny_config(R"(, "tokenizer": {"bos_id": 9})"));
  ASSERT_EQ(got.outcome.found.errors.size(), 1U);
  EXPECT_EQ(got.outcome.found.errors[0].path, "config.tokenizer.bos_id");
  EXPECT_LT(got.outcome.found.errors[0].byte_offset, got.at);
}

TEST(AmbSpecialIds, OfTheTemplateAreInTheVocabulary) {
  const auto read = [](const char* ids) {
    return read_tokenizer(
        testing::bpe_tokenizer(),
        tiny_config(concat({R"(, "tokenizer": {"post_processor": {"type": "TemplateProcessing",
            "single": [{"Sequence": {"id": "A"}}, {"SpecialToken": {"id": "x"}}],
            "special_tokens": {"x": {"ids": )",
                            ids, "}}}}"})));
  };
  const Read good = read("[7]");
  ASSERT_TRUE(good.outcome.found.errors.empty());
  EXPECT_EQ(good.tokenizer().post_processor->single.back().ids, (std::vector<uint32_t>{7}));
  const Read bad = read("[8]");
  ASSERT_EQ(bad.outcome.found.errors.size(), 1U);
  EXPECT_EQ(bad.outcome.found.errors[0].path, "config.tokenizer.post_processor");
}

TEST(AmbSpecialIds, AreOverriddenByIdsOnly) {
  for (const char* bad : {"-1", "\"1\"", "[1, -1]", "1.5", "4294967296"}) {
    const Read got = read_tokenizer(
        testing::bpe_tokenizer(), tiny_config(concat({R"(, "tokenizer": {"bos_id": )", bad, "}"})));
    ASSERT_EQ(got.outcome.found.errors.size(), 1U) << bad;
    EXPECT_EQ(got.outcome.found.errors[0].path, "config.tokenizer.bos_id") << bad;
  }
}

TEST(AmbTokenizer, IsAbsentWithoutASection) {
  const Read none = read_tokenizer({});
  ASSERT_TRUE(none.outcome.accepted());
  EXPECT_FALSE(none.outcome.model->tokenizer);
  const Read cut = read_tokenizer(Payload(10));
  ASSERT_EQ(cut.outcome.found.errors.size(), 1U);
  EXPECT_EQ(cut.outcome.found.errors[0].path, "header.tokenizer_size");
  EXPECT_EQ(cut.outcome.found.errors[0].byte_offset, kTokenizerSizeAt);
}

TEST(AmbTokenizer, RefusesAnUnknownKind) {
  Payload tokenizer = testing::bpe_tokenizer();
  tokenizer[0] = 4;
  expect_tokenizer_error(tokenizer, ErrorCode::Unsupported, "tokenizer.type", 0);
}

// core/formats/amb/README.md#vocabulary
TEST(AmbTokenizer, IdsMayHaveGaps) {
  Payload tokenizer = testing::tokenizer_head(TokenizerType::WordPiece, {});
  testing::put_vocabulary(tokenizer, {"a", "b"});
  const size_t second = 11 + 4 + 6 + 1;
  put_at(tokenizer, second, uint32_t{7});
  const Read got = read_tokenizer(tokenizer);
  ASSERT_TRUE(got.outcome.accepted());
  EXPECT_EQ(got.tokenizer().ids, (std::vector<uint32_t>{0, 7}));
  put_at(tokenizer, second, uint32_t{8});
  expect_tokenizer_error(tokenizer, ErrorCode::BadValue, "tokenizer.vocabulary[1].id", second);
  put_at(tokenizer, second, uint32_t{0});
  const Read twice = read_tokenizer(tokenizer);
  ASSERT_EQ(twice.outcome.found.errors.size(), 1U);
  EXPECT_EQ(twice.outcome.found.errors[0].path, "tokenizer.vocabulary[1].id");
}

TEST(AmbTokenizer, CountsAndLengthsFitTheSection) {
  const Payload good = testing::bpe_tokenizer();
  Payload bad = good;
  put_at(bad, 11, uint32_t{0x7FFFFFFF});
  expect_tokenizer_error(bad, ErrorCode::Truncated, "tokenizer.n_merges", 11);
  bad = good;
  put_at(bad, 15, uint16_t{60000});
  expect_tokenizer_error(bad, ErrorCode::Truncated, "tokenizer.merges[0].left_length", 15);
  const size_t vocabulary = 15 + 4 * 2 + 1 + 1 + 2 + 2;
  bad = good;
  put_at(bad, vocabulary, uint32_t{0x10000000});
  expect_tokenizer_error(bad, ErrorCode::Truncated, "tokenizer.n_vocab", vocabulary);
  bad = good;
  put_at(bad, vocabulary, uint32_t{7});
  expect_tokenizer_error(bad, ErrorCode::BadValue, "tokenizer.end", good.size() - 10);
  bad = good;
  bad.back() = 0xFF;
  expect_tokenizer_error(bad, ErrorCode::BadValue, "tokenizer.vocabulary[7].token",
                         good.size() - 1);
  for (size_t size = 11; size < good.size(); ++size) {
    EXPECT_FALSE(
        read_tokenizer(Payload(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)))
            .outcome.accepted())
        << size;
  }
}

TEST(AmbTokenizer, ReportsADamagedModelProto) {
  const Payload good = testing::sentencepiece_tokenizer();
  Payload bad = good;
  bad[11] = 0x0B;  // a group
  expect_tokenizer_error(bad, ErrorCode::BadValue, "tokenizer.model", 11);
  bad = good;
  bad[12] = 200;
  bad[13] = 127;
  expect_tokenizer_error(bad, ErrorCode::Truncated, "tokenizer.model", 11);
  bad.resize(11);
  expect_tokenizer_error(bad, ErrorCode::NotFound, "tokenizer.model", 11);
  const Read few = read_tokenizer(good, R"({"n_vocab": 7})");
  ASSERT_EQ(few.outcome.found.errors.size(), 1U);
  EXPECT_EQ(few.outcome.found.errors[0].path, "tokenizer.model.pieces");
}

// core/formats/amb/README.md#tokenizer-options
TEST(AmbTokenizer, TakesTheRestFromTheConfig) {
  const Read got =
      read_tokenizer(testing::wordpiece_tokenizer(),
                     tiny_config(R"(, "tokenizer": {"lowercase": false, "strip_accents": true,
          "handle_chinese_chars": false, "max_input_chars_per_word": 50,
          "added_tokens": [{"id": 5, "content": "<|end|>", "special": true, "rstrip": true}]})"));
  ASSERT_TRUE(got.outcome.accepted());
  EXPECT_FALSE(got.tokenizer().lowercase);
  EXPECT_EQ(got.tokenizer().strip_accents, true);
  EXPECT_FALSE(got.tokenizer().handle_chinese_chars);
  EXPECT_EQ(got.tokenizer().max_input_chars_per_word, 50U);
  ASSERT_EQ(got.tokenizer().added_tokens.size(), 1U);
  EXPECT_EQ(got.tokenizer().added_tokens[0].content, "<|end|>");
  EXPECT_TRUE(got.tokenizer().added_tokens[0].rstrip);
  for (const char* bad :
       {R"("added_tokens": 1)", R"("added_tokens": [{"id": 5}])",
        R"("added_tokens": [{"id": 5, "content": "x", "special": 3}])", R"("lowercase": 3)"}) {
    EXPECT_EQ(read_tokenizer(testing::wordpiece_tokenizer(),
                             tiny_config(concat({R"(, "tokenizer": {)", bad, "}"})))
                  .outcome.found.errors.size(),
              1U)
        << bad;
  }
}

TEST(AmbTokenizer, TakesADecodersSettingsFromTheConfig) {
  const Read got = read_tokenizer(
      testing::bpe_tokenizer(),
      tiny_config(R"(, "tokenizer": {"add_bos": true, "add_eos": false, "pretokenizer": "qwen2",
          "normalizer": "nfc+lowercase", "add_prefix_space": true, "ignore_merges": true,
          "byte_fallback": true, "fuse_unk": false, "legacy": false, "eos_id": [7, 3]})"));
  ASSERT_TRUE(got.outcome.accepted());
  const model::TokenizerData& data = got.tokenizer();
  EXPECT_EQ(data.add_bos, true);
  EXPECT_EQ(data.add_eos, false);
  EXPECT_EQ(data.pretokenizer, "qwen2");
  EXPECT_EQ(data.normalizer, (std::vector{model::TextChange::Nfc, model::TextChange::Lowercase}));
  EXPECT_EQ(data.add_prefix_space, true);
  EXPECT_TRUE(data.ignore_merges);
  EXPECT_EQ(data.byte_fallback, true);
  EXPECT_EQ(data.fuse_unk, false);
  EXPECT_EQ(data.legacy, false);
  EXPECT_EQ(data.eos_id, 7U);
  EXPECT_EQ(data.eos_ids, (std::vector<uint32_t>{7, 3}));
  const std::pair<const char*, const char*> bad[] = {
      {R"("normalizer": "nfc+nmt")", "config.tokenizer.normalizer"},
      {R"("normalizer": 1)", "config.tokenizer.normalizer"},
      {R"("add_bos": "yes")", "config.tokenizer.add_bos"},
      {R"("eos_id": [1, -1])", "config.tokenizer.eos_id"}};
  for (const auto& [option, path] : bad) {
    const Read refused = read_tokenizer(testing::bpe_tokenizer(),
                                        tiny_config(concat({R"(, "tokenizer": {)", option, "}"})));
    ASSERT_EQ(refused.outcome.found.errors.size(), 1U) << option;
    EXPECT_EQ(refused.outcome.found.errors[0].path, path);
  }
}

TEST(AmbTokenizer, IsNotReadWithoutTheVocabulary) {
  Payload tokenizer = testing::bpe_tokenizer();
  put_at(tokenizer, 11, UINT32_MAX);
  const Read got = read_tokenizer(tokenizer, tiny_config(), {.vocabulary = false});
  ASSERT_TRUE(got.outcome.accepted());
  EXPECT_EQ(got.tokenizer().n_tokens, 8U);
  EXPECT_EQ(got.tokenizer().bos_id, 6U);
}

// The densest claim of tokens that a file can back with bytes.
TEST(AmbTokenizer, OfEmptyTokensTakesLittleMoreThanTwiceItsBytes) {
  Payload tokenizer = testing::tokenizer_head(TokenizerType::Bpe, {});
  testing::put(tokenizer, uint32_t{100'000});
  tokenizer.resize(tokenizer.size() + 400'000);
  testing::put_vocabulary(tokenizer, std::vector<std::string>(100'000));
  const Read got = read_tokenizer(tokenizer, R"({"n_vocab": 100000})");
  ASSERT_TRUE(got.outcome.accepted());
  EXPECT_EQ(got.tokenizer().merges.size(), 200'000U);
}

}  // namespace
}  // namespace ambry::formats::amb
