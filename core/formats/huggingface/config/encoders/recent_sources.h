// The rows of encoder_sources.h for encoders of the last years and small ones: EuroBERT,
// NeoBERT, RoFormer, nomic's with experts and MobileBERT.
#pragma once

#include <array>
#include <string_view>

#include "formats/huggingface/config/encoders/encoder_sources.h"
#include "formats/huggingface/config/encoders/nomic_sources.h"
#include "model/encoder/architectures/architectures.h"

namespace ambry::formats::huggingface {

// Unsupported, with the key, for what changes results and is not supported. BadValue for heads that
// do not go together.
[[nodiscard]] Result<void> read_eurobert(const FileValues& values, model::EncoderConfig& config);

[[nodiscard]] Result<void> read_neobert(const FileValues& values, model::EncoderConfig& config);
[[nodiscard]] Result<void> read_roformer(const FileValues& values, model::EncoderConfig& config);
[[nodiscard]] Result<void> read_nomic_moe(const FileValues& values, model::EncoderConfig& config);
[[nodiscard]] Result<void> read_mobilebert(const FileValues& values, model::EncoderConfig& config);

// Whether a model of type nomic_bert has layers of experts.
[[nodiscard]] bool has_nomic_experts(const FileValues& values);

namespace recent {

using Names = std::string_view;

inline constexpr std::array kEuroBertTypes = {Names("eurobert"), Names("jina_embeddings_v5")};
inline constexpr std::array kEuroBertHeads = {Names("lm_head."), Names("dense.")};
inline constexpr std::array kEuroBertFixed = {FixedSetting{"rope_scaling", "null"},
                                              FixedSetting{"is_decoder", "false"}};

inline constexpr std::array kNeoBertTypes = {Names("neobert")};
inline constexpr std::array kNeoBertHeads = {Names("decoder."), Names("dense.")};
inline constexpr std::array kNeoBertFixed = {
    FixedSetting{"hidden_act", "\"swiglu\""}, FixedSetting{"rms_norm", "true"},
    FixedSetting{"rope", "true"}, FixedSetting{"swiglu_packed", "true"}};

inline constexpr std::array kRoFormerTypes = {Names("roformer")};
inline constexpr std::array kRoFormerHeads = {Names("cls.predictions."),
                                              Names("cls.seq_relationship.")};
inline constexpr std::array kRoFormerFixed = {FixedSetting{"rotary_value", "false"},
                                              FixedSetting{"is_decoder", "false"},
                                              FixedSetting{"add_cross_attention", "false"}};
// Sines and cosines.
inline constexpr std::array kRoFormerCounters = {Names("encoder.embed_positions."),
                                                 Names("embeddings.position_ids")};

inline constexpr std::array kNomicMoeFixed = {
    FixedSetting{"prenorm", "false"},
    FixedSetting{"causal", "false"},
    FixedSetting{"parallel_block", "false"},
    FixedSetting{"use_rms_norm", "false"},
    FixedSetting{"rotary_emb_interleaved", "false"},
    FixedSetting{"rotary_emb_scale_base", "null"},
    FixedSetting{"rotary_scaling_factor", "null"},
    FixedSetting{"scale_attn_weights", "true"},
    FixedSetting{"scale_attn_by_inverse_layer_idx", "false"},
    FixedSetting{"moe_normalize_expert_weights", "false"},
    FixedSetting{"num_shared_experts", "0"},
    FixedSetting{"expert_choice_router", "false"},
    FixedSetting{"ffn_div", "1"}};

inline constexpr std::array kMobileBertTypes = {Names("mobilebert")};
inline constexpr std::array kMobileBertHeads = {Names("cls.predictions."),
                                                Names("cls.seq_relationship.")};
inline constexpr std::array kMobileBertFixed = {FixedSetting{"trigram_input", "true"},
                                                FixedSetting{"use_bottleneck", "true"},
                                                FixedSetting{"use_bottleneck_attention", "false"},
                                                FixedSetting{"key_query_shared_bottleneck", "true"},
                                                FixedSetting{"normalization_type", "\"no_norm\""}};
inline constexpr std::array kMobileBertCounters = {Names("embeddings.position_ids")};

}  // namespace recent

inline constexpr std::array kRecentSources = {
    EncoderSource{.architecture = &model::kEuroBert,
                  .model_types = recent::kEuroBertTypes,
                  .class_prefix = "EuroBert",
                  .vocab = {"vocab_size", 128256},
                  .positions = {"max_position_embeddings", 8192},
                  .types = {nullptr, 0},
                  .eps = "rms_norm_eps",
                  .eps_fallback = 1e-5,
                  .act_fallback = "silu",
                  .fixed = recent::kEuroBertFixed,
                  .heads_left_out = recent::kEuroBertHeads,
                  .counters = {},
                  .is_of_authors_code = true,
                  .read_more = read_eurobert},
    EncoderSource{.architecture = &model::kNeoBert,
                  .model_types = recent::kNeoBertTypes,
                  .class_prefix = "NeoBERT",
                  .layers = {"num_hidden_layers", 28},
                  .positions = {"max_length", 1024},
                  .types = {nullptr, 0},
                  .eps = "norm_eps",
                  .eps_fallback = 1e-6,
                  .act = nullptr,
                  .act_fallback = "silu",
                  .fixed = recent::kNeoBertFixed,
                  .heads_left_out = recent::kNeoBertHeads,
                  .counters = {},
                  .is_of_authors_code = true,
                  .read_more = read_neobert},
    EncoderSource{.architecture = &model::kRoFormer,
                  .model_types = recent::kRoFormerTypes,
                  .class_prefix = "RoFormer",
                  .vocab = {"vocab_size", 50000},
                  .positions = {"max_position_embeddings", 1536},
                  .fixed = recent::kRoFormerFixed,
                  .heads_left_out = recent::kRoFormerHeads,
                  .counters = recent::kRoFormerCounters,
                  .prefix = "roformer.",
                  .read_more = read_roformer},
    EncoderSource{.architecture = &model::kNomicMoe,
                  .model_types = nomic::kTypes,
                  .class_prefix = "NomicBert",
                  .accepts = has_nomic_experts,
                  .hidden = {"n_embd", 768},
                  .layers = {"n_layer", 12},
                  .heads = {"n_head", 12},
                  .inner = {"n_inner", 3072},
                  .positions = {"n_positions", 2048},
                  .eps = "layer_norm_epsilon",
                  .act = "activation_function",
                  .fixed = recent::kNomicMoeFixed,
                  .heads_left_out = nomic::kHeads,
                  .counters = nomic::kRotations,
                  .is_of_authors_code = true,
                  .read_more = read_nomic_moe},
    EncoderSource{.architecture = &model::kMobileBert,
                  .model_types = recent::kMobileBertTypes,
                  .class_prefix = "MobileBert",
                  .hidden = {"hidden_size", 512},
                  .layers = {"num_hidden_layers", 24},
                  .heads = {"num_attention_heads", 4},
                  .inner = {"intermediate_size", 512},
                  .act_fallback = "relu",
                  .fixed = recent::kMobileBertFixed,
                  .heads_left_out = recent::kMobileBertHeads,
                  .counters = recent::kMobileBertCounters,
                  .prefix = "mobilebert.",
                  .read_more = read_mobilebert}};

}  // namespace ambry::formats::huggingface
