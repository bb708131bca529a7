// What GGUF files say of their tokenizers.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "formats/gguf/gguf_parse.h"
#include "formats/gguf/read_gguf.h"
#include "model/decoder/decoder_config.h"
#include "model/tokenizer/tokenizer_options.h"

namespace ambry::formats::gguf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the makers
using model::TokenizerKind;

TEST(Gguf, KeepsTheVocabularyOutOfTheMetadata) {
  const Read result = read(make_gguf());
  ASSERT_TRUE(result.model->tokenizer);
  const model::TokenizerData& tokenizer = *result.model->tokenizer;
  EXPECT_EQ(tokenizer.kind, TokenizerKind::SentencePieceBpe);
  EXPECT_EQ(tokenizer.n_tokens, 6U);
  ASSERT_EQ(tokenizer.vocabulary.size(), 6U);
  EXPECT_EQ(tokenizer.vocabulary[5], "\xE2\x96\x81\x61");
  EXPECT_EQ(tokenizer.scores, (std::vector<float>{0, 0, 0, -1, -2, -3}));
  EXPECT_EQ(tokenizer.types, (std::vector<uint8_t>{2, 3, 3, 1, 1, 1}));
  EXPECT_EQ(tokenizer.bos_id, 1U);
  EXPECT_EQ(tokenizer.eos_id, 2U);
  EXPECT_EQ(tokenizer.unk_id, 0U);
  EXPECT_FALSE(tokenizer.pad_id);
  EXPECT_EQ(result.model->metadata.find("tokenizer.ggml.tokens")->dump(),
            R"({"array":"string","length":6})");
}

TEST(Gguf, SplitsMergesIntoTheirParts) {
  const Read result = read(make_vocabulary());
  ASSERT_TRUE(result.accepted()) << describe_first(result);
  EXPECT_EQ(result.model->version, "v2");
  const model::TokenizerData& tokenizer = *result.model->tokenizer;
  EXPECT_EQ(tokenizer.kind, TokenizerKind::Bpe);
  ASSERT_EQ(tokenizer.merges.size(), 4U);
  EXPECT_EQ(tokenizer.merges[2], "ab");
  EXPECT_EQ(tokenizer.merges[3], "c");
}

TEST(Gguf, ShowsDescriptionsThatAreNotUtf8) {
  GgufMaker maker;
  maker.metadata.push_back(text("general.author", "Ren\xE9"));
  maker.metadata.push_back(texts("general.tags", {"a", "\xFF"}));
  const Read result = read(maker.make());
  ASSERT_TRUE(result.model) << describe_first(result);
  EXPECT_TRUE(result.found.errors.empty()) << describe_first(result);
  EXPECT_EQ(result.model->metadata.find("general.author")->string(), "Ren\xEF\xBF\xBD");
  EXPECT_EQ(result.model->metadata.find("general.tags")->items()[1].string(), "\xEF\xBF\xBD");
  ASSERT_EQ(result.found.warnings.size(), 2U);
  EXPECT_EQ(result.found.warnings[0].path, "metadata.general.author.value");
  GgufMaker strict;
  strict.metadata.push_back(text("tokenizer.chat_template", "\xFF"));
  EXPECT_FALSE(read(strict.make()).found.errors.empty());
}

TEST(Gguf, KnowsTheNamesOfPreTokenizers) {
  struct Known {
    const char* name;
    const char* rule;
    bool ignore_merges;
    std::optional<bool> add_bos;
    bool composes;
  };
  for (const Known& known :
       {Known{"deepseek-r1-qwen", "qwen2", false, {}, false},
        Known{"qwen2", "qwen2", false, {}, true}, Known{"qwen35", "qwen35", false, {}, true},
        Known{"falcon3", "llama3", true, true, false}, Known{"dbrx", "llama3", false, {}, false},
        Known{"tekken", "tekken", true, true, false},
        Known{"default", "ggml_default", false, {}, false},
        Known{"superbpe", "number_runs+thousands", false, {}, false},
        Known{"kimi-k2", "kimi-k2", false, {}, false}}) {
    GgufMaker maker;
    maker.entry("tokenizer.ggml.model") = text("tokenizer.ggml.model", "gpt2");
    maker.metadata.push_back(text("tokenizer.ggml.pre", known.name));
    maker.metadata.push_back(texts("tokenizer.ggml.merges", {}));
    const Read result = read(maker.make());
    ASSERT_TRUE(result.model) << describe_first(result);
    const model::TokenizerData& tokenizer = *result.model->tokenizer;
    EXPECT_EQ(tokenizer.pretokenizer, known.rule);
    EXPECT_EQ(tokenizer.ignore_merges, known.ignore_merges) << known.name;
    EXPECT_EQ(tokenizer.add_bos, known.add_bos) << known.name;
    EXPECT_EQ(!model::text_changes_of(tokenizer).empty(), known.composes) << known.name;
  }
}

