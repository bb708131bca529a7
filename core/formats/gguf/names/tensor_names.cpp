#include "formats/gguf/names/tensor_names.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/concat.h"
#include "base/join_arrays.h"
#include "formats/gguf/names/state_space_names.h"
#include "model/decoder/decoder_tensors.h"

namespace ambry::formats::gguf {
namespace {

// --- names that several architectures share ---

constexpr auto kEmbedding = std::to_array<GgufName>({{"token_embd", "model.embed_tokens"}});
constexpr auto kInputNorm =
    std::to_array<GgufName>({{"blk.#.attn_norm", "model.layers.#.input_layernorm"}});
constexpr auto kAttention =
    std::to_array<GgufName>({{"blk.#.attn_q", "model.layers.#.self_attn.q_proj"},
                             {"blk.#.attn_k", "model.layers.#.self_attn.k_proj"},
                             {"blk.#.attn_v", "model.layers.#.self_attn.v_proj"},
                             {"blk.#.attn_output", "model.layers.#.self_attn.o_proj"}});
constexpr auto kPermutedAttention =
    std::to_array<GgufName>({{"blk.#.attn_q", "model.layers.#.self_attn.q_proj", Part::All, true},
                             {"blk.#.attn_k", "model.layers.#.self_attn.k_proj", Part::All, true},
                             {"blk.#.attn_v", "model.layers.#.self_attn.v_proj"},
                             {"blk.#.attn_output", "model.layers.#.self_attn.o_proj"}});
constexpr auto kQueryKeyNorms =
    std::to_array<GgufName>({{"blk.#.attn_q_norm", "model.layers.#.self_attn.q_norm"},
                             {"blk.#.attn_k_norm", "model.layers.#.self_attn.k_norm"}});
constexpr auto kMlpNorm =
    std::to_array<GgufName>({{"blk.#.ffn_norm", "model.layers.#.post_attention_layernorm"}});
constexpr auto kGatedMlp =
    std::to_array<GgufName>({{"blk.#.ffn_gate", "model.layers.#.mlp.gate_proj"},
                             {"blk.#.ffn_up", "model.layers.#.mlp.up_proj"},
                             {"blk.#.ffn_down", "model.layers.#.mlp.down_proj"}});
constexpr auto kExperts = std::to_array<GgufName>(
    {{"blk.#.ffn_gate_inp", "model.layers.#.mlp.gate"},
     {"blk.#.ffn_gate_exps", "model.layers.#.mlp.experts.*.gate_proj"},
     {"blk.#.ffn_up_exps", "model.layers.#.mlp.experts.*.up_proj"},
     {"blk.#.ffn_down_exps", "model.layers.#.mlp.experts.*.down_proj"},
     {"blk.#.ffn_gate_up_exps", "model.layers.#.mlp.experts.*.gate_proj", Part::First},
     {"blk.#.ffn_gate_up_exps", "model.layers.#.mlp.experts.*.up_proj", Part::Second}});
constexpr auto kSharedExpert = std::to_array<GgufName>(
    {{"blk.#.ffn_gate_inp_shexp", "model.layers.#.mlp.shared_expert_gate"},
     {"blk.#.ffn_gate_shexp", "model.layers.#.mlp.shared_expert.gate_proj"},
     {"blk.#.ffn_up_shexp", "model.layers.#.mlp.shared_expert.up_proj"},
     {"blk.#.ffn_down_shexp", "model.layers.#.mlp.shared_expert.down_proj"}});
constexpr auto kPostNorms = std::to_array<GgufName>(
    {{"blk.#.post_attention_norm", "model.layers.#.post_attention_layernorm"},
     {"blk.#.post_ffw_norm", "model.layers.#.post_feedforward_layernorm"}});
constexpr auto kGemmaMlpNorm =
    std::to_array<GgufName>({{"blk.#.ffn_norm", "model.layers.#.pre_feedforward_layernorm"}});
constexpr auto kEnd =
    std::to_array<GgufName>({{"output_norm", "model.norm"}, {"output", "lm_head"}});

// --- architectures ---

constexpr auto kLlamaNames =
    join_arrays(kEmbedding, kInputNorm, kPermutedAttention, kMlpNorm, kGatedMlp, kEnd);
constexpr auto kQwen2Names =
    join_arrays(kEmbedding, kInputNorm, kAttention, kMlpNorm, kGatedMlp, kEnd);
constexpr auto kQwen3Names =
    join_arrays(kEmbedding, kInputNorm, kAttention, kQueryKeyNorms, kMlpNorm, kGatedMlp, kEnd);
constexpr auto kGemma2Names =
    join_arrays(kEmbedding, kInputNorm, kAttention, kGemmaMlpNorm, kGatedMlp, kPostNorms, kEnd);
constexpr auto kGemma3Names = join_arrays(kEmbedding, kInputNorm, kAttention, kQueryKeyNorms,
                                          kGemmaMlpNorm, kGatedMlp, kPostNorms, kEnd);
constexpr auto kPerLayerNames =
    std::to_array<GgufName>({{"per_layer_token_embd", "model.embed_tokens_per_layer"},
                             {"per_layer_model_proj", "model.per_layer_model_projection"},
                             {"per_layer_proj_norm", "model.per_layer_projection_norm"},
                             {"blk.#.inp_gate", "model.layers.#.per_layer_input_gate"},
                             {"blk.#.proj", "model.layers.#.per_layer_projection"},
                             {"blk.#.post_norm", "model.layers.#.post_per_layer_input_norm"}});
constexpr auto kStreamNames = std::to_array<GgufName>(
    {{"altup_proj", "model.altup_projections.0", Part::First},
     {"altup_proj", "model.altup_projections.1", Part::Second},
     {"altup_proj", "model.altup_projections.2", Part::Third},
     {"altup_unembd_proj", "model.altup_unembed_projections.0", Part::First},
     {"altup_unembd_proj", "model.altup_unembed_projections.1", Part::Second},
     {"altup_unembd_proj", "model.altup_unembed_projections.2", Part::Third},
     {"blk.#.altup_correct_coef", "model.layers.#.altup.correction_coefs"},
     {"blk.#.altup_correct_scale", "model.layers.#.altup.correct_output_scale"},
     {"blk.#.altup_predict_coef", "model.layers.#.altup.prediction_coefs"},
     {"blk.#.altup_router", "model.layers.#.altup.modality_router"},
     {"blk.#.altup_router_norm", "model.layers.#.altup.router_norm"},
     {"blk.#.laurel_l", "model.layers.#.laurel.linear_left"},
     {"blk.#.laurel_r", "model.layers.#.laurel.linear_right"},
     {"blk.#.laurel_post_norm", "model.layers.#.laurel.post_laurel_norm"}});
constexpr auto kGemma3nNames = join_arrays(kGemma3Names, kPerLayerNames, kStreamNames);
constexpr auto kExpertNorms = std::to_array<GgufName>(
    {{.gguf = "blk.#.ffn_gate_inp.scale", .other = "model.layers.#.router.scale", .whole = true},
     {.gguf = "blk.#.ffn_down_exps.scale",
      .other = "model.layers.#.router.per_expert_scale",
      .whole = true},
     {"blk.#.post_ffw_norm_1", "model.layers.#.post_feedforward_layernorm_1"},
     {"blk.#.pre_ffw_norm_2", "model.layers.#.pre_feedforward_layernorm_2"},
     {"blk.#.post_ffw_norm_2", "model.layers.#.post_feedforward_layernorm_2"}});
constexpr auto kGemma4Names = join_arrays(
    kGemma3Names, kPerLayerNames, kExperts, kExpertNorms,
    std::to_array<GgufName>({{"blk.#.layer_output_scale", "model.layers.#.layer_scalar"}}));
constexpr auto kGemmaEmbeddingNames = join_arrays(
    kGemma3Names,
    std::to_array<GgufName>({{kDenseTensors[0], "dense.0"}, {kDenseTensors[1], "dense.1"}}));
constexpr auto kOlmo2Names =
    join_arrays(kEmbedding, kAttention, kQueryKeyNorms, kGatedMlp, kPostNorms, kEnd);

// The first files stored query, key and value as one tensor.
constexpr auto kPhi2Names = join_arrays(
    kEmbedding, kInputNorm,
    std::to_array<GgufName>({{"blk.#.attn_q", "model.layers.#.self_attn.q_proj"},
                             {"blk.#.attn_k", "model.layers.#.self_attn.k_proj"},
                             {"blk.#.attn_v", "model.layers.#.self_attn.v_proj"},
                             {"blk.#.attn_qkv", "model.layers.#.self_attn.q_proj", Part::Query},
                             {"blk.#.attn_qkv", "model.layers.#.self_attn.k_proj", Part::Key},
                             {"blk.#.attn_qkv", "model.layers.#.self_attn.v_proj", Part::Value},
                             {"blk.#.attn_output", "model.layers.#.self_attn.dense"},
                             {"blk.#.ffn_up", "model.layers.#.mlp.fc1"},
                             {"blk.#.ffn_down", "model.layers.#.mlp.fc2"},
                             {"output_norm", "model.final_layernorm"},
                             {"output", "lm_head"}}));

constexpr auto kPhi3Names =
    join_arrays(kEmbedding, kInputNorm,
                std::to_array<GgufName>({{"blk.#.attn_qkv", "model.layers.#.self_attn.qkv_proj"},
                                         {"blk.#.attn_output", "model.layers.#.self_attn.o_proj"}}),
                kMlpNorm,
                std::to_array<GgufName>({{"blk.#.ffn_up", "model.layers.#.mlp.gate_up_proj"},
                                         {"blk.#.ffn_down", "model.layers.#.mlp.down_proj"}}),
                kEnd);

constexpr auto kPlainMlp =
    std::to_array<GgufName>({{"blk.#.ffn_up", "model.layers.#.mlp.up_proj"},
                             {"blk.#.ffn_down", "model.layers.#.mlp.down_proj"}});
constexpr auto kArceeNames =
    join_arrays(kEmbedding, kInputNorm, kPermutedAttention, kMlpNorm, kPlainMlp, kEnd);
constexpr auto kHunYuanNames = join_arrays(
    kEmbedding, kInputNorm, kAttention,
    std::to_array<GgufName>({{"blk.#.attn_q_norm", "model.layers.#.self_attn.query_layernorm"},
                             {"blk.#.attn_k_norm", "model.layers.#.self_attn.key_layernorm"}}),
    kMlpNorm, kGatedMlp, kEnd);
constexpr auto kApertusNames = join_arrays(
    kEmbedding,
    std::to_array<GgufName>({{"blk.#.attn_norm", "model.layers.#.attention_layernorm"}}),
    kAttention, kQueryKeyNorms,
    std::to_array<GgufName>({{"blk.#.ffn_norm", "model.layers.#.feedforward_layernorm"}}),
    kPlainMlp, kEnd);

constexpr auto kLfm2Names = join_arrays(
    kEmbedding,
    std::to_array<GgufName>({{"blk.#.attn_norm", "model.layers.#.operator_norm"},
                             {"blk.#.shortconv.in_proj", "model.layers.#.conv.in_proj"},
                             {"blk.#.shortconv.conv", "model.layers.#.conv.conv"},
                             {"blk.#.shortconv.out_proj", "model.layers.#.conv.out_proj"},
                             {"blk.#.attn_q", "model.layers.#.self_attn.q_proj"},
                             {"blk.#.attn_k", "model.layers.#.self_attn.k_proj"},
                             {"blk.#.attn_v", "model.layers.#.self_attn.v_proj"},
                             {"blk.#.attn_q_norm", "model.layers.#.self_attn.q_layernorm"},
                             {"blk.#.attn_k_norm", "model.layers.#.self_attn.k_layernorm"},
                             {"blk.#.attn_output", "model.layers.#.self_attn.out_proj"},
                             {"blk.#.ffn_norm", "model.layers.#.ffn_norm"},
                             {"blk.#.ffn_gate", "model.layers.#.feed_forward.w1"},
                             {"blk.#.ffn_up", "model.layers.#.feed_forward.w3"},
                             {"blk.#.ffn_down", "model.layers.#.feed_forward.w2"},
                             {"token_embd_norm", "model.embedding_norm"},
                             {"output", "lm_head"}}));

constexpr auto kGraniteHybridNames =
    join_arrays(kEmbedding, kInputNorm, kMambaNames, kPermutedAttention, kMlpNorm, kGatedMlp,
                std::to_array<GgufName>(
                    {{"blk.#.ffn_gate_shexp", "model.layers.#.mlp.gate_proj", Part::Shared},
                     {"blk.#.ffn_up_shexp", "model.layers.#.mlp.up_proj", Part::Shared},
                     {"blk.#.ffn_down_shexp", "model.layers.#.mlp.down_proj", Part::Shared}}),
                kExperts, kEnd);
constexpr auto kFalconH1Names =
    join_arrays(kEmbedding, kInputNorm, kMambaNames, kAttention, kFalconH1Mlp);

constexpr auto kQwen35Mixers = join_arrays(
    kEmbedding, kInputNorm, kAttention, kQueryKeyNorms,
    std::to_array<GgufName>(
        {{"blk.#.attn_qkv", "model.layers.#.linear_attn.in_proj_qkv"},
         {"blk.#.attn_gate", "model.layers.#.linear_attn.in_proj_z"},
         {"blk.#.ssm_beta", "model.layers.#.linear_attn.in_proj_b"},
         {"blk.#.ssm_alpha", "model.layers.#.linear_attn.in_proj_a"},
         {"blk.#.ssm_conv1d", "model.layers.#.linear_attn.conv1d"},
         {.gguf = "blk.#.ssm_dt.bias",
          .other = "model.layers.#.linear_attn.dt_bias",
          .whole = true},
         {.gguf = "blk.#.ssm_a", .other = "model.layers.#.linear_attn.A_log", .whole = true},
         {"blk.#.ssm_norm", "model.layers.#.linear_attn.norm"},
         {"blk.#.ssm_out", "model.layers.#.linear_attn.out_proj"},
         {"blk.#.post_attention_norm", "model.layers.#.post_attention_layernorm"}}));
constexpr auto kQwen35Names = join_arrays(kQwen35Mixers, kGatedMlp, kEnd);
constexpr auto kQwen35MoeNames = join_arrays(kQwen35Mixers, kSharedExpert, kExperts, kEnd);

constexpr auto kStarcoder2Names =
    join_arrays(kEmbedding, kInputNorm, kAttention, kMlpNorm,
                std::to_array<GgufName>({{"blk.#.ffn_up", "model.layers.#.mlp.c_fc"},
                                         {"blk.#.ffn_down", "model.layers.#.mlp.c_proj"}}),
                kEnd);

// Converters put all queries first, then all keys, then all values.
constexpr auto kGptNeoXNames =
    std::to_array<GgufName>({{"token_embd", "gpt_neox.embed_in"},
                             {"blk.#.attn_norm", "gpt_neox.layers.#.input_layernorm"},
                             {"blk.#.attn_qkv", "gpt_neox.layers.#.attention.query_key_value"},
                             {"blk.#.attn_output", "gpt_neox.layers.#.attention.dense"},
                             {"blk.#.ffn_norm", "gpt_neox.layers.#.post_attention_layernorm"},
                             {"blk.#.ffn_up", "gpt_neox.layers.#.mlp.dense_h_to_4h"},
                             {"blk.#.ffn_down", "gpt_neox.layers.#.mlp.dense_4h_to_h"},
                             {"output_norm", "gpt_neox.final_layer_norm"},
                             {"output", "embed_out"}});

constexpr auto kGpt2Names =
    std::to_array<GgufName>({{"token_embd", "transformer.wte"},
                             {"position_embd", "transformer.wpe"},
                             {"blk.#.attn_norm", "transformer.h.#.ln_1"},
                             {"blk.#.attn_qkv", "transformer.h.#.attn.c_attn"},
                             {"blk.#.attn_output", "transformer.h.#.attn.c_proj"},
                             {"blk.#.ffn_norm", "transformer.h.#.ln_2"},
                             {"blk.#.ffn_up", "transformer.h.#.mlp.c_fc"},
                             {"blk.#.ffn_down", "transformer.h.#.mlp.c_proj"},
                             {"output_norm", "transformer.ln_f"},
                             {"output", "lm_head"}});

constexpr auto kLfm2MoeNames =
    join_arrays(kLfm2Names, kExperts,
                std::to_array<GgufName>({{.gguf = "blk.#.exp_probs_b.bias",
                                          .other = "model.layers.#.mlp.expert_bias",
                                          .whole = true}}));
constexpr auto kLlamaMoeNames =
    join_arrays(kEmbedding, kInputNorm, kPermutedAttention, kMlpNorm, kExperts, kEnd);
constexpr auto kQwen2MoeNames =
    join_arrays(kEmbedding, kInputNorm, kAttention, kMlpNorm, kSharedExpert, kExperts, kEnd);
constexpr auto kQwen3MoeNames =
    join_arrays(kEmbedding, kInputNorm, kAttention, kQueryKeyNorms, kMlpNorm, kExperts, kEnd);

constexpr auto kArchitectures =
    std::to_array<GgufArchitecture>({{"llama", "llama", kLlamaNames},
                                     {"llama", "mistral", kLlamaNames},
                                     {"gemma", "gemma", kQwen2Names},
                                     {"phi2", "phi2", kPhi2Names},
                                     {"phi3", "phi3", kPhi3Names},
                                     {"gpt2", "gpt2", kGpt2Names},
                                     {"qwen2", "qwen2", kQwen2Names},
                                     {"qwen3", "qwen3", kQwen3Names},
                                     {"gemma2", "gemma2", kGemma2Names},
                                     {"gemma3", "gemma3", kGemma3Names},
                                     {kGemmaEmbedding, "gemma3", kGemmaEmbeddingNames},
                                     {"gemma3n", "gemma3n", kGemma3nNames},
                                     {"gemma4", "gemma4", kGemma4Names},
                                     {"smollm3", "smollm3", kLlamaNames},
                                     {"olmo2", "olmo2", kOlmo2Names},
                                     {"granite", "granite", kLlamaNames},
                                     {"stablelm", "stablelm", kQwen2Names},
                                     {"gptneox", "gpt_neox", kGptNeoXNames},
                                     {"starcoder2", "starcoder2", kStarcoder2Names},
                                     {"minicpm", "minicpm", kLlamaNames},
                                     {"arcee", "arcee", kArceeNames},
                                     {"llama", "helium", kLlamaNames},
                                     {"ernie4_5", "ernie4_5", kQwen2Names},
                                     {"hunyuan-dense", "hunyuan_v1_dense", kHunYuanNames},
                                     {"exaone4", "exaone4", kOlmo2Names},
                                     {"olmo2", "olmo3", kOlmo2Names},
                                     {"mistral3", "ministral3", kLlamaNames},
                                     {"apertus", "apertus", kApertusNames},
                                     {"lfm2", "lfm2", kLfm2Names},
                                     {"granitehybrid", "granitemoehybrid", kGraniteHybridNames},
                                     {"falcon-h1", "falcon_h1", kFalconH1Names},
                                     {"nemotron_h", "nemotron_h", kNemotronHNames},
                                     {"qwen35", "qwen3_5", kQwen35Names},
                                     {"llama", "mixtral", kLlamaMoeNames},
                                     {"granitemoe", "granitemoe", kLlamaMoeNames},
                                     {"olmoe", "olmoe", kQwen3MoeNames},
                                     {"qwen3moe", "qwen3_moe", kQwen3MoeNames},
                                     {"lfm2moe", "lfm2_moe", kLfm2MoeNames},
                                     {"qwen2moe", "qwen2_moe", kQwen2MoeNames},
                                     {"qwen35moe", "qwen3_5_moe", kQwen35MoeNames}});

const GgufArchitecture* find(std::string_view name, std::string_view GgufArchitecture::* which) {
  const auto* found = std::ranges::find(kArchitectures, name, which);
  return found == kArchitectures.end() ? nullptr : found;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

TensorName without_ending(TensorName name) {
  name.ending = {};
  return name;
}

}  // namespace

const GgufArchitecture* find_gguf_architecture(std::string_view gguf) {
  return find(gguf, &GgufArchitecture::gguf);
}
const GgufArchitecture* gguf_architecture_for(std::string_view other) {
  return find(other, &GgufArchitecture::other);
}

std::vector<std::string_view> gguf_decoder_names() {
  std::vector<std::string_view> names;
  for (const GgufArchitecture& row : kArchitectures) {
    if (std::ranges::find(names, row.gguf) == names.end()) names.push_back(row.gguf);
  }
  return names;
}

TensorName split_name(std::string_view name) {
  TensorName parts;
  for (const std::string_view ending : {".weight", ".bias"}) {
    if (!name.ends_with(ending)) continue;
    parts.ending = ending;
    name.remove_suffix(ending.size());
  }
  // The first part that is an integer is the layer's index.
  const auto begin = std::ranges::adjacent_find(
      name, [](char before, char c) { return before == '.' && is_digit(c); });
  if (begin != name.end()) {
    const size_t at = static_cast<size_t>(begin - name.begin()) + 1;
    uint32_t layer = 0;
    const auto [end, problem] = std::from_chars(name.data() + at, name.data() + name.size(), layer);
    const auto stop = static_cast<size_t>(end - name.data());
    if (problem == std::errc() && (stop == name.size() || name[stop] == '.')) {
      parts.layer = layer;
      parts.pattern = concat({name.substr(0, at), "#", name.substr(stop)});
      return parts;
    }
  }
  parts.pattern = name;
  return parts;
}

std::optional<std::string> gguf_name_of(const GgufArchitecture& architecture,
                                        std::string_view other) {
  TensorName parts = split_name(other);
  parts.pattern = pattern_of_experts(std::move(parts.pattern));
  for (const GgufName& row : architecture.names) {
    if (model::decoder_tensor_key(row.other) != model::decoder_tensor_key(parts.pattern)) continue;
    if (row.whole || !parts.ending.empty()) return gguf_name_by(row, parts);
  }
  return std::nullopt;
}

std::optional<std::string> other_name_of(const GgufName& row, const TensorName& name) {
  if (row.whole) {
    if (row.gguf != concat({name.pattern, name.ending})) return std::nullopt;
    return join_name(row.other, without_ending(name));
  }
  if (row.gguf != name.pattern || name.ending.empty()) return std::nullopt;
  return join_name(row.other, name);
}

std::string gguf_name_by(const GgufName& row, const TensorName& name) {
  return row.whole ? join_name(row.gguf, without_ending(name)) : join_name(row.gguf, name);
}

std::string name_of_expert(std::string_view name, uint64_t expert) {
  const size_t star = name.find('*');
  return concat({name.substr(0, star), expert, name.substr(star + 1)});
}

std::string pattern_of_experts(std::string pattern) {
  constexpr std::string_view kBefore = ".experts.";
  const size_t at = pattern.find(kBefore);
  if (at == std::string::npos) return pattern;
  const size_t first = at + kBefore.size();
  size_t end = first;
  while (end < pattern.size() && is_digit(pattern[end])) ++end;
  if (end > first && end < pattern.size()) pattern.replace(first, end - first, "*");
  return pattern;
}

std::string join_name(std::string_view pattern, const TensorName& name) {
  const size_t hash = pattern.find('#');
  if (hash == std::string_view::npos || !name.layer) return concat({pattern, name.ending});
  return concat({pattern.substr(0, hash), *name.layer, pattern.substr(hash + 1), name.ending});
}

}  // namespace ambry::formats::gguf
