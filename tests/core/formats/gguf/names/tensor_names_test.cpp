#include "formats/gguf/names/tensor_names.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "formats/gguf/names/encoder_names.h"

namespace ambry::formats::gguf {
namespace {

TEST(GgufNames, SplitAndJoin) {
  struct Row {
    const char* name;
    const char* pattern;
    const char* ending;
    int layer;
  };
  constexpr Row kRows[] = {
      {"blk.3.attn_q.weight", "blk.#.attn_q", ".weight", 3},
      {"blk.12.ffn_up.bias", "blk.#.ffn_up", ".bias", 12},
      {"token_embd.weight", "token_embd", ".weight", -1},
      {"model.layers.0.mlp.fc1.weight", "model.layers.#.mlp.fc1", ".weight", 0},
      {"h.1", "h.#", "", 1},
      {"blk.3x.a", "blk.3x.a", "", -1},
      {"blk.99999999999.a.weight", "blk.99999999999.a", ".weight", -1},
      {"", "", "", -1}};
  for (const Row& row : kRows) {
    const TensorName parts = split_name(row.name);
    EXPECT_EQ(parts.pattern, row.pattern);
    EXPECT_EQ(parts.ending, row.ending);
    EXPECT_EQ(parts.layer ? static_cast<int>(*parts.layer) : -1, row.layer) << row.name;
    EXPECT_EQ(join_name(parts.pattern, parts), row.name);
  }
}

TEST(GgufNames, MayBeWholeNames) {
  constexpr GgufName kBias = {.gguf = "blk.#.ssm_dt.bias", .other = "h.#.dt_bias", .whole = true};
  EXPECT_EQ(other_name_of(kBias, split_name("blk.3.ssm_dt.bias")), "h.3.dt_bias");
  EXPECT_EQ(other_name_of(kBias, split_name("blk.3.ssm_dt.weight")), std::nullopt);
  EXPECT_EQ(gguf_name_by(kBias, split_name("h.3.dt_bias.weight")), "blk.3.ssm_dt.bias");
  constexpr GgufName kPlain = {.gguf = "blk.#.ssm_in", .other = "h.#.in_proj"};
  EXPECT_EQ(other_name_of(kPlain, split_name("blk.3.ssm_in.bias")), "h.3.in_proj.bias");
  EXPECT_EQ(other_name_of(kPlain, split_name("blk.3.ssm_in")), std::nullopt);
  EXPECT_EQ(gguf_name_by(kPlain, split_name("h.3.in_proj.bias")), "blk.3.ssm_in.bias");
}

TEST(GgufNames, StandForAllExpertsOfALayer) {
  constexpr GgufName kRow = {.gguf = "blk.#.ffn_up_exps",
                             .other = "model.layers.#.mlp.experts.*.up_proj"};
  EXPECT_TRUE(is_of_experts(kRow));
  EXPECT_EQ(name_of_expert("h.3.experts.*.up.weight", 12), "h.3.experts.12.up.weight");
  EXPECT_EQ(pattern_of_experts("h.#.experts.12.up"), "h.#.experts.*.up");
  EXPECT_EQ(pattern_of_experts("h.#.experts.up"), "h.#.experts.up");
  const GgufArchitecture* olmoe = gguf_architecture_for("olmoe");
  EXPECT_EQ(gguf_name_of(*olmoe, "model.layers.3.mlp.experts.12.up_proj.weight"),
            "blk.3.ffn_up_exps.weight");
}

TEST(GgufNames, AreOneToOneInEveryTable) {
  std::vector<const GgufArchitecture*> tables = {&kGgufBert};
  for (const char* name : {"llama",      "mistral",   "gemma",
                           "phi2",       "phi3",      "gpt2",
                           "qwen2",      "qwen3",     "gemma2",
                           "gemma3",     "smollm3",   "olmo2",
                           "granite",    "stablelm",  "gpt_neox",
                           "starcoder2", "minicpm",   "arcee",
                           "helium",     "ernie4_5",  "hunyuan_v1_dense",
                           "exaone4",    "olmo3",     "ministral3",
                           "apertus",    "lfm2",      "mixtral",
                           "granitemoe", "olmoe",     "qwen3_moe",
                           "lfm2_moe",   "qwen3_5",   "gemma3n",
                           "gemma4",     "qwen2_moe", "qwen3_5_moe"}) {
    tables.push_back(gguf_architecture_for(name));
    ASSERT_NE(tables.back(), nullptr) << name;
  }
  for (const GgufArchitecture* architecture : tables) {
    std::set<std::string_view> gguf;
    std::set<std::string_view> other;
    for (const GgufName& row : architecture->names) {
      if (row.part != Part::All) continue;
      EXPECT_TRUE(gguf.insert(row.gguf).second) << row.gguf;
      EXPECT_TRUE(other.insert(row.other).second) << row.other;
      EXPECT_EQ(row.gguf.find('#') == row.gguf.npos, row.other.find('#') == row.other.npos);
    }
  }
  EXPECT_EQ(find_gguf_architecture("mamba"), nullptr);
  EXPECT_EQ(gguf_architecture_for("falcon"), nullptr);
}

}  // namespace
}  // namespace ambry::formats::gguf