TEST(Gguf, ReadsPiecesThatMergeByAList) {
  struct Known {
    const char* model;
    const char* pre;
    bool add_bos;
  };
  for (const Known& known :
       {Known{"gemma4", "", true}, Known{"gemma4", "anything", true},
        Known{"gpt2", "granite-embed-multi-311m", true}, Known{"gpt2", "sarvam-moe", false}}) {
    GgufMaker maker;
    maker.entry("tokenizer.ggml.model") = text("tokenizer.ggml.model", known.model);
    if (*known.pre != '\0') maker.metadata.push_back(text("tokenizer.ggml.pre", known.pre));
    maker.metadata.push_back(number("tokenizer.ggml.add_bos_token", ValueType::Bool,
                                    static_cast<uint8_t>(known.add_bos ? 0 : 1)));
    const Read without = read(maker.make());
    ASSERT_NE(without.problem(), nullptr) << known.model;
    EXPECT_EQ(without.problem()->path, "metadata.tokenizer.ggml.merges");
    maker.metadata.push_back(texts("tokenizer.ggml.merges", {"\xE2\x96\x81 a"}));
    const Read result = read(maker.make());
    ASSERT_TRUE(result.clean()) << describe_first(result);
    const model::TokenizerData& tokenizer = *result.model->tokenizer;
    EXPECT_EQ(tokenizer.kind, TokenizerKind::SentencePieceBpe);
    EXPECT_EQ(tokenizer.merges.size(), 2U);
    EXPECT_EQ(tokenizer.add_prefix_space, false);
    EXPECT_EQ(tokenizer.add_bos, true);
    EXPECT_TRUE(tokenizer.legacy.has_value());
  }
}

TEST(Gguf, CutsWordsAsLlamaCppWhereTheFileDoesNotSayHow) {
  GgufMaker maker;
  maker.entry("tokenizer.ggml.model") = text("tokenizer.ggml.model", "gpt2");
  maker.metadata.push_back(texts("tokenizer.ggml.merges", {}));
  const Read result = read(maker.make());
  ASSERT_TRUE(result.model) << describe_first(result);
  EXPECT_EQ(result.model->tokenizer->pretokenizer, "ggml_default");
  const auto& warnings = result.found.warnings;
  EXPECT_TRUE(std::ranges::any_of(warnings, [](const Error& warning) {
    return warning.code == ErrorCode::NotFound && warning.path == "metadata.tokenizer.ggml.pre";
  }));
}

TEST(Gguf, NeedsTheMergesOfBpe) {
  GgufMaker maker;
  maker.entry("tokenizer.ggml.model") = text("tokenizer.ggml.model", "gpt2");
  const Read result = read(maker.make());
  ASSERT_NE(result.problem(), nullptr);
  EXPECT_EQ(result.problem()->path, "metadata.tokenizer.ggml.merges");
}

TEST(Gguf, ReadsAllEndsOfAnAnswer) {
  GgufMaker maker;
  maker.entry("tokenizer.ggml.eos_token_id") =
      numbers<uint32_t>("tokenizer.ggml.eos_token_id", ValueType::U32, {2, 4});
  maker.metadata.push_back(u32("tokenizer.ggml.eom_token_id", 5));
  const Read result = read(maker.make());
  ASSERT_TRUE(result.clean()) << describe_first(result);
  EXPECT_EQ(result.model->tokenizer->eos_id, 2U);
  EXPECT_EQ(result.model->tokenizer->eos_ids, (std::vector<uint32_t>{2, 4, 5}));
}

