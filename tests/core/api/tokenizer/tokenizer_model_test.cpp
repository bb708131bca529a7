#include "api/tokenizer/tokenizer_model.h"

#include <gtest/gtest.h>

#include <string>

#include "api/tokenizer/token_lists.h"
#include "data_files.h"
#include "formats/gguf/make_gguf.h"
#include "io/json/json.h"
#include "model/tokenizer/files/make_ranked.h"
#include "model/tokenizer/files/sentencepiece_model.h"

namespace ambry::api {
namespace {

Result<TokenizerModel> open_tokenizer(std::string_view file) {
  const io::MemorySource source(as_bytes(file));
  return TokenizerModel::open(source);
}

std::string ids_of(const Result<TokenizerModel>& tokenizer, std::string_view text,
                   bool special = true) {
  if (!tokenizer) return describe(tokenizer.error());
  const auto answer = tokenize(**tokenizer->tokenizer(), text, nullptr, special);
  return answer ? io::parse_json(*answer)->find("ids")->dump() : describe(answer.error());
}

// Byte-level BPE over four letters.
const std::string kJson = R"({"added_tokens":[{"id":5,"content":"<s>","special":true}],
  "normalizer":null,"pre_tokenizer":{"type":"ByteLevel","add_prefix_space":false},
  "decoder":{"type":"ByteLevel"},"model":{"type":"BPE",
  "vocab":{"a":0,"b":1,"Ġ":2,"ab":3,"Ġab":4},"merges":["a b","Ġ ab"]}})";

TEST(TokenizerModel, OpensATokenizerJson) {
  const auto tokenizer = open_tokenizer(kJson);
  EXPECT_EQ(ids_of(tokenizer, "ab<s> aba"), "[3,5,4,0]");
  EXPECT_EQ(*detokenize(**tokenizer->tokenizer(), "[3,5,4]", true), "ab ab");
  EXPECT_EQ(*detokenize(**tokenizer->tokenizer(), "[3,5,4]", false), "ab<s> ab");
  EXPECT_EQ(detokenize(**tokenizer->tokenizer(), "[6]", true).error().path, "ids[0]");
  EXPECT_EQ(io::parse_json(tokenizer->info())->find("type")->string(), "bpe");
  const std::string_view pair = "b";
  const auto both = tokenize(**tokenizer->tokenizer(), "a", &pair, true);
  ASSERT_TRUE(both) << describe(both.error());
  EXPECT_EQ(io::parse_json(*both)->find("ids")->dump(), "[0,1]");
  EXPECT_EQ(io::parse_json(*both)->find("typeIds")->dump(), "[0,1]");
}

std::string ids_with_ends(std::string_view file, EndSwitches ends, std::string_view text) {
  const io::MemorySource source(as_bytes(file));
  return ids_of(TokenizerModel::open(source, {.ends = std::move(ends)}), text);
}

TEST(TokenizerModel, SwitchesTheEndsOfATokenizerJson) {
  EXPECT_EQ(ids_with_ends(kJson, {true, {}, "<s>", {}}, "ab"), "[5,3]");
  EXPECT_EQ(ids_with_ends(kJson, {true, true, "<s>", "b"}, "ab"), "[5,3,1]");
  EXPECT_EQ(ids_with_ends(kJson, {false, false, "<s>", "b"}, "ab"), "[3]");
  EXPECT_EQ(ids_with_ends(kJson, {{}, {}, "<s>", "b"}, "ab"), "[3]");
  EXPECT_EQ(ids_with_ends(kJson, {true, {}, "<none>", {}}, "ab"),
            "NotFound, tokenizer_config.json: add_bos_token or add_eos_token asks for a token that "
            "the tokenizer does not have; name it with bos_token or eos_token");
}

TEST(TokenizerModel, KeepsTheTokensOfThePostProcessor) {
  const std::string file = R"({"added_tokens":[{"id":3,"content":"<s>","special":true}],
    "pre_tokenizer":{"type":"ByteLevel","add_prefix_space":false},"decoder":{"type":"ByteLevel"},
    "post_processor":{"type":"TemplateProcessing",
      "single":[{"SpecialToken":{"id":"<s>","type_id":0}},{"Sequence":{"id":"A","type_id":0}}],
      "pair":[{"Sequence":{"id":"A","type_id":0}},{"Sequence":{"id":"B","type_id":1}}],
      "special_tokens":{"<s>":{"id":"<s>","ids":[3],"tokens":["<s>"]}}},
    "model":{"type":"BPE","vocab":{"a":0,"b":1,"ab":2},"merges":["a b"]}})";
  EXPECT_EQ(ids_with_ends(file, {}, "ab"), "[3,2]");
  EXPECT_EQ(ids_with_ends(file, {true, true, "a", "b"}, "ab"), "[3,2,1]");
  EXPECT_EQ(ids_with_ends(file, {false, {}, {}, {}}, "ab"), "[2]");
}

