// Sentence encoders other than BERT in GGUF.
#include <gtest/gtest.h>

#include "convert/gguf/gguf_models.h"
#include "convert/run_conversion.h"
#include "model/encoder/architectures/architectures.h"
#include "model/encoder/encoder_config.h"

namespace ambry::convert {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the makers

struct Made {
  File from;
  model::Model source;
  File file;
  model::Model target;
  model::EncoderConfig config;
};

Made convert(gg::GgufMaker maker) {
  Made made;
  made.from = maker.make();
  made.source = parsed(made.from, "gguf");
  auto file = run(made.from, {}, to("embd"));
  EXPECT_TRUE(file) << describe(file.error());
  if (!file) return made;
  made.file = std::move(*file);
  made.target = parsed(made.file, "embd");
  auto config = model::encoder_config(made.target);
  EXPECT_TRUE(config) << describe(config.error());
  if (config) made.config = std::move(*config);
  return made;
}

Error refused(gg::GgufMaker maker) {
  auto file = run(maker.make(), {}, to("embd"));
  EXPECT_FALSE(file);
  return file ? Error() : file.error();
}

void expect_same(const Made& made, std::string_view gguf, std::string_view embd) {
  EXPECT_EQ(values_of(made.file, made.target, embd), values_of(made.from, made.source, gguf));
}

gg::GgufMaker without(gg::GgufMaker maker, std::string_view tensor) {
  std::erase_if(maker.tensors, [&](const gg::Tensor& each) { return each.name == tensor; });
  return maker;
}

gg::GgufMaker nomic(std::vector<gg::Entry> more = {}) {
  std::vector<gg::Entry> entries = facts("nomic-bert", 2, "attention.layer_norm_epsilon");
  entries.push_back(gg::number("nomic-bert.attention.causal", ValueType::Bool, uint8_t{0}));
  entries.push_back(gg::u32("nomic-bert.pooling_type", 1));
  entries.push_back(gg::f32("nomic-bert.rope.freq_base", 1000.0F));
  entries.insert(entries.end(), more.begin(), more.end());
  return model(entries, word_pieces(),
               {{"token_embd.weight", {8, 32}, kF16},
                {"token_types.weight", {2, 32}},
                {"token_embd_norm.weight", {32}},
                {"token_embd_norm.bias", {32}},
                {"blk.0.attn_qkv.weight", {96, 32}, kF16},
                {"blk.0.attn_output.weight", {32, 32}, kF16},
                {"blk.0.attn_output_norm.weight", {32}},
                {"blk.0.attn_output_norm.bias", {32}},
                {"blk.0.ffn_up.weight", {64, 32}, kF16},
                {"blk.0.ffn_gate.weight", {64, 32}, kF16},
                {"blk.0.ffn_down.weight", {32, 64}, kF16},
                {"blk.0.layer_output_norm.weight", {32}},
                {"blk.0.layer_output_norm.bias", {32}}});
}

gg::GgufMaker modern_bert() {
  std::vector<gg::Entry> entries = facts("modern-bert", 2, "attention.layer_norm_epsilon");
  entries.push_back(gg::u32("modern-bert.pooling_type", 2));
  entries.push_back(gg::f32("modern-bert.rope.freq_base", 160000.0F));
  entries.push_back(gg::f32("modern-bert.rope.freq_base_swa", 5000.0F));
  entries.push_back(gg::u32("modern-bert.attention.sliding_window", 64));
  entries.push_back(gg::u32("modern-bert.attention.sliding_window_pattern", 2));
  return model(entries, word_pieces(),
               {{"token_embd.weight", {8, 32}, kF16},
                {"token_embd_norm.weight", {32}},
                {"blk.0.attn_qkv.weight", {96, 32}, kF16},
                {"blk.0.attn_output.weight", {32, 32}, kF16},
                {"blk.0.ffn_norm.weight", {32}},
                {"blk.0.ffn_up.weight", {128, 32}, kF16},
                {"blk.0.ffn_down.weight", {32, 64}, kF16},
                {"output_norm.weight", {32}}});
}

TEST(GgufEncoders, BertWithoutTokenTypesIsDistilBert) {
  const Made made = convert(without(bert(), "token_types.weight"));
  EXPECT_EQ(made.config.architecture, &model::kDistilBert);
  EXPECT_EQ(made.config.type_vocab_size, 0U);
  EXPECT_EQ(made.config.pooling, "cls");
  expect_same(made, "blk.0.attn_q.weight", "transformer.layer.0.attention.q_lin.weight");
  expect_same(made, "blk.0.layer_output_norm.bias", "transformer.layer.0.output_layer_norm.bias");
}

// llama.cpp stores RoBERTa as bert, without the positions before the first.
TEST(GgufEncoders, BertMayHaveOneTokenType) {
  gg::GgufMaker maker = bert();
  for (gg::Tensor& tensor : maker.tensors) {
    if (tensor.name == "token_types.weight") tensor.shape = {1, 32};
  }
  const Made made = convert(maker);
  EXPECT_EQ(made.config.architecture, &model::kBert);
  EXPECT_EQ(made.config.type_vocab_size, 1U);
  EXPECT_EQ(made.config.max_tokens(), 16U);
}

TEST(GgufEncoders, NomicBertKeepsItsRotation) {
  const Made made = convert(nomic());
  EXPECT_EQ(made.config.architecture, &model::kNomicBert);
  EXPECT_EQ(made.config.facts.rope_theta, 1000);
  EXPECT_EQ(made.config.hidden_act, "silu");
  EXPECT_EQ(made.config.max_positions, 16U);
  EXPECT_EQ(made.config.type_vocab_size, 2U);
  EXPECT_EQ(made.config.pooling, "mean");
  expect_same(made, "blk.0.attn_qkv.weight", "encoder.layers.0.attn.Wqkv.weight");
  expect_same(made, "blk.0.ffn_up.weight", "encoder.layers.0.mlp.fc11.weight");
  expect_same(made, "blk.0.ffn_gate.weight", "encoder.layers.0.mlp.fc12.weight");
  expect_same(made, "blk.0.layer_output_norm.bias", "encoder.layers.0.norm2.bias");
}

TEST(GgufEncoders, ModernBertKeepsItsWindows) {
  const Made made = convert(modern_bert());
  EXPECT_EQ(made.config.architecture, &model::kModernBert);
  EXPECT_EQ(made.config.facts.rope_theta, 160000);
  EXPECT_EQ(made.config.facts.local_rope_theta, 5000);
  EXPECT_EQ(made.config.facts.local_window, 64U);
  EXPECT_EQ(made.config.facts.global_every, 2U);
  expect_same(made, "blk.0.ffn_up.weight", "layers.0.mlp.Wi.weight");
  expect_same(made, "output_norm.weight", "final_norm.weight");
}

gg::GgufMaker t5(bool gated) {
  std::vector<gg::Entry> entries = facts("t5encoder", 2, "attention.layer_norm_epsilon");
  entries.push_back(gg::f32("t5encoder.attention.layer_norm_rms_epsilon", 1e-5F));
  entries.push_back(gg::u32("t5encoder.attention.key_length", 20));
  entries.push_back(gg::u32("t5encoder.attention.value_length", 20));
  entries.push_back(gg::u32("t5encoder.attention.relative_buckets_count", 16));
  std::vector<gg::Tensor> tensors = {{"token_embd.weight", {8, 32}, kF16},
                                     {"enc.blk.0.attn_rel_b.weight", {16, 2}, kF16},
                                     {"enc.blk.0.attn_norm.weight", {32}},
                                     {"enc.blk.0.attn_q.weight", {40, 32}, kF16},
                                     {"enc.blk.0.attn_k.weight", {40, 32}, kF16},
                                     {"enc.blk.0.attn_v.weight", {40, 32}, kF16},
                                     {"enc.blk.0.attn_o.weight", {32, 40}, kF16},
                                     {"enc.blk.0.ffn_norm.weight", {32}},
                                     {"enc.blk.0.ffn_up.weight", {64, 32}, kF16},
                                     {"enc.blk.0.ffn_down.weight", {32, 64}, kF16},
                                     {"enc.output_norm.weight", {32}}};
  if (gated) tensors.push_back({"enc.blk.0.ffn_gate.weight", {64, 32}, kF16});
  return model(entries, word_pieces(), tensors);
}

TEST(GgufEncoders, T5IsGatedWhereItHasAGate) {
  const Made plain = convert(t5(false));
  EXPECT_EQ(plain.config.architecture, &model::kT5);
  EXPECT_EQ(plain.config.hidden_act, "relu");
  EXPECT_EQ(plain.config.head_dim(), 20U);
  EXPECT_EQ(plain.config.facts.relative_buckets, 16U);
  EXPECT_EQ(plain.config.layer_norm_eps, 1e-5);
  expect_same(plain, "enc.blk.0.ffn_up.weight", "encoder.block.0.layer.1.DenseReluDense.wi.weight");
  const Made gated = convert(t5(true));
  EXPECT_TRUE(gated.config.facts.gated);
  EXPECT_EQ(gated.config.hidden_act, "gelu_new");
  expect_same(gated, "enc.blk.0.attn_rel_b.weight",
              "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight");
  expect_same(gated, "enc.blk.0.ffn_gate.weight",
              "encoder.block.0.layer.1.DenseReluDense.wi_0.weight");
}

// jina-embeddings-v2: `gate` tells whether the gate is a tensor of its own, as in older files.
gg::GgufMaker jina(bool gate, bool qk_norm, const std::vector<gg::Entry>& tokenizer) {
  std::vector<gg::Entry> entries = facts("jina-bert-v2", 2, "attention.layer_norm_epsilon");
  entries.push_back(gg::u32("jina-bert-v2.pooling_type", 1));
  std::vector<gg::Tensor> tensors = {{"token_embd.weight", {8, 32}, kF16},
                                     {"token_types.weight", {2, 32}},
                                     {"token_embd_norm.weight", {32}},
                                     {"blk.0.attn_q.weight", {32, 32}, kF16},
                                     {"blk.0.attn_k.weight", {32, 32}, kF16},
                                     {"blk.0.attn_v.weight", {32, 32}, kF16},
                                     {"blk.0.attn_output.weight", {32, 32}, kF16},
                                     {"blk.0.attn_output_norm.weight", {32}},
                                     {"blk.0.ffn_down.weight", {32, 64}, kF16},
                                     {"blk.0.layer_output_norm.weight", {32}}};
  if (qk_norm) {
    tensors.push_back({"blk.0.attn_q_norm.weight", {32}});
    tensors.push_back({"blk.0.attn_k_norm.weight", {32}});
    tensors.push_back({"blk.0.attn_norm_2.weight", {32}});
  }
  tensors = with_biases(tensors);
  // In the order of a file, which has the names in any order.
  if (gate) tensors.push_back({"blk.0.ffn_up.weight", {64, 32}, kQ8});
  if (gate) tensors.push_back({"blk.0.ffn_gate.weight", {64, 32}, kF16});
  if (!gate) tensors.push_back({"blk.0.ffn_up.weight", {128, 32}, kF16});
  return model(entries, tokenizer, tensors);
}

std::vector<float> joined(const Made& made, std::string_view first, std::string_view second) {
  std::vector<float> rows = values_of(made.from, made.source, first);
  const std::vector<float> more = values_of(made.from, made.source, second);
  rows.insert(rows.end(), more.begin(), more.end());
  return rows;
}

TEST(GgufEncoders, JinaBertHasItsGateFirst) {
  const Made fused = convert(jina(false, false, word_pieces()));
  EXPECT_EQ(fused.config.architecture, &model::kJinaBert);
  EXPECT_EQ(fused.config.max_positions, 16U);
  EXPECT_EQ(fused.config.pooling, "mean");
  EXPECT_EQ(fused.config.hidden_act, "gelu");
  expect_same(fused, "blk.0.ffn_up.weight", "encoder.layer.0.mlp.gated_layers.weight");
  expect_same(fused, "blk.0.layer_output_norm.bias", "encoder.layer.0.mlp.layernorm.bias");
  const Made apart = convert(jina(true, false, word_pieces()));
  EXPECT_EQ(values_of(apart.file, apart.target, "encoder.layer.0.mlp.gated_layers.weight"),
            joined(apart, "blk.0.ffn_gate.weight", "blk.0.ffn_up.weight"));
}

TEST(GgufEncoders, JinaBertForCodeHasItsGateLast) {
  const Made fused = convert(jina(false, true, byte_level("jina-v2-code")));
  EXPECT_EQ(fused.config.architecture, &model::kJinaBertQkNorm);
  expect_same(fused, "blk.0.ffn_up.weight", "encoder.layer.0.mlp.up_gated_layer.weight");
  expect_same(fused, "blk.0.attn_norm_2.bias", "encoder.layer.0.layer_norm_1.bias");
  expect_same(fused, "blk.0.layer_output_norm.bias", "encoder.layer.0.layer_norm_2.bias");
  expect_same(fused, "blk.0.attn_q_norm.weight",
              "encoder.layer.0.attention.self.layer_norm_q.weight");
  const Made apart = convert(jina(true, true, byte_level("jina-v2-code")));
  EXPECT_EQ(values_of(apart.file, apart.target, "encoder.layer.0.mlp.up_gated_layer.weight"),
            joined(apart, "blk.0.ffn_up.weight", "blk.0.ffn_gate.weight"));
}

TEST(GgufEncoders, HalvesOfAMatrixMustFit) {
  gg::GgufMaker maker = jina(true, false, word_pieces());
  maker.tensors.back().shape = {64, 64};
  const Error wide = refused(maker);
  EXPECT_EQ(wide.code, ErrorCode::Mismatch);
  maker.tensors.back().shape = {32, 32};
  const Error few = refused(maker);
  EXPECT_EQ(few.code, ErrorCode::Mismatch);
  EXPECT_NE(few.message.find("[96, 32]"), std::string::npos) << few.message;
}

TEST(GgufEncoders, JinaV3IsRotated) {
  std::vector<gg::Entry> entries = facts("jina-bert-v3", 2, "attention.layer_norm_epsilon");
  entries.push_back(gg::u32("jina-bert-v3.pooling_type", 1));
  entries.push_back(gg::f32("jina-bert-v3.rope.freq_base", 20000.0F));
  const Made made = convert(model(entries, word_pieces(),
                                  with_biases({{"token_embd.weight", {8, 32}, kF16},
                                               {"token_types.weight", {1, 32}},
                                               {"token_embd_norm.weight", {32}},
                                               {"blk.0.attn_qkv.weight", {96, 32}, kF16},
                                               {"blk.0.attn_output.weight", {32, 32}, kF16},
                                               {"blk.0.attn_output_norm.weight", {32}},
                                               {"blk.0.ffn_up.weight", {64, 32}, kF16},
                                               {"blk.0.ffn_down.weight", {32, 64}, kF16},
                                               {"blk.0.layer_output_norm.weight", {32}}})));
  EXPECT_EQ(made.config.architecture, &model::kJinaV3);
  EXPECT_EQ(made.config.facts.rope_theta, 20000);
  expect_same(made, "blk.0.attn_qkv.bias", "encoder.layers.0.mixer.Wqkv.bias");
  expect_same(made, "blk.0.ffn_up.weight", "encoder.layers.0.mlp.fc1.weight");
}

model::PostProcessor around_texts(const char* flag, uint8_t value) {
  std::vector<gg::Entry> tokenizer = byte_level("jina-v2-code");
  tokenizer.push_back(gg::u32("tokenizer.ggml.bos_token_id", 5));
  if (flag != nullptr) tokenizer.push_back(gg::number(flag, ValueType::Bool, value));
  const Made made = convert(jina(false, true, tokenizer));
  const auto& stated = made.target.tokenizer->post_processor;
  return stated.value_or(model::PostProcessor());
}

TEST(GgufEncoders, TextsAndPairsGetTheTokensOfRoberta) {
  const auto usual = model::roberta_post_processor(5, 7);
  EXPECT_EQ(around_texts(nullptr, 0), usual);
  EXPECT_EQ(around_texts("tokenizer.ggml.add_bos_token", 1), usual);
  EXPECT_EQ(around_texts("tokenizer.ggml.add_bos_token", 0), model::PostProcessor());
}

TEST(GgufEncoders, RefuseWhatChangesResultsByName) {
  const Error scaled = refused(nomic({gg::text("nomic-bert.rope.scaling.type", "yarn")}));
  EXPECT_EQ(scaled.code, ErrorCode::Unsupported);
  EXPECT_EQ(scaled.path, "metadata.nomic-bert.rope.scaling.type");
  gg::GgufMaker causal = nomic();
  causal.entry("nomic-bert.attention.causal") =
      gg::number("nomic-bert.attention.causal", ValueType::Bool, uint8_t{1});
  EXPECT_EQ(refused(causal).path, "metadata.nomic-bert.attention.causal");
  const Error missing = refused(without(nomic(), "blk.0.ffn_gate.weight"));
  EXPECT_EQ(missing.code, ErrorCode::NotFound);
  EXPECT_NE(missing.message.find("encoder.layers.0.mlp.fc12.weight"), std::string::npos);
  gg::GgufMaker other = nomic();
  other.entry("general.architecture") = gg::text("general.architecture", "nomic-bert-9");
  EXPECT_EQ(refused(other).path, "metadata.general.architecture");
}

}  // namespace
}  // namespace ambry::convert