TEST(Gguf, TakesMinusOneAsNoToken) {
  GgufMaker maker;
  maker.entry("tokenizer.ggml.eos_token_id") = u32("tokenizer.ggml.eos_token_id", UINT32_MAX);
  maker.metadata.push_back(u32("tokenizer.ggml.seperator_token_id", UINT32_MAX));
  maker.metadata.push_back(number("tokenizer.ggml.padding_token_id", ValueType::I32, int32_t{-1}));
  maker.metadata.push_back(u32("tokenizer.ggml.eot_token_id", 4));
  const Read result = read(maker.make());
  ASSERT_TRUE(result.clean()) << describe_first(result);
  const model::TokenizerData& tokenizer = *result.model->tokenizer;
  EXPECT_EQ(tokenizer.eos_id, std::nullopt);
  EXPECT_EQ(tokenizer.sep_id, std::nullopt);
  EXPECT_EQ(tokenizer.pad_id, std::nullopt);
  EXPECT_EQ(tokenizer.eos_ids, std::vector<uint32_t>{4});
}

// Qwen's vocabulary has this word of code.
TEST(Gguf, LeavesAnOrdinaryTokenThatLooksLikeAnEnd) {
  GgufMaker maker;
  maker.entry("tokenizer.ggml.tokens") =
      texts("tokenizer.ggml.tokens", {"<unk>", "<s>", "<e>", "_", "</s>", "b"});
  const Read result = read(maker.make());
  ASSERT_TRUE(result.model) << describe_first(result);
  EXPECT_EQ(result.model->tokenizer->added_tokens.size(), 3U);
  EXPECT_TRUE(result.found.warnings.empty());
}

// As llama.cpp does: converters forget the type of such tokens.
TEST(Gguf, CutsOutEndsWithTheTypeOfPieces) {
  GgufMaker maker;
  maker.entry("tokenizer.ggml.tokens") =
      texts("tokenizer.ggml.tokens", {"<unk>", "<s>", "</s>", "_", "<end_of_turn>", "b"});
  const Read result = read(maker.make());
  ASSERT_TRUE(result.model) << describe_first(result);
  const model::TokenizerData& tokenizer = *result.model->tokenizer;
  ASSERT_EQ(tokenizer.added_tokens.size(), 4U);
  EXPECT_EQ(tokenizer.added_tokens[3].content, "<end_of_turn>");
  EXPECT_TRUE(tokenizer.added_tokens[3].special);
  ASSERT_EQ(result.found.warnings.size(), 1U);
  EXPECT_EQ(result.found.warnings[0].path, "metadata.tokenizer.ggml.token_type[4]");
}

TEST(Gguf, ReadsATokenizersSettings) {
  GgufMaker maker;
  maker.metadata.push_back(number("tokenizer.ggml.add_bos_token", ValueType::Bool, uint8_t{1}));
  maker.metadata.push_back(number("tokenizer.ggml.add_space_prefix", ValueType::Bool, uint8_t{0}));
  maker.metadata.push_back(
      number("tokenizer.ggml.remove_extra_whitespaces", ValueType::Bool, uint8_t{1}));
  maker.metadata.push_back(u32("tokenizer.ggml.eot_token_id", 5));
  maker.metadata.push_back(
      numbers<uint8_t>("tokenizer.ggml.precompiled_charsmap", ValueType::U8, {4, 0, 7}));
  const Read result = read(maker.make());
  ASSERT_TRUE(result.clean()) << describe_first(result);
  const model::TokenizerData& tokenizer = *result.model->tokenizer;
  EXPECT_EQ(tokenizer.add_bos, true);
  EXPECT_EQ(tokenizer.add_eos, std::nullopt);
  EXPECT_EQ(tokenizer.add_prefix_space, false);
  EXPECT_EQ(tokenizer.remove_extra_whitespaces, true);
  EXPECT_EQ(tokenizer.eos_ids, (std::vector<uint32_t>{2, 5}));
  EXPECT_EQ(tokenizer.charsmap, std::string_view("\x04\0\x07", 3));
  // llama.cpp looks for the unknown token too.
  ASSERT_EQ(tokenizer.added_tokens.size(), 3U);
  EXPECT_EQ(tokenizer.added_tokens[0].content, "<unk>");
  EXPECT_EQ(tokenizer.added_tokens[2].id, 2U);
  EXPECT_TRUE(tokenizer.added_tokens[2].special);
}

