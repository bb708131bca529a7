#include "model/tokenizer/files/tekken_file.h"

#include <gtest/gtest.h>

#include <string>

#include "model/tokenizer/files/make_ranked.h"

namespace ambry::model {
namespace {

constexpr std::string_view kPattern =
    R"([^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+|)"
    R"([^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]+[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]*|)"
    R"(\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+)";

struct Tekken {
  std::vector<std::string> tokens = ranked_tokens({"ab", "cut"});
  std::string size = "279";  // the last token is not used
  std::string n_special = "22";
  std::string version = "v3";
  std::string special;
  std::string pattern = std::string(kPattern);

  [[nodiscard]] std::string text() const {
    std::string file = R"({"config":{"pattern":")" + pattern + R"(","default_vocab_size":)" + size +
                       R"(,"default_num_special_tokens":)" + n_special + R"(,"version":")" +
                       version + R"("},"vocab":[)";
    for (size_t i = 0; i < tokens.size(); ++i) {
      file += (i == 0 ? "" : ",") + std::string(R"({"rank":)") + std::to_string(i) +
              R"(,"token_bytes":")" + to_base64(tokens[i]) + R"(","token_str":null})";
    }
    return file + "]" + (special.empty() ? "" : R"(,"special_tokens":)" + special) + "}";
  }
};

Result<TokenizerData> parsed(const Tekken& tekken) {
  const auto root = io::parse_json(tekken.text());
  EXPECT_TRUE(root) << describe(root.error());
  EXPECT_TRUE(is_tekken(*root));
  return parse_tekken(*root);
}

TEST(TekkenFile, HasRanksAfterSpecialTokens) {
  const auto data = parsed({});
  ASSERT_TRUE(data) << describe(data.error());
  EXPECT_EQ(data->vocabulary.size(), 279U);
  EXPECT_TRUE(data->ids.empty());
  EXPECT_EQ(data->vocabulary[0], "<unk>");
  EXPECT_EQ(data->vocabulary[3], "[INST]");
  EXPECT_EQ(data->vocabulary[19], "[TOOL_CONTENT]");
  EXPECT_EQ(data->vocabulary[21], "<SPECIAL_21>");
  EXPECT_EQ(data->vocabulary[22 + 256], "ab");
  EXPECT_EQ(data->bos_id, 1U);
  EXPECT_EQ(data->eos_id, 2U);
  EXPECT_EQ(data->pad_id, 11U);
  EXPECT_EQ(data->add_bos, true);
  EXPECT_EQ(data->pretokenizer, "tekken");
}

TEST(TekkenFile, TakesAListOfSpecialTokens) {
  Tekken tekken;
  tekken.version = "v13";
  tekken.n_special = "3";
  tekken.size = "260";
  tekken.special = R"([{"rank":0,"token_str":"<unk>","is_control":true},
    {"rank":1,"token_str":"[THINK]","is_control":true}])";
  const auto data = parsed(tekken);
  ASSERT_TRUE(data) << describe(data.error());
  EXPECT_EQ(data->vocabulary[1], "[THINK]");
  EXPECT_EQ(data->vocabulary[2], "<SPECIAL_2>");
  EXPECT_EQ(data->add_bos, std::nullopt);
}

TEST(TekkenFile, RefusesWhatDoesNotFit) {
  const auto path_of = [](const Tekken& tekken) {
    const auto data = parsed(tekken);
    return data ? "no error" : data.error().path;
  };
  Tekken tekken;
  tekken.version = "v11";
  EXPECT_EQ(path_of(tekken), "tekken.json.special_tokens");
  tekken = {};
  tekken.n_special = "19";
  tekken.size = "277";
  EXPECT_EQ(path_of(tekken), "tekken.json.config.default_num_special_tokens");
  tekken = {};
  tekken.size = "281";
  EXPECT_EQ(path_of(tekken), "tekken.json.config.default_vocab_size");
  tekken.size = "-1";
  EXPECT_EQ(path_of(tekken), "tekken.json.config.default_vocab_size");
  tekken = {};
  tekken.pattern = "a+";
  EXPECT_EQ(path_of(tekken), "tekken.json.config.pattern");
  tekken = {};
  tekken.tokens[256] = "";
  EXPECT_EQ(path_of(tekken), "tekken.json.vocab[256]");
  tekken.tokens[256] = "b";
  EXPECT_EQ(path_of(tekken), "tekken.json.vocab[256]");
  tekken = {};
  tekken.special = R"([{"rank":1,"token_str":"<unk>"}])";
  EXPECT_EQ(path_of(tekken), "tekken.json.special_tokens[0]");
}

}  // namespace
}  // namespace ambry::model
