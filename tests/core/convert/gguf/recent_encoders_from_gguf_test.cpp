// EuroBERT and nomic's encoders with experts in GGUF.
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

gg::GgufMaker nomic_experts(uint32_t experts = 4) {
  std::vector<gg::Entry> entries = facts("nomic-bert-moe", 2, "attention.layer_norm_epsilon");
  entries[4] = gg::u32("nomic-bert-moe.block_count", 2);
  entries.push_back(gg::u32("nomic-bert-moe.pooling_type", 1));
  entries.push_back(gg::f32("nomic-bert-moe.rope.freq_base", 10000.0F));
  entries.push_back(gg::u32("nomic-bert-moe.expert_count", experts));
  entries.push_back(gg::u32("nomic-bert-moe.expert_used_count", 2));
  entries.push_back(gg::u32("nomic-bert-moe.moe_every_n_layers", 2));
  std::vector<gg::Tensor> tensors = {{"token_embd.weight", {8, 32}, kF16},
                                     {"token_types.weight", {1, 32}},
                                     {"token_embd_norm.weight", {32}},
                                     {"token_embd_norm.bias", {32}}};
  for (const std::string layer : {"blk.0.", "blk.1."}) {
    for (const auto& [name, rows] : std::initializer_list<std::pair<const char*, uint64_t>>{
             {"attn_qkv", 96}, {"attn_output", 32}}) {
      tensors.push_back({layer + name + ".weight", {rows, 32}, kF16});
      tensors.push_back({layer + name + ".bias", {rows}});
    }
    for (const char* norm : {"attn_output_norm", "layer_output_norm"}) {
      tensors.push_back({layer + norm + ".weight", {32}});
      tensors.push_back({layer + norm + ".bias", {32}});
    }
  }
  tensors.push_back({"blk.0.ffn_up.weight", {64, 32}, kF16});
  tensors.push_back({"blk.0.ffn_up.bias", {64}});
  tensors.push_back({"blk.0.ffn_down.weight", {32, 64}, kF16});
  tensors.push_back({"blk.0.ffn_down.bias", {32}});
  tensors.push_back({"blk.1.ffn_gate_inp.weight", {4, 32}});
  tensors.push_back({"blk.1.ffn_up_exps.weight", {4, 64, 32}, kF16});
  tensors.push_back({"blk.1.ffn_down_exps.weight", {4, 32, 64}, kF16});
  return model(entries, word_pieces(), tensors);
}

TEST(GgufRecentEncoders, NomicsExpertsAreParted) {
  const RecentModel made(nomic_experts());
  EXPECT_EQ(made.config.architecture, &model::kNomicMoe);
  EXPECT_EQ(made.config.facts.experts, 4U);
  EXPECT_EQ(made.config.facts.experts_used, 2U);
  EXPECT_EQ(made.config.facts.expert_every, 2U);
  EXPECT_EQ(made.config.hidden_act, "gelu");
  for (const auto& [from, part] : {std::pair("blk.1.ffn_up_exps.weight", "fc1"),
                                   std::pair("blk.1.ffn_down_exps.weight", "fc2")}) {
    const std::vector<float> all = values_of(made.from, made.source, from);
    for (size_t i = 0; i < 4; ++i) {
      const std::string name = concat({"encoder.layers.1.mlp.experts.", i, ".", part, ".weight"});
      const auto begin = all.begin() + static_cast<ptrdiff_t>(i * all.size() / 4);
      EXPECT_EQ(values_of(made.file, made.target, name),
                std::vector<float>(begin, begin + static_cast<ptrdiff_t>(all.size() / 4)))
          << name;
    }
  }
  EXPECT_EQ(values_of(made.file, made.target, "encoder.layers.1.mlp.experts.bias"),
            std::vector<float>(32));
}

TEST(GgufRecentEncoders, RefusesAnotherNumberOfExperts) {
  for (const uint32_t experts : {3U, 0U, 1000U}) {
    const auto made = run(nomic_experts(experts).make(), {}, to("embd"));
    ASSERT_FALSE(made) << experts;
    EXPECT_EQ(made.error().code, experts == 3 ? ErrorCode::Mismatch : ErrorCode::BadValue);
  }
}

}  // namespace
}  // namespace ambry::convert
