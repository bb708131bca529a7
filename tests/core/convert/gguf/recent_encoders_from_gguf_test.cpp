// EuroBERT in GGUF.
#include <gtest/gtest.h>

#include "convert/gguf/gguf_models.h"
#include "convert/run_conversion.h"
#include "model/encoder/architectures/architectures.h"
#include "model/encoder/encoder_config.h"

namespace ambry::convert {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the makers

struct RecentModel {
  File from;
  model::Model source;
  File file;
  model::Model target;
  model::EncoderConfig config;

  explicit RecentModel(gg::GgufMaker maker) : from(maker.make()), source(parsed(from, "gguf")) {
    auto made = run(from, {}, to("embd"));
    EXPECT_TRUE(made) << describe(made.error());
    if (!made) return;
    file = std::move(*made);
    target = parsed(file, "embd");
    auto read = model::encoder_config(target);
    EXPECT_TRUE(read) << describe(read.error());
    if (read) config = std::move(*read);
  }

  void expect_same(std::string_view gguf, std::string_view embd) const {
    EXPECT_EQ(values_of(file, target, embd), values_of(from, source, gguf)) << embd;
  }
};

TEST(GgufRecentEncoders, EuroBertSharesKeysAndValues) {
  std::vector<gg::Entry> entries = facts("eurobert", 1);
  entries.push_back(gg::number("eurobert.attention.causal", ValueType::Bool, uint8_t{0}));
  entries.push_back(gg::text("eurobert.rope.scaling.type", "none"));
  entries.push_back(gg::u32("eurobert.pooling_type", 3));
  entries.push_back(gg::f32("eurobert.rope.freq_base", 1000.0F));
  std::vector<gg::Entry> tokenizer = byte_level("llama-bpe");
  tokenizer.push_back(gg::number("tokenizer.ggml.add_bos_token", ValueType::Bool, uint8_t{0}));
  const RecentModel made(model(entries, tokenizer,
                               {{"token_embd.weight", {8, 32}, kF16},
                                {"blk.0.attn_norm.weight", {32}},
                                {"blk.0.attn_q.weight", {32, 32}, kF16},
                                {"blk.0.attn_k.weight", {16, 32}, kF16},
                                {"blk.0.attn_v.weight", {16, 32}, kF16},
                                {"blk.0.attn_output.weight", {32, 32}, kF16},
                                {"blk.0.ffn_norm.weight", {32}},
                                {"blk.0.ffn_gate.weight", {64, 32}, kF16},
                                {"blk.0.ffn_up.weight", {64, 32}, kF16},
                                {"blk.0.ffn_down.weight", {32, 64}, kF16},
                                {"output_norm.weight", {32}}}));
  EXPECT_EQ(made.config.architecture, &model::kEuroBert);
  EXPECT_EQ(made.config.hidden_act, "silu");
  EXPECT_EQ(made.config.pooling, "lasttoken");
  EXPECT_EQ(made.config.layer_norm_eps, 1e-5);
  EXPECT_EQ(made.config.facts.kv_heads, 1U);
  EXPECT_EQ(made.config.facts.rope_theta, 1000);
  EXPECT_EQ(made.target.tokenizer->post_processor.value_or(model::PostProcessor()),
            model::PostProcessor());
  made.expect_same("blk.0.attn_k.weight", "layers.0.self_attn.k_proj.weight");
  made.expect_same("blk.0.ffn_norm.weight", "layers.0.post_attention_layernorm.weight");
  made.expect_same("blk.0.ffn_gate.weight", "layers.0.mlp.gate_proj.weight");
  made.expect_same("output_norm.weight", "norm.weight");
}

}  // namespace
}  // namespace ambry::convert
