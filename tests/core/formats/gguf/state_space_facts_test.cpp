#include "formats/gguf/state_space_facts.h"

#include <gtest/gtest.h>

#include <string>

#include "formats/gguf/config.h"

namespace ambry::formats::gguf {
namespace {

// `more` follows the architecture.
model::Model stated(const std::string& architecture, const std::string& more) {
  model::Model model;
  model.metadata = io::Json::object();
  model.metadata.set("general.architecture", std::string_view(architecture));
  const io::Json facts = io::parse_json(more).value();
  for (const auto& [key, value] : facts.members()) {
    model.metadata.set(architecture + "." + key, value);
  }
  return model;
}

std::string fact(const model::Model& model, const char* name) {
  const io::Json config = config_of(model);
  const io::Json* found = config.find(name);
  return found == nullptr ? "absent" : found->dump();
}

TEST(StateSpaceFacts, LayersWithoutHeadsOfKeysAreStateSpaces) {
  const auto granite = stated("granitehybrid", R"({"block_count": 3, "attention.head_count": 4,
    "attention.head_count_kv": [0, 2, 0], "feed_forward_length": 96, "ssm.conv_kernel": 4,
    "ssm.inner_size": 120, "ssm.state_size": 13, "ssm.time_step_rank": 8, "ssm.group_count": 1,
    "rope.scaling.finetuned": false})");
  EXPECT_EQ(fact(granite, "layer_types"), R"(["mamba","full_attention","mamba"])");
  EXPECT_EQ(fact(granite, "n_kv_heads"), "2");
  EXPECT_EQ(fact(granite, "ssm_head_dim"), "15");
  EXPECT_EQ(fact(granite, "ssm_heads"), "8");
  EXPECT_EQ(fact(granite, "conv_taps"), "4");
  EXPECT_EQ(fact(granite, "ssm_a_log"), "false");
  EXPECT_EQ(fact(granite, "is_rope"), "false");
}

TEST(StateSpaceFacts, LayersOfNemotronMayBeFeedForward) {
  const auto nemotron = stated("nemotron_h", R"({"block_count": 3, "attention.head_count": 4,
    "attention.head_count_kv": [0, 0, 2], "feed_forward_length": [0, 96, 0]})");
  EXPECT_EQ(fact(nemotron, "layer_types"), R"(["mamba","mlp","full_attention"])");
  EXPECT_EQ(fact(nemotron, "n_ff"), "96");
}

TEST(StateSpaceFacts, FalconMayHaveANorm) {
  auto falcon = stated("falcon-h1", R"({"ssm.inner_size": 43, "ssm.time_step_rank": 6})");
  EXPECT_EQ(fact(falcon, "layer_types"), "absent");
  EXPECT_EQ(fact(falcon, "ssm_norm"), "false");
  EXPECT_EQ(fact(falcon, "ssm_head_dim"), "absent");
  falcon.tensors.emplace_back().name = "blk.0.ssm_norm.weight";
  EXPECT_EQ(fact(falcon, "ssm_norm"), "true");
  EXPECT_EQ(path_of_fact(falcon, "config.ssm_head_dim"), "metadata.falcon-h1.ssm.inner_size");
  EXPECT_EQ(path_of_fact(falcon, "config.ssm_groups"), "metadata.falcon-h1.ssm.group_count");
}

TEST(StateSpaceFacts, OtherModelsHaveNone) {
  EXPECT_EQ(fact(stated("llama", R"({"ssm.group_count": 2})"), "ssm_groups"), "absent");
}

}  // namespace
}  // namespace ambry::formats::gguf