TEST(TokenizerModel, SwitchesTheEndsOfUnigram) {
  const std::string file = R"({"added_tokens":[{"id":1,"content":"</s>","special":true}],
    "pre_tokenizer":{"type":"Metaspace","replacement":"▁","prepend_scheme":"never"},
    "model":{"type":"Unigram","unk_id":0,"vocab":[["<unk>",0],["</s>",0],["a",-1]]}})";
  EXPECT_EQ(ids_with_ends(file, {}, "a"), "[2]");
  EXPECT_EQ(ids_with_ends(file, {{}, true, {}, "</s>"}, "a"), "[2,1]");
  EXPECT_EQ(ids_with_ends(file, {true, {}, "<s>", {}}, "a").find("NotFound, "), 0U);
}

TEST(TokenizerModel, OpensAVocabularyOfLines) {
  const auto tokenizer = open_tokenizer("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nab\n##c\n");
  EXPECT_EQ(ids_of(tokenizer, "abc x"), "[2,5,6,1,3]");
  EXPECT_EQ(ids_of(tokenizer, "abc", false), "[5,6]");
  EXPECT_EQ(*detokenize(**tokenizer->tokenizer(), "[2,5,6,3]", true), "abc");
  const std::string_view pair = "ab";
  const auto both = tokenize(**tokenizer->tokenizer(), "ab", &pair, true);
  ASSERT_TRUE(both);
  EXPECT_EQ(io::parse_json(*both)->find("typeIds")->dump(), "[0,0,0,1,1]");
}

TEST(TokenizerModel, AssumesThatAVocabularyIsUncasedUnlessTold) {
  const auto opened = [](std::optional<bool> lowercase, std::string_view file) {
    const io::MemorySource source(as_bytes(file));
    return TokenizerModel::open(source, {.lowercase = lowercase});
  };
  constexpr std::string_view kVocabulary = "[UNK]\n[CLS]\n[SEP]\nab\nAb\n";
  const auto assumed = opened(std::nullopt, kVocabulary);
  EXPECT_EQ(ids_of(assumed, "Ab", false), "[3]");
  const auto info = io::parse_json(assumed->info());
  EXPECT_TRUE(info->find("lowercase")->boolean());
  ASSERT_NE(info->find("warnings"), nullptr);
  EXPECT_EQ(info->find("warnings")->items()[0].find("path")->string(), "vocab.txt");
  const auto cased = opened(false, kVocabulary);
  EXPECT_EQ(ids_of(cased, "Ab", false), "[4]");
  EXPECT_FALSE(io::parse_json(cased->info())->find("lowercase")->boolean());
  EXPECT_EQ(io::parse_json(cased->info())->find("warnings"), nullptr);
  const auto uncased = opened(true, kVocabulary);
  EXPECT_EQ(ids_of(uncased, "Ab", false), "[3]");
  EXPECT_EQ(io::parse_json(uncased->info())->find("warnings"), nullptr);
  const auto refused = opened(false, kJson);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::BadValue);
  EXPECT_EQ(refused.error().path, "lowercase");
}

TEST(TokenizerModel, OpensASentencePieceModel) {
  model::SentencePieceModel file;
  for (const char* piece : {"<unk>", "<s>", "</s>", "\u2581", "a", "\u2581a"}) {
    file.pieces.push_back(piece);
  }
  file.scores = {0, 0, 0, -2, -3, -1};
  file.types = {2, 3, 3, 1, 1, 1};
  file.type = model::SentencePieceModel::Type::Bpe;
  const auto tokenizer = open_tokenizer(model::write_sentencepiece_model(file));
  EXPECT_EQ(ids_of(tokenizer, "aa"), "[1,5,4]");
  const std::string_view pair = "a";
  EXPECT_EQ(tokenize(**tokenizer->tokenizer(), "a", &pair, true).error().code,
            ErrorCode::Unsupported);
  EXPECT_EQ(*detokenize(**tokenizer->tokenizer(), "[1,5,4]", true), "aa");
}

TEST(TokenizerModel, OpensAFileOfTiktoken) {
  const std::string file = model::tiktoken_file(model::ranked_tokens({"ab", " ab", "\u20ac"}));
  const auto opened = [&](std::string_view options) {
    const io::MemorySource source(as_bytes(file));
    const auto asked = io::parse_json(options);
    return TokenizerModel::open(source, {.encoding = *asked});
  };
  constexpr std::string_view kGpt2 =
      R"({"pattern":"'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|)"
      R"(\\s+(?!\\S)|\\s+","specialTokens":{"<|end|>":300}})";
  const auto tokenizer = opened(kGpt2);
  EXPECT_EQ(ids_of(tokenizer, "ab aba<|end|>"), "[256,257,97,300]");
  EXPECT_EQ(*detokenize(**tokenizer->tokenizer(), "[256,257,258,300]", true), "ab ab\u20ac");
  EXPECT_EQ(detokenize(**tokenizer->tokenizer(), "[301]", true).error().path, "ids[0]");
  EXPECT_EQ(opened("null").error().code, ErrorCode::Unsupported);
  EXPECT_EQ(opened(R"("qwen3")").error().code, ErrorCode::BadValue);
  const io::MemorySource json(as_bytes(kJson));
  const auto needless = TokenizerModel::open(json, {.encoding = io::Json("qwen")});
  EXPECT_EQ(needless.error().path, "encoding");
}

