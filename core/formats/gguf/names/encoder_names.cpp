#include "formats/gguf/names/encoder_names.h"

#include <algorithm>
#include <array>
#include <ranges>

#include "base/join_arrays.h"
#include "model/encoder/architectures/architectures.h"
#include "model/file/tensor_index.h"
#include "model/metadata/metadata_value.h"

namespace ambry::formats::gguf {
namespace {

constexpr auto kDistilBertNames =
    std::to_array<GgufName>({{"token_embd", "embeddings.word_embeddings"},
                             {"position_embd", "embeddings.position_embeddings"},
                             {"token_embd_norm", "embeddings.LayerNorm"},
                             {"blk.#.attn_q", "transformer.layer.#.attention.q_lin"},
                             {"blk.#.attn_k", "transformer.layer.#.attention.k_lin"},
                             {"blk.#.attn_v", "transformer.layer.#.attention.v_lin"},
                             {"blk.#.attn_output", "transformer.layer.#.attention.out_lin"},
                             {"blk.#.attn_output_norm", "transformer.layer.#.sa_layer_norm"},
                             {"blk.#.ffn_up", "transformer.layer.#.ffn.lin1"},
                             {"blk.#.ffn_down", "transformer.layer.#.ffn.lin2"},
                             {"blk.#.layer_output_norm", "transformer.layer.#.output_layer_norm"},
                             {"cls", "pre_classifier"},
                             {"cls.output", "classifier"}});

constexpr auto kNomicNames =
    std::to_array<GgufName>({{"token_embd", "embeddings.word_embeddings"},
                             {"token_types", "embeddings.token_type_embeddings"},
                             {"token_embd_norm", "emb_ln"},
                             {"blk.#.attn_qkv", "encoder.layers.#.attn.Wqkv"},
                             {"blk.#.attn_output", "encoder.layers.#.attn.out_proj"},
                             {"blk.#.attn_output_norm", "encoder.layers.#.norm1"},
                             {"blk.#.ffn_up", "encoder.layers.#.mlp.fc11"},
                             {"blk.#.ffn_gate", "encoder.layers.#.mlp.fc12"},
                             {"blk.#.ffn_down", "encoder.layers.#.mlp.fc2"},
                             {"blk.#.layer_output_norm", "encoder.layers.#.norm2"}});
constexpr auto kRotaryFacts = std::to_array<GgufFact>({{"rotary_emb_base", "rope.freq_base"}});

// Files made before June 2025 have jina-bert-v2's gate and up matrix apart; newer ones have both in
// `ffn_up`, in the order of the model's own tensor.
constexpr auto kJinaCommon = std::to_array<GgufName>(
    {{"token_embd", "embeddings.word_embeddings"},
     {"token_types", "embeddings.token_type_embeddings"},
     {"token_embd_norm", "embeddings.LayerNorm"},
     {"blk.#.attn_q", "encoder.layer.#.attention.self.query"},
     {"blk.#.attn_k", "encoder.layer.#.attention.self.key"},
     {"blk.#.attn_v", "encoder.layer.#.attention.self.value"},
     {"blk.#.attn_output", "encoder.layer.#.attention.output.dense"},
     {"blk.#.attn_output_norm", "encoder.layer.#.attention.output.LayerNorm"}});
constexpr std::array kJinaBertNames = join_arrays(
    kJinaCommon,
    std::to_array<GgufName>({{"blk.#.ffn_gate", "encoder.layer.#.mlp.gated_layers"},
                             {"blk.#.ffn_up", "encoder.layer.#.mlp.gated_layers"},
                             {"blk.#.ffn_down", "encoder.layer.#.mlp.wo"},
                             {"blk.#.layer_output_norm", "encoder.layer.#.mlp.layernorm"},
                             {"cls", "pooler.dense"},
                             {"cls.output", "classifier"}}));
constexpr std::array kJinaQkNormNames = join_arrays(
    kJinaCommon,
    std::to_array<GgufName>({{"blk.#.attn_q_norm", "encoder.layer.#.attention.self.layer_norm_q"},
                             {"blk.#.attn_k_norm", "encoder.layer.#.attention.self.layer_norm_k"},
                             {"blk.#.attn_norm_2", "encoder.layer.#.layer_norm_1"},
                             {"blk.#.ffn_up", "encoder.layer.#.mlp.up_gated_layer"},
                             {"blk.#.ffn_gate", "encoder.layer.#.mlp.up_gated_layer"},
                             {"blk.#.ffn_down", "encoder.layer.#.mlp.down_layer"},
                             {"blk.#.layer_output_norm", "encoder.layer.#.layer_norm_2"}}));

constexpr auto kJinaV3Names =
    std::to_array<GgufName>({{"token_embd", "embeddings.word_embeddings"},
                             {"token_types", "embeddings.token_type_embeddings"},
                             {"token_embd_norm", "emb_ln"},
                             {"blk.#.attn_qkv", "encoder.layers.#.mixer.Wqkv"},
                             {"blk.#.attn_output", "encoder.layers.#.mixer.out_proj"},
                             {"blk.#.attn_output_norm", "encoder.layers.#.norm1"},
                             {"blk.#.ffn_up", "encoder.layers.#.mlp.fc1"},
                             {"blk.#.ffn_down", "encoder.layers.#.mlp.fc2"},
                             {"blk.#.layer_output_norm", "encoder.layers.#.norm2"}});

constexpr auto kModernBertNames =
    std::to_array<GgufName>({{"token_embd", "embeddings.tok_embeddings"},
                             {"token_embd_norm", "embeddings.norm"},
                             {"blk.#.attn_norm", "layers.#.attn_norm"},
                             {"blk.#.attn_qkv", "layers.#.attn.Wqkv"},
                             {"blk.#.attn_output", "layers.#.attn.Wo"},
                             {"blk.#.ffn_norm", "layers.#.mlp_norm"},
                             {"blk.#.ffn_up", "layers.#.mlp.Wi"},
                             {"blk.#.ffn_down", "layers.#.mlp.Wo"},
                             {"output_norm", "final_norm"},
                             {"cls", "head.dense"},
                             {"cls.norm", "head.norm"},
                             {"cls.output", "classifier"}});
constexpr auto kModernBertFacts =
    std::to_array<GgufFact>({{"global_rope_theta", "rope.freq_base"},
                             {"local_rope_theta", "rope.freq_base_swa"},
                             {"local_attention", "attention.sliding_window"},
                             {"global_attn_every_n_layers", "attention.sliding_window_pattern"}});

constexpr auto kT5Common = std::to_array<GgufName>(
    {{"token_embd", "shared"},
     {"enc.blk.#.attn_rel_b", "encoder.block.#.layer.0.SelfAttention.relative_attention_bias"},
     {"enc.blk.#.attn_norm", "encoder.block.#.layer.0.layer_norm"},
     {"enc.blk.#.attn_q", "encoder.block.#.layer.0.SelfAttention.q"},
     {"enc.blk.#.attn_k", "encoder.block.#.layer.0.SelfAttention.k"},
     {"enc.blk.#.attn_v", "encoder.block.#.layer.0.SelfAttention.v"},
     {"enc.blk.#.attn_o", "encoder.block.#.layer.0.SelfAttention.o"},
     {"enc.blk.#.ffn_norm", "encoder.block.#.layer.1.layer_norm"}});
constexpr auto kT5End =
    std::to_array<GgufName>({{"enc.blk.#.ffn_down", "encoder.block.#.layer.1.DenseReluDense.wo"},
                             {"enc.output_norm", "encoder.final_layer_norm"}});
constexpr std::array kT5Names = join_arrays(
    kT5Common,
    std::to_array<GgufName>({{"enc.blk.#.ffn_up", "encoder.block.#.layer.1.DenseReluDense.wi"}}),
    kT5End);
constexpr std::array kGatedT5Names = join_arrays(
    kT5Common,
    std::to_array<GgufName>({{"enc.blk.#.ffn_gate", "encoder.block.#.layer.1.DenseReluDense.wi_0"},
                             {"enc.blk.#.ffn_up", "encoder.block.#.layer.1.DenseReluDense.wi_1"}}),
    kT5End);
constexpr auto kT5Facts = std::to_array<GgufFact>(
    {{"d_kv", "attention.key_length"},
     {"relative_attention_num_buckets", "attention.relative_buckets_count"}});

constexpr auto kEuroBertNames =
    std::to_array<GgufName>({{"token_embd", "embed_tokens"},
                             {"blk.#.attn_norm", "layers.#.input_layernorm"},
                             {"blk.#.attn_q", "layers.#.self_attn.q_proj"},
                             {"blk.#.attn_k", "layers.#.self_attn.k_proj"},
                             {"blk.#.attn_v", "layers.#.self_attn.v_proj"},
                             {"blk.#.attn_output", "layers.#.self_attn.o_proj"},
                             {"blk.#.ffn_norm", "layers.#.post_attention_layernorm"},
                             {"blk.#.ffn_gate", "layers.#.mlp.gate_proj"},
                             {"blk.#.ffn_up", "layers.#.mlp.up_proj"},
                             {"blk.#.ffn_down", "layers.#.mlp.down_proj"},
                             {"output_norm", "norm"}});
constexpr auto kEuroBertFacts =
    std::to_array<GgufFact>({{"num_key_value_heads", "attention.head_count_kv"},
                             {"rope_theta", "rope.freq_base"},
                             {"layer_norm_eps", "attention.layer_norm_rms_epsilon"}});

// Files lack the bias of the experts' sum.
constexpr auto kNomicMoeNames =
    std::to_array<GgufName>({{"token_embd", "embeddings.word_embeddings"},
                             {"token_types", "embeddings.token_type_embeddings"},
                             {"token_embd_norm", "emb_ln"},
                             {"blk.#.attn_qkv", "encoder.layers.#.attn.Wqkv"},
                             {"blk.#.attn_output", "encoder.layers.#.attn.out_proj"},
                             {"blk.#.attn_output_norm", "encoder.layers.#.norm1"},
                             {"blk.#.ffn_up", "encoder.layers.#.mlp.fc1"},
                             {"blk.#.ffn_down", "encoder.layers.#.mlp.fc2"},
                             {"blk.#.ffn_gate_inp", "encoder.layers.#.mlp.router.layer"},
                             {"blk.#.ffn_up_exps", "encoder.layers.#.mlp.experts.fc1"},
                             {"blk.#.ffn_down_exps", "encoder.layers.#.mlp.experts.fc2"},
                             {"blk.#.layer_output_norm", "encoder.layers.#.norm2"}});
constexpr auto kNomicMoeFacts =
    std::to_array<GgufFact>({{"rotary_emb_base", "rope.freq_base"},
                             {"num_experts", "expert_count"},
                             {"moe_top_k", "expert_used_count"},
                             {"moe_every_n_layers", "moe_every_n_layers"}});

// The first that fits is taken.
constexpr auto kEncoders = std::to_array<GgufEncoder>(
    {{kGgufBert.gguf, &model::kBert, kBertNames, {}, "gelu", "token_types.weight"},
     {kGgufBert.gguf, &model::kDistilBert, kDistilBertNames, {}, "gelu"},
     {"nomic-bert", &model::kNomicBert, kNomicNames, kRotaryFacts, "silu"},
     {"jina-bert-v2",
      &model::kJinaBertQkNorm,
      kJinaQkNormNames,
      {},
      "gelu",
      "blk.0.attn_q_norm.weight"},
     {"jina-bert-v2", &model::kJinaBert, kJinaBertNames, {}, "gelu"},
     {"jina-bert-v3", &model::kJinaV3, kJinaV3Names, kRotaryFacts, "gelu"},
     {"modern-bert", &model::kModernBert, kModernBertNames, kModernBertFacts, "gelu"},
     {"t5encoder", &model::kT5, kGatedT5Names, kT5Facts, "gelu_new", "enc.blk.0.ffn_gate.weight",
      "is_gated_act"},
     {"t5encoder", &model::kT5, kT5Names, kT5Facts, "relu"},
     {"nomic-bert-moe", &model::kNomicMoe, kNomicMoeNames, kNomicMoeFacts, "gelu"},
     {"eurobert", &model::kEuroBert, kEuroBertNames, kEuroBertFacts, "silu"}});

constexpr bool is_first_of_name(const GgufEncoder& encoder) {
  return std::ranges::find(kEncoders, encoder.gguf, &GgufEncoder::gguf) == &encoder;
}
// Made while compiling, so that a program that needs the names alone links no table.
constexpr auto kNames = [] {
  constexpr auto kCount = static_cast<size_t>(std::ranges::count_if(kEncoders, is_first_of_name));
  std::array<std::string_view, kCount> names{};
  std::ranges::transform(kEncoders | std::views::filter(is_first_of_name), names.begin(),
                         &GgufEncoder::gguf);
  return names;
}();

}  // namespace

std::span<const std::string_view> gguf_encoder_names() { return kNames; }

const GgufEncoder* find_gguf_encoder(const model::Model& gguf) {
  const auto stated = model::metadata_text(gguf.metadata, "general.architecture").value_or("");
  const model::TensorIndex index(gguf.tensors);
  const auto* found = std::ranges::find_if(kEncoders, [&](const GgufEncoder& encoder) {
    return encoder.gguf == stated && (encoder.has.empty() || index.find(encoder.has) != nullptr);
  });
  return found == kEncoders.end() ? nullptr : found;
}

}  // namespace ambry::formats::gguf
