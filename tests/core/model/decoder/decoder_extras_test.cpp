// What a config states about the layers of Gemma 3n and 4.
#include "model/decoder/decoder_extras.h"

#include <gtest/gtest.h>

#include <string>

#include "model/decoder/decoder_config.h"

namespace ambry::model {
namespace {

Result<DecoderConfig> read(const std::string& more) {
  Model model;
  model.config = io::parse_json(R"({"architecture": "gemma4", "n_vocab": 20, "n_embd": 12,
      "n_layers": 5, "n_heads": 6, "n_ff": 8, "head_dim": 4, "sliding_window": 4,
      "max_seq_len": 64, "layer_types": ["sliding_attention", "full_attention",
      "sliding_attention", "sliding_attention", "full_attention"])" +
                                more + "}")
                     .value();
  io::Diagnostics diagnostics;
  return decoder_config(model, diagnostics);
}

TEST(DecoderExtras, LayersShareTheKeysOfTheLastOneLikeThem) {
  const auto config = read(R"(, "n_shared_kv_layers": 2)");
  ASSERT_TRUE(config) << describe(config.error());
  EXPECT_EQ(config->kv_layer(2), 2U);
  EXPECT_EQ(config->kv_layer(3), 2U);
  EXPECT_EQ(config->kv_layer(4), 1U);
  EXPECT_TRUE(config->lends_keys(1));
  EXPECT_FALSE(config->lends_keys(0));
  EXPECT_FALSE(config->lends_keys(4));
}

TEST(DecoderExtras, SizesDependOnTheLayer) {
  const auto config = read(R"(, "n_shared_kv_layers": 1, "shared_ff": 16, "global_head_dim": 6,
      "global_kv_heads": 2, "key_is_value": true)");
  ASSERT_TRUE(config) << describe(config.error());
  EXPECT_EQ(config->head_dim_of(0), 4U);
  EXPECT_EQ(config->head_dim_of(1), 6U);
  EXPECT_EQ(config->n_kv_heads_of(0), 6U);
  EXPECT_EQ(config->n_kv_heads_of(1), 2U);
  EXPECT_EQ(config->n_ff_of(3), 8U);
  EXPECT_EQ(config->n_ff_of(4), 16U);
  EXPECT_TRUE(config->keys_are_values(1));
  EXPECT_FALSE(config->keys_are_values(0));
  EXPECT_EQ(config->attn_scale, 1);
  EXPECT_EQ(config->norm_offset, 0);
}

TEST(DecoderExtras, BadValuesAreNamed) {
  struct Bad {
    const char* config;
    const char* path;
  };
  constexpr Bad kBad[] = {
      {R"(, "n_shared_kv_layers": 5)", "config.n_shared_kv_layers"},
      {R"(, "n_shared_kv_layers": 4)", "config.n_shared_kv_layers"},
      {R"(, "global_kv_heads": 4)", "config.global_kv_heads"},
      {R"(, "global_head_dim": 7)", "config.global_head_dim"},
      {R"(, "global_head_dim": 4294967294)", "config.global_head_dim"},
      {R"(, "global_rotary_factor": 0)", "config.global_rotary_factor"},
      {R"(, "global_rotary_factor": 1.5)", "config.global_rotary_factor"},
      {R"(, "n_embd_per_layer": 3)", "config.n_vocab_per_layer"},
      {R"(, "n_embd_per_layer": 4294967295)", "config.n_embd_per_layer"},
      {R"(, "n_streams": 1)", "config.n_streams"},
      {R"(, "n_streams": 9)", "config.n_streams"},
      {R"(, "n_streams": 4)", "config.n_embd_per_layer"},
      {R"(, "n_streams": 4, "n_embd_per_layer": 3, "n_vocab_per_layer": 20)", "config.laurel_rank"},
      {R"(, "activation_sparsity": [1, null])", "config.activation_sparsity"},
      {R"(, "activation_sparsity": [1, 1, 1, 1, "1"])", "config.activation_sparsity"},
      {R"(, "n_shared_kv_layers": 1, "bidirectional_attention": true)",
       "config.n_shared_kv_layers"},
      {R"(, "key_is_value": 3)", "config.key_is_value"},
  };
  for (const auto& [config, path] : kBad) {
    const auto found = read(config);
    ASSERT_FALSE(found) << config;
    EXPECT_EQ(found.error().path, path) << config;
  }
}

}  // namespace
}  // namespace ambry::model