TEST(TokenizerModel, ReportsUnsupportedFiles) {
  const auto refused = [](std::string_view file) { return open_tokenizer(file).error(); };
  EXPECT_EQ(refused("").code, ErrorCode::Truncated);
  EXPECT_EQ(refused("{").code, ErrorCode::Truncated);
  EXPECT_EQ(refused(R"({"model":{"type":"Mystery"}})").code, ErrorCode::Unsupported);
  EXPECT_EQ(refused(std::string_view("\x0A\x02\xFF\xFE\x01", 5)).code, ErrorCode::BadMagic);
  const Error tiktoken = refused("IQ== 0\nIg== 1\nIw== 2\n");
  EXPECT_EQ(tiktoken.code, ErrorCode::BadValue);
  EXPECT_NE(tiktoken.message.find("no token for the byte 0"), std::string::npos);
}

// Gemma 4's: a piece that no merge gives stays apart, though it has an id and a score.
TEST(TokenizerModel, MergesThePiecesOfGgufByTheirList) {
  namespace maker = formats::gguf::testing;
  using formats::gguf::ValueType;
  std::vector<std::string> tokens = {"<pad>",
                                     "<eos>",
                                     "<bos>",
                                     "<unk>",
                                     "\n",
                                     "\n\n",
                                     "\xE2\x96\x81",
                                     "a",
                                     "b",
                                     "ab",
                                     "\xE2\x96\x81\x61\x62",
                                     "ba",
                                     "<x>"};
  std::vector<int32_t> types = {3, 3, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 4};
  constexpr std::string_view kHex = "0123456789ABCDEF";
  for (size_t byte = 0; byte < 256; ++byte) {
    tokens.push_back(concat({"<0x", kHex.substr(byte / 16, 1), kHex.substr(byte % 16, 1), ">"}));
    types.push_back(6);
  }
  maker::GgufMaker file;
  file.tensors.clear();
  file.metadata = {maker::text("general.architecture", "gemma4"),
                   maker::text("tokenizer.ggml.model", "gemma4"),
                   maker::texts("tokenizer.ggml.tokens", tokens),
                   maker::numbers<float>("tokenizer.ggml.scores", ValueType::F32,
                                         std::vector<float>(tokens.size(), -1000)),
                   maker::numbers<int32_t>("tokenizer.ggml.token_type", ValueType::I32, types),
                   maker::texts("tokenizer.ggml.merges", {"a b", "\n \n", "\xE2\x96\x81 ab"}),
                   maker::u32("tokenizer.ggml.bos_token_id", 2),
                   maker::u32("tokenizer.ggml.eos_token_id", 1),
                   maker::u32("tokenizer.ggml.unknown_token_id", 3)};
  const maker::File bytes = file.make();
  const auto tokenizer = open_tokenizer(as_text(bytes));
  ASSERT_TRUE(tokenizer) << describe(tokenizer.error());
  EXPECT_EQ(ids_of(tokenizer, "ab ab"), "[2,9,10]");
  EXPECT_EQ(ids_of(tokenizer, " ba<x> a", false), "[6,8,7,12,6,7]");
  EXPECT_EQ(ids_of(tokenizer, "\n\n\n\xC3\xA9", false), "[5,4,208,182]");
  EXPECT_EQ(*detokenize(**tokenizer->tokenizer(), "[2,9,10,12,5,208,182]", true),
            "ab ab<x>\n\n\xC3\xA9");
}

TEST(TokenizerModel, OpensTheVocabulariesOfRealGgufFiles) {
  AMBRY_NEEDS_DATA("tokenizers/llamacpp");
  const auto folder = ambry::testing::data_folder() / "tokenizers/llamacpp";
  const std::pair<const char*, const char*> rows[] = {{"ggml-vocab-gpt-2.gguf", "[15496,995]"},
                                                      {"ggml-vocab-llama-spm.gguf", "[15043,3186]"},
                                                      {"ggml-vocab-bert-bge.gguf", "[7592,2088]"}};
  for (const auto& [name, ids] : rows) {
    const auto file = ambry::testing::read_text(folder / name);
    ASSERT_TRUE(file) << name;
    EXPECT_EQ(ids_of(open_tokenizer(*file), "Hello world", false), ids) << name;
  }
}

}  // namespace
}  // namespace ambry::api
