#include "model/tokenizer/files/tiktoken_file.h"

#include <gtest/gtest.h>

#include <string>

#include "model/tokenizer/files/make_ranked.h"

namespace ambry::model {
namespace {

TiktokenEncoding described(std::string_view special = "{}") {
  const std::string json = R"({"pattern":"'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| )"
                           R"(?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+","specialTokens":)" +
                           std::string(special) + "}";
  auto encoding = read_tiktoken_encoding(*io::parse_json(json), "encoding");
  EXPECT_TRUE(encoding) << describe(encoding.error());
  return std::move(*encoding);
}

std::string error_of(std::string_view file, std::string_view special = "{}") {
  const TiktokenEncoding encoding = described(special);
  const auto made = parse_tiktoken(file, &encoding);
  return made ? "no error" : describe(made.error());
}

TEST(TiktokenFile, HasTokensMergesAndSpecialTokens) {
  const TiktokenEncoding encoding = described(R"({"<|end|>":300})");
  const auto made = parse_tiktoken(tiktoken_file(ranked_tokens({"ab", " ab"})), &encoding);
  ASSERT_TRUE(made) << describe(made.error());
  const TokenizerData& data = made->data;
  EXPECT_EQ(data.vocabulary.size(), 259U);
  EXPECT_EQ(data.vocabulary[257], "\u0120ab");
  EXPECT_EQ(data.vocabulary[258], "<|end|>");
  EXPECT_EQ(data.ids[258], 300U);
  EXPECT_EQ(data.pretokenizer, "gpt2");
  EXPECT_TRUE(data.ignore_merges);
  ASSERT_EQ(data.merges.size(), 4U);
  EXPECT_EQ(data.merges[3], "ab");
  EXPECT_EQ(data.added_tokens.front().content, "<|end|>");
}

TEST(TiktokenFile, TakesAnyOrderEmptyLinesAndWindowsLineEnds) {
  const std::string file = tiktoken_file(ranked_tokens({"ab"}));
  std::string reversed;
  for (size_t at = 0; at < file.size();) {
    const size_t end = file.find('\n', at);
    reversed = file.substr(at, end - at) + "\r\n\r\n" + reversed;
    at = end + 1;
  }
  const TiktokenEncoding encoding = described();
  const auto made = parse_tiktoken(reversed, &encoding);
  ASSERT_TRUE(made) << describe(made.error());
  EXPECT_EQ(made->data.vocabulary[256], "ab");
}

TEST(TiktokenFile, NamesTheLineOfAFault) {
  const std::string bytes = tiktoken_file(ranked_tokens({}));
  const std::string at = "BadValue at byte " + std::to_string(bytes.size()) + ", line 257: ";
  EXPECT_EQ(error_of(bytes + "YWI=256\n"), at + "must be a token in Base64, a space and a rank");
  EXPECT_EQ(error_of(bytes + "YW= 256\n"), at + "the token is not Base64");
  EXPECT_EQ(error_of(bytes + "YWI= -1\n"),
            at + "the rank must be an integer of at least 0, after one space");
  EXPECT_EQ(error_of(bytes + "YWI= 25x\n"),
            at + "the rank must be an integer of at least 0, after one space");
  EXPECT_EQ(error_of(bytes + "YWI= 255\n"), at + "the rank 255 is there twice");
  EXPECT_EQ(error_of(bytes + "YWI= 257\n"), at + "the rank 256 is left out; the next one is 257");
  EXPECT_EQ(error_of(bytes + "YQ== 256\n"), at + "the token a is there twice; line 98 has it, too");
  EXPECT_EQ(error_of(bytes + "YWI= 257\n", R"({"<|end|>":256})"), "no error");
  const TiktokenEncoding none = described();
  const auto large = parse_tiktoken(bytes + "YWI= 9999999\n", &none);
  EXPECT_EQ(large.error().code, ErrorCode::LimitExceeded);
}

TEST(TiktokenFile, NeedsATokenForEveryByte) {
  std::vector<std::string> tokens = ranked_tokens({});
  tokens[65] = "AA";
  const std::string error = error_of(tiktoken_file(tokens));
  EXPECT_NE(error.find("there is no token for the byte 65"), std::string::npos) << error;
}

TEST(TiktokenFile, RefusesSpecialTokensThatAreThere) {
  const std::string file = tiktoken_file(ranked_tokens({"ab"}));
  EXPECT_NE(error_of(file, R"({"ab":300})").find("a token of the vocabulary, too"),
            std::string::npos);
  EXPECT_NE(error_of(file, R"({"x1":256})").find("belongs to another token"), std::string::npos);
}

TEST(TiktokenFile, NeedsAnEncodingWhereTheRanksDoNotTellIt) {
  const std::string file = tiktoken_file(ranked_tokens({}));
  const auto unknown = parse_tiktoken(file, nullptr);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(unknown.error().path, "encoding");
  EXPECT_NE(unknown.error().message.find("cl100k_base"), std::string::npos);
  // Faults of the file come first.
  const auto repeated = parse_tiktoken(file + "YWI= 255\n", nullptr);
  EXPECT_EQ(repeated.error().path, "line 257");
  const auto cl100k = read_tiktoken_encoding(io::Json("cl100k_base"), "encoding");
  ASSERT_TRUE(cl100k);
  const auto cut = parse_tiktoken(file, &*cl100k);
  EXPECT_EQ(cut.error().code, ErrorCode::BadValue);
  EXPECT_NE(cut.error().message.find("it is cut"), std::string::npos);
  EXPECT_EQ(read_tiktoken_encoding(io::Json("cl100k"), "encoding").error().path, "encoding");
}

uint32_t id_of(const TiktokenEncoding& encoding, std::string_view content) {
  for (const AddedToken& token : encoding.special) {
    if (token.content == content) return token.id;
  }
  return 0;
}

// Ids from the programs that publish the encodings.
TEST(TiktokenFile, KnowsTheSpecialTokensOfEncodings) {
  const auto encoding = [](const char* name) {
    return std::move(*read_tiktoken_encoding(io::Json(name), "encoding"));
  };
  EXPECT_EQ(id_of(encoding("p50k_edit"), "<|fim_suffix|>"), 50'283U);
  EXPECT_EQ(id_of(encoding("cl100k_base"), "<|fim_suffix|>"), 100'260U);
  EXPECT_EQ(id_of(encoding("cl100k_base"), "<|endofprompt|>"), 100'276U);
  const TiktokenEncoding harmony = encoding("o200k_harmony");
  EXPECT_EQ(id_of(harmony, "<|call|>"), 200'012U);
  EXPECT_EQ(id_of(harmony, "<|endofprompt|>"), 200'018U);
  EXPECT_EQ(id_of(harmony, "<|reserved_201087|>"), 201'087U);
  const TiktokenEncoding llama = encoding("llama3");
  EXPECT_EQ(llama.bos_id, 128'000U);
  EXPECT_EQ(id_of(llama, "<|eot_id|>"), 128'009U);
  EXPECT_EQ(id_of(llama, "<|reserved_special_token_250|>"), 128'255U);
  EXPECT_EQ(id_of(encoding("llama3.1"), "<|python_tag|>"), 128'010U);
  EXPECT_EQ(id_of(encoding("llama3.1"), "<|reserved_special_token_245|>"), 128'255U);
  const TiktokenEncoding llama4 = encoding("llama4");
  EXPECT_EQ(id_of(llama4, "<|header_start|>"), 200'005U);
  EXPECT_EQ(id_of(llama4, "<|image_start|>"), 200'080U);
  EXPECT_EQ(id_of(llama4, "<|reasoning_thinking_end|>"), 201'143U);
  EXPECT_EQ(id_of(llama4, "<|reserved_special_token_903|>"), 202'047U);
  EXPECT_EQ(id_of(encoding("qwen"), "<|extra_204|>"), 151'850U);
  EXPECT_EQ(tiktoken_encoding_of(50'281)->others, "p50k_edit");
  EXPECT_EQ(tiktoken_encoding_of(100'256)->others, "");
}

}  // namespace
}  // namespace ambry::model