// The tokens that take the white space before and after them, as llama.cpp finds them.
TEST(Gguf, KnowsWhichTokensTakeSpacesByNames) {
  const auto takes = [](const Entry& named) {
    GgufMaker maker;
    std::erase_if(maker.metadata, [&](const Entry& entry) { return entry.key == named.key; });
    maker.metadata.push_back(named);
    maker.entry("tokenizer.ggml.tokens") = texts(
        "tokenizer.ggml.tokens", {"<unk>", "<s>", "</s>", "<mask>", "[MASK]", "<|endoftext|>"});
    maker.entry("tokenizer.ggml.token_type") =
        numbers<int32_t>("tokenizer.ggml.token_type", ValueType::I32, {2, 3, 3, 3, 4, 3});
    const Read result = read(maker.make());
    std::string found;
    for (const model::AddedToken& token : result.model->tokenizer->added_tokens) {
      if (token.lstrip) found += "< " + token.content + " ";
      if (token.rstrip) found += "> " + token.content + " ";
    }
    return found;
  };
  EXPECT_EQ(takes(text("general.name", "Tiny")), "");
  EXPECT_EQ(takes(text("general.name", "My Phi-3-mini")), "> </s> > <mask> > [MASK] ");
  EXPECT_EQ(takes(text("general.name", "PHI3")), "> </s> > <mask> > [MASK] ");
  EXPECT_EQ(takes(text("general.name", "modern-bert")), "< [MASK] ");
  EXPECT_EQ(takes(text("tokenizer.ggml.pre", "jina-v2-de")), "< <mask> ");
  EXPECT_EQ(takes(text("general.architecture", "nomic-bert-moe")), "< <mask> ");
}

TEST(Gguf, TurnsWordPiecesBackToTheirOwnMarks) {
  GgufMaker maker;
  maker.tensors.clear();
  maker.metadata = {text("general.architecture", "bert"), text("tokenizer.ggml.model", "bert"),
                    texts("tokenizer.ggml.tokens",
                          {"[PAD]", "\xE2\x96\x81word", "ing", "[unused0]", "\xE2\x96\x81"}),
                    numbers<int32_t>("tokenizer.ggml.token_type", ValueType::I32, {3, 1, 1, 1, 1}),
                    u32("tokenizer.ggml.seperator_token_id", 0)};
  const Read result = read(maker.make());
  ASSERT_TRUE(result.clean()) << describe_first(result);
  const model::TokenizerData& tokenizer = *result.model->tokenizer;
  EXPECT_EQ(tokenizer.kind, TokenizerKind::WordPiece);
  const std::array<std::string_view, 5> expected = {"[PAD]", "word", "##ing", "[unused0]", ""};
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(tokenizer.vocabulary[i], expected[i]);
  EXPECT_EQ(tokenizer.sep_id, 0U);
  // A vocabulary that has the marks already stays as it is.
  maker.entry("tokenizer.ggml.tokens") =
      texts("tokenizer.ggml.tokens", {"[PAD]", "word", "##ing", "\xE2\x96\x81", "x"});
  EXPECT_EQ(read(maker.make()).model->tokenizer->vocabulary[1], "word");
}

TEST(Gguf, KeepsATokenizerJsonAsItsPayload) {
  GgufMaker maker;
  maker.metadata.push_back(text("tokenizer.huggingface.json", "{\"version\":\"1.0\"}"));
  const Read result = read(maker.make());
  ASSERT_TRUE(result.clean()) << describe_first(result);
  EXPECT_EQ(result.model->tokenizer->payload, "{\"version\":\"1.0\"}");
  EXPECT_EQ(result.model->metadata.find("tokenizer.huggingface.json")->dump(), R"({"bytes":17})");
}

}  // namespace
}  // namespace ambry::formats::gguf
