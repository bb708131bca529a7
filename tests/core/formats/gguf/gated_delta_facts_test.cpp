#include "formats/gguf/gated_delta_facts.h"

#include <gtest/gtest.h>

#include <string>

#include "formats/gguf/config.h"

namespace ambry::formats::gguf {
namespace {

// A qwen35 of 6 layers, with `more` of its facts.
model::Model qwen35(const std::string& more) {
  model::Model model;
  model.metadata = io::Json::object();
  model.metadata.set("general.architecture", kGatedDelta);
  const io::Json facts = io::parse_json(R"({"block_count": 6, "ssm.conv_kernel": 4,
    "ssm.state_size": 12, "ssm.group_count": 3, "ssm.time_step_rank": 6)" +
                                        more + "}")
                             .value();
  for (const auto& [key, value] : facts.members()) {
    model.metadata.set(concat({kGatedDelta, ".", key}), value);
  }
  return model;
}

std::string fact_of(const model::Model& model, const char* name) {
  const io::Json config = config_of(model);
  const io::Json* found = config.find(name);
  return found == nullptr ? "absent" : found->dump();
}

constexpr const char* kSixth = R"(["linear_attention","linear_attention","linear_attention",)"
                               R"("full_attention","linear_attention","linear_attention"])";

TEST(GatedDeltaFacts, StateTheSizesOfHeads) {
  const auto file = qwen35(R"(, "ssm.inner_size": 72)");
  EXPECT_EQ(fact_of(file, "conv_taps"), "4");
  EXPECT_EQ(fact_of(file, "linear_key_head_dim"), "12");
  EXPECT_EQ(fact_of(file, "linear_num_key_heads"), "3");
  EXPECT_EQ(fact_of(file, "linear_num_value_heads"), "6");
  EXPECT_EQ(fact_of(file, "linear_value_head_dim"), "12");
  EXPECT_EQ(fact_of(file, "linear_tiled"), "true");
  EXPECT_EQ(fact_of(file, "ssm_a_log"), "false");
  EXPECT_EQ(fact_of(file, "norm_offset"), "0");
  EXPECT_EQ(fact_of(file, "layer_types"), kSixth);
}

TEST(GatedDeltaFacts, StateTheLayersThatAttend) {
  EXPECT_EQ(fact_of(qwen35(R"(, "full_attention_interval": 2, "nextn_predict_layers": 3)"),
                    "layer_types"),
            R"(["linear_attention","full_attention","linear_attention"])");
  const auto listed = qwen35(R"(, "full_attention_interval": 2,
    "attention.recurrent_layers": [true, true, true, false, 1, true, false],
    "nextn_predict_layers": 0)");
  EXPECT_EQ(fact_of(listed, "layer_types"), kSixth);
  EXPECT_EQ(fact_of(listed, "n_layers"), "6");
}

TEST(GatedDeltaFacts, AreNamedByTheFilesKeysInErrors) {
  const auto file = qwen35("");
  EXPECT_EQ(path_of_fact(file, "config.conv_taps"), "metadata.qwen35.ssm.conv_kernel");
  EXPECT_EQ(path_of_fact(file, "config.linear_num_key_heads"), "metadata.qwen35.ssm.group_count");
}

}  // namespace
}  // namespace ambry::formats::gguf
