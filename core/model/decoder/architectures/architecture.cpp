#include "model/decoder/architectures/architecture.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "base/join_arrays.h"
#include "model/decoder/architectures/dense_architectures.h"
#include "model/decoder/architectures/extra_tensor_groups.h"
#include "model/decoder/architectures/state_space_tensors.h"
#include "model/decoder/architectures/tensor_groups.h"
#include "model/decoder/architectures/tensor_tables.h"

namespace ambry::model {
namespace decoder_rows {
namespace {

using enum DecoderActivation;

constexpr std::array kLfm2Layers = {
    embedding("embed_tokens"),
    norm(AttentionNorm, "layers.#.operator_norm"),
    linear(MixerInput, "layers.#.conv.in_proj", ThreeEmbd, Embd, Rule::Optional),
    Row{.role = Convolution,
        .name = "layers.#.conv.conv",
        .rows = Embd,
        .cols = ConvTaps,
        .bias = Rule::Optional},
    linear(MixerOutput, "layers.#.conv.out_proj", Embd, Embd, Rule::Optional),
    linear(Query, "layers.#.self_attn.q_proj", Heads, Embd),
    linear(Key, "layers.#.self_attn.k_proj", KvHeads, Embd),
    linear(Value, "layers.#.self_attn.v_proj", KvHeads, Embd),
    norm(QueryNorm, "layers.#.self_attn.q_layernorm", Rule::Never, HeadDim),
    norm(KeyNorm, "layers.#.self_attn.k_layernorm", Rule::Never, HeadDim),
    linear(AttentionOutput, "layers.#.self_attn.out_proj", Embd, Heads),
    norm(MlpNorm, "layers.#.ffn_norm"),
    linear(Gate, "layers.#.feed_forward.w1", Ff, Embd),
    linear(Up, "layers.#.feed_forward.w3", Ff, Embd),
    linear(Down, "layers.#.feed_forward.w2", Embd, Ff)};
constexpr std::array kLfm2End = {norm(FinalNorm, "embedding_norm"), output("lm_head")};
constexpr auto kLfm2 = join_arrays(kLfm2Layers, kLfm2End);

// The bias of the router counts where experts are chosen, and not in their weights.
constexpr auto kLfm2Moe = join_arrays(
    kLfm2Layers, kExperts,
    std::array{Row{.role = RouterBias, .name = "layers.#.mlp.expert_bias", .rows = Experts}},
    kLfm2End);

constexpr auto kLlamaMoe = join_arrays(kEmbedding, kInputNorm, query_key_value(Rule::AttnBias),
                                       kAttentionOutput, kMlpNorm, kExperts, kEnd);

constexpr auto kQwen3Moe =
    join_arrays(kEmbedding, kInputNorm, query_key_value(Rule::AttnBias),
                query_key_norms(HeadDim, HeadDim), kAttentionOutput, kMlpNorm, kExperts, kEnd);

constexpr auto kOlmoe =
    join_arrays(kEmbedding, kInputNorm, query_key_value(Rule::AttnBias),
                query_key_norms(Heads, KvHeads), kAttentionOutput, kMlpNorm, kExperts, kEnd);

constexpr auto kQwen2Moe = join_arrays(kEmbedding, kInputNorm, query_key_value(Rule::AttnBias),
                                       kAttentionOutput, kMlpNorm, kSharedExpert, kExperts, kEnd);

constexpr auto kQwen35Mixers = join_arrays(
    kEmbedding, kInputNorm,
    std::array{linear(Query, "layers.#.self_attn.q_proj", Queries, Embd, Rule::AttnBias),
               linear(Key, "layers.#.self_attn.k_proj", KvHeads, Embd, Rule::AttnBias),
               linear(Value, "layers.#.self_attn.v_proj", KvHeads, Embd, Rule::AttnBias)},
    query_key_norms(HeadDim, HeadDim), kAttentionOutput,
    std::array{linear(MixerInput, "layers.#.linear_attn.in_proj_qkv", DeltaChannels, Embd),
               linear(MixerGate, "layers.#.linear_attn.in_proj_z", DeltaValues, Embd),
               linear(MixerBeta, "layers.#.linear_attn.in_proj_b", DeltaHeads, Embd),
               linear(MixerStep, "layers.#.linear_attn.in_proj_a", DeltaHeads, Embd),
               Row{.role = Convolution,
                   .name = "layers.#.linear_attn.conv1d",
                   .rows = DeltaChannels,
                   .cols = ConvTaps},
               Row{.role = StepBias, .name = "layers.#.linear_attn.dt_bias", .rows = DeltaHeads},
               Row{.role = StateDecay, .name = "layers.#.linear_attn.A_log", .rows = DeltaHeads},
               norm(StateNorm, "layers.#.linear_attn.norm", Rule::Never, DeltaValueDim),
               linear(MixerOutput, "layers.#.linear_attn.out_proj", Embd, DeltaValues)},
    kMlpNorm);
constexpr auto kQwen35 = join_arrays(kQwen35Mixers, kGatedMlp, kEnd);
constexpr auto kQwen35Moe = join_arrays(kQwen35Mixers, kSharedExpert, kExperts, kEnd);

constexpr auto kGemma3n =
    join_arrays(kEmbedding, kPerLayerTables, kInputNorm, kOwnKeys, kAttentionOutput, kLaurel,
                kGemmaMlpNorms, kGatedMlp, kPostMlpNorm, kStreams, kPerLayerInput, kEnd);

constexpr auto kGemma4 =
    join_arrays(kEmbedding, kPerLayerTables, kInputNorm, kOwnKeys, kAttentionOutput, kGemmaMlpNorms,
                kGatedMlp, kPostMlpNorm, kExperts, kExpertNorms, kPerLayerInput, kLayerScale, kEnd);

struct Architecture {
  ArchitectureDefaults defaults;
  std::span<const DecoderTensorRow> tensors;
};

// The architectures that DecoderArchitecture names, in its order, and then any others.
constexpr auto kArchitectures = std::to_array<Architecture>({
    {{.name = "llama"}, kLlama},
    {{.name = "mistral"}, kLlama},
    {{.name = "gemma", .norm_eps = 1e-6, .activation = GeluTanh, .is_gemma = true}, kLlama},
    {{.name = "phi2",
      .norm = DecoderNorm::Layer,
      .activation = GeluTanh,
      .gated = false,
      .partial_rotary_factor = 0.4,
      .parallel_residual = true},
     kPhi2},
    {{.name = "phi3"}, kPhi3},
    {{.name = "gpt2",
      .norm = DecoderNorm::Layer,
      .activation = GeluTanh,
      .gated = false,
      .positions = DecoderPositions::Learned,
      .linear_layout = LinearLayout::InOut},
     kGpt2},
    {{.name = "falcon",
      .norm = DecoderNorm::Layer,
      .activation = Gelu,
      .gated = false,
      .parallel_residual = true,
      .qkv_per_head = true},
     kFalcon},
    {{.name = "mpt",
      .norm = DecoderNorm::Layer,
      .activation = Gelu,
      .gated = false,
      .positions = DecoderPositions::Alibi},
     kMpt},
    {{.name = "qwen2", .norm_eps = 1e-6}, kLlama},
    {{.name = "qwen3", .norm_eps = 1e-6}, kQwen3},
    {{.name = "gemma2",
      .norm_eps = 1e-6,
      .activation = GeluTanh,
      .is_gemma = true,
      .sliding_window_pattern = 2},
     kGemma2},
    {{.name = "gemma3",
      .norm_eps = 1e-6,
      .activation = GeluTanh,
      .is_gemma = true,
      .sliding_window_pattern = 6,
      .rope_local_freq_base = 10'000},
     kGemma3},
    {{.name = "smollm3", .norm_eps = 1e-6, .no_rope_layer_interval = 4}, kLlama},
    {{.name = "olmo2"}, kOlmo2},
    {{.name = "granite", .norm_eps = 1e-6}, kLlama},
    {{.name = "stablelm", .norm = DecoderNorm::Layer, .partial_rotary_factor = 0.25}, kStableLm},
    {{.name = "gpt_neox",
      .norm = DecoderNorm::Layer,
      .activation = Gelu,
      .gated = false,
      .partial_rotary_factor = 0.25,
      .parallel_residual = true,
      .qkv_per_head = true},
     kGptNeoX},
    {{.name = "gptj",
      .norm = DecoderNorm::Layer,
      .activation = GeluTanh,
      .gated = false,
      .rope_style = RopeStyle::Interleaved,
      .parallel_residual = true},
     kGptJ},
    {{.name = "starcoder2", .norm = DecoderNorm::Layer, .activation = GeluTanh, .gated = false},
     kStarcoder2},
    {{.name = "minicpm", .norm_eps = 1e-6}, kLlama},
    {{.name = "arcee", .activation = ReluSquared, .gated = false}, kArcee},
    {{.name = "helium", .norm_eps = 1e-8, .rope_style = RopeStyle::Interleaved}, kLlama},
    {{.name = "ernie4_5", .rope_style = RopeStyle::Interleaved}, kLlama},
    {{.name = "hunyuan_v1_dense", .norm_after_rope = true}, kHunYuan},
    {{.name = "exaone4", .only_local_rotates = true}, kExaone4},
    {{.name = "olmo3", .sliding_window_pattern = 4, .rope_local_unscaled = true}, kOlmo2},
    {{.name = "ministral3"}, kLlama},
    {{.name = "apertus", .activation = Xielu, .gated = false}, kApertus},
    {{.name = "lfm2", .layer_kinds = kinds_of({LayerKind::Attention, LayerKind::ShortConvolution})},
     kLfm2},
    {{.name = "granitemoehybrid",
      .norm_eps = 1e-6,
      .layer_kinds = kinds_of({LayerKind::Attention, LayerKind::StateSpace}),
      .experts = true,
      .normalizes_experts = true,
      .shared_experts = true,
      .may_lack_experts = true},
     kGraniteHybrid},
    {{.name = "falcon_h1", .layer_kinds = kinds_of({LayerKind::AttentionAndStateSpace})},
     kFalconH1},
    {{.name = "nemotron_h",
      .activation = ReluSquared,
      .gated = false,
      .positions = DecoderPositions::None,
      .layer_kinds = kinds_of({LayerKind::Attention, LayerKind::StateSpace, LayerKind::None}),
      .separate_mlp = true},
     kNemotronH},
    {{.name = "qwen3_5",
      .norm_eps = 1e-6,
      .partial_rotary_factor = 0.25,
      .attn_gate = true,
      .norms_minus_1 = true,
      .layer_kinds = kinds_of({LayerKind::Attention, LayerKind::GatedDelta})},
     kQwen35},
    {{.name = "gemma3n",
      .norm_eps = 1e-6,
      .activation = GeluTanh,
      .is_gemma = true,
      .sliding_window_pattern = 5,
      .rope_local_freq_base = 10'000,
      .plain_norms = true,
      .value_norm = true},
     kGemma3n},
    {{.name = "gemma4",
      .norm_eps = 1e-6,
      .activation = GeluTanh,
      .is_gemma = true,
      .sliding_window_pattern = 6,
      .rope_local_freq_base = 10'000,
      .plain_norms = true,
      .value_norm = true,
      .experts = true,
      .normalizes_experts = true,
      .shared_experts = true,
      .may_lack_experts = true,
      .expert_norms = true},
     kGemma4},
    {{.name = "mixtral", .experts = true, .normalizes_experts = true}, kLlamaMoe},
    {{.name = "granitemoe", .norm_eps = 1e-6, .experts = true, .normalizes_experts = true},
     kLlamaMoe},
    {{.name = "olmoe", .experts = true}, kOlmoe},
    {{.name = "qwen3_moe", .norm_eps = 1e-6, .experts = true}, kQwen3Moe},
    {{.name = "lfm2_moe",
      .layer_kinds = kinds_of({LayerKind::Attention, LayerKind::ShortConvolution}),
      .experts = true,
      .normalizes_experts = true,
      .sigmoid_router = true},
     kLfm2Moe},
    {{.name = "qwen2_moe", .norm_eps = 1e-6, .experts = true, .shared_experts = true}, kQwen2Moe},
    {{.name = "qwen3_5_moe",
      .norm_eps = 1e-6,
      .partial_rotary_factor = 0.25,
      .attn_gate = true,
      .norms_minus_1 = true,
      .layer_kinds = kinds_of({LayerKind::Attention, LayerKind::GatedDelta}),
      .experts = true,
      .normalizes_experts = true,
      .shared_experts = true},
     kQwen35Moe},
});
static_assert(kArchitectures[static_cast<size_t>(DecoderArchitecture::Gemma4)].defaults.name ==
              "gemma4");

constexpr auto kOtherNames = std::to_array<std::pair<std::string_view, DecoderArchitecture>>(
    {{"phi-2", DecoderArchitecture::Phi2},
     {"phi-3", DecoderArchitecture::Phi3},
     {"gpt-2", DecoderArchitecture::Gpt2},
     {"gemma3_text", DecoderArchitecture::Gemma3},
     {"gemma3n_text", DecoderArchitecture::Gemma3n},
     {"gemma4_text", DecoderArchitecture::Gemma4},
     {"gptneox", DecoderArchitecture::GptNeoX},
     {"gemma-embedding", DecoderArchitecture::Gemma3},
     {"gpt-j", DecoderArchitecture::GptJ},
     {"hunyuan-dense", DecoderArchitecture::HunYuanDense},
     {"mistral3", DecoderArchitecture::Ministral3},
     {"granitehybrid", DecoderArchitecture::GraniteHybrid},
     {"falcon-h1", DecoderArchitecture::FalconH1},
     {"qwen35", DecoderArchitecture::Qwen35}});

// Other names of rows that DecoderArchitecture does not name.
constexpr auto kAliases =
    std::to_array<std::pair<std::string_view, std::string_view>>({{"qwen3moe", "qwen3_moe"},
                                                                  {"lfm2moe", "lfm2_moe"},
                                                                  {"qwen2moe", "qwen2_moe"},
                                                                  {"qwen35moe", "qwen3_5_moe"}});

}  // namespace
}  // namespace decoder_rows

using decoder_rows::kArchitectures;

const ArchitectureDefaults& architecture_defaults(DecoderArchitecture architecture) {
  return kArchitectures[static_cast<size_t>(architecture)].defaults;
}

std::span<const DecoderTensorRow> decoder_tensor_rows(DecoderArchitecture architecture) {
  return kArchitectures[static_cast<size_t>(architecture)].tensors;
}

std::string_view architecture_name(DecoderArchitecture architecture) {
  return architecture_defaults(architecture).name;
}

std::optional<DecoderArchitecture> find_architecture(std::string_view name) {
  const auto* row = std::ranges::find(kArchitectures, name,
                                      [](const auto& known) { return known.defaults.name; });
  if (row != kArchitectures.end()) {
    return static_cast<DecoderArchitecture>(row - kArchitectures.begin());
  }
  for (const auto& [alias, own] : decoder_rows::kAliases) {
    if (alias == name) return find_architecture(own);
  }
  const auto& others = decoder_rows::kOtherNames;
  const auto* other =
      std::ranges::find(others, name, [](const auto& spelling) { return spelling.first; });
  if (other != others.end()) return other->second;
  return std::nullopt;
}

std::vector<std::string_view> decoder_architecture_names() {
  std::vector<std::string_view> names;
  names.reserve(kArchitectures.size() + decoder_rows::kOtherNames.size());
  for (const auto& row : kArchitectures) names.push_back(row.defaults.name);
  for (const auto& [name, architecture] : decoder_rows::kOtherNames) names.push_back(name);
  for (const auto& [alias, own] : decoder_rows::kAliases) names.push_back(alias);
  return names;
}

}  // namespace ambry::model
