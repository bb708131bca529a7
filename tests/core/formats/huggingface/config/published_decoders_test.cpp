// Facts of published config.json files of language models, and what decoders make of them.
#include <gtest/gtest.h>

#include <string>

#include "formats/huggingface/config/decoder_config_json.h"
#include "model/decoder/decoder_config.h"

namespace ambry::formats::huggingface {
namespace {

model::DecoderConfig published(const std::string& config) {
  SideFiles files;
  files.add("config.json", config);
  auto read = read_decoder_config(files, "");
  EXPECT_TRUE(read) << describe(read.error());
  if (!read) return {};
  model::Model model;
  model.config = std::move(read->config);
  io::Diagnostics diagnostics;
  auto facts = model::decoder_config(model, diagnostics);
  EXPECT_TRUE(facts) << describe(facts.error());
  return facts ? *facts : model::DecoderConfig();
}

// A list of `n` times the same value, as JSON.
std::string list_of(const std::string& value, int n) {
  std::string text = "[" + value;
  for (int i = 1; i < n; ++i) text += ", " + value;
  return text + "]";
}

TEST(PublishedDecoders, MiniCpm4) {
  const std::string factors = list_of("1.25", 32);
  const auto facts = published(R"({"architectures": ["MiniCPMForCausalLM"], "model_type": "minicpm",
    "bos_token_id": 1, "eos_token_id": [2, 73440], "hidden_act": "silu", "hidden_size": 1024,
    "intermediate_size": 4096, "max_position_embeddings": 32768, "num_attention_heads": 16,
    "num_hidden_layers": 24, "num_key_value_heads": 2, "rms_norm_eps": 1e-05, "vocab_size": 73448,
    "rope_scaling": {"rope_type": "longrope", "original_max_position_embeddings": 32768,
      "long_factor": )" + factors +
                               R"(, "short_factor": )" + factors + R"(},
    "scale_emb": 12, "dim_model_base": 256, "scale_depth": 1.4, "mup_denominator": 32})");
  EXPECT_EQ(facts.architecture, model::DecoderArchitecture::MiniCpm);
  EXPECT_TRUE(facts.tie_word_embeddings);
  EXPECT_EQ(facts.embed_scale, 12);
  EXPECT_NEAR(facts.residual_scale, 0.2857738033, 1e-9);
  EXPECT_EQ(facts.logit_scale, 0.25);
  EXPECT_EQ(facts.rope_scaling.kind, model::RopeScaling::Kind::LongRope);
  EXPECT_EQ(model::rope_magnitude(facts.rope_scaling, facts.max_seq_len), 1);
}

// Values that a file leaves out, and null, which turns a scale off.
TEST(PublishedDecoders, MiniCpmHasScalesOfItsOwn) {
  const std::string sizes =
      R"({"model_type": "minicpm", "hidden_size": 2304, "num_hidden_layers": 40,
    "num_attention_heads": 36, "intermediate_size": 5760, "vocab_size": 122753,
    "max_position_embeddings": 2048)";
  const auto usual = published(sizes + "}");
  EXPECT_EQ(usual.embed_scale, 12);
  EXPECT_NEAR(usual.residual_scale, 0.2213594362, 1e-9);
  EXPECT_NEAR(usual.logit_scale, 1 / 9.0, 1e-9);
  const auto off = published(sizes + R"(, "scale_depth": null, "dim_model_base": null})");
  EXPECT_EQ(off.residual_scale, 1);
  EXPECT_EQ(off.logit_scale, 1);
}

}  // namespace
}  // namespace ambry::formats::huggingface
