// The rows of encoder_sources.h for nomic's encoders: with the keys of the model's own code, and
// with those of the library's class, which came later.
#pragma once

#include <array>
#include <string_view>

#include "formats/huggingface/config/encoders/encoder_sources.h"
#include "model/encoder/architectures/architectures.h"

namespace ambry::formats::huggingface {

// Whether config.json has the keys of the library's class, such as `hidden_size`.
[[nodiscard]] bool has_nomic_library_keys(const FileValues& values);

// NotFound for a config.json of neither kind. Unsupported, with the key, for what changes results
// and is not supported.
[[nodiscard]] Result<void> read_nomic(const FileValues& values, model::EncoderConfig& config);
[[nodiscard]] Result<void> read_nomic_of_library(const FileValues& values,
                                                 model::EncoderConfig& config);

// Reads the keys of the model's own code that say what the other ones mean: the second bias, which
// must be as the first one is, and what the vocabulary is rounded up to.
[[nodiscard]] Result<void> read_nomic_sizes(const FileValues& values, model::EncoderConfig& config);

namespace nomic {

using Names = std::string_view;

inline constexpr std::array kTypes = {Names("nomic_bert")};
inline constexpr std::array kHeads = {Names("cls.predictions."), Names("cls.seq_relationship.")};
inline constexpr std::array kRotations = {Names("encoder.rotary_emb."), Names("rotary_emb.")};
inline constexpr std::array kFixed = {FixedSetting{"prenorm", "false"},
                                      FixedSetting{"causal", "false"},
                                      FixedSetting{"parallel_block", "false"},
                                      FixedSetting{"use_rms_norm", "false"},
                                      FixedSetting{"rotary_emb_interleaved", "false"},
                                      FixedSetting{"rotary_emb_scale_base", "null"},
                                      FixedSetting{"rotary_scaling_factor", "null"},
                                      FixedSetting{"scale_attn_weights", "true"},
                                      FixedSetting{"scale_attn_by_inverse_layer_idx", "false"},
                                      FixedSetting{"moe_every_n_layers", "0"},
                                      FixedSetting{"num_experts", "0"}};
inline constexpr std::array kLibraryFixed = {FixedSetting{"is_decoder", "false"}};

}  // namespace nomic

inline constexpr std::array kNomicSources = {
    EncoderSource{.architecture = &model::kNomicBert,
                  .model_types = nomic::kTypes,
                  .class_prefix = "NomicBert",
                  .accepts = has_nomic_library_keys,
                  .vocab = {"vocab_size", 30528},
                  .positions = {"max_position_embeddings", 2048},
                  .act_fallback = "silu",
                  .fixed = nomic::kLibraryFixed,
                  .heads_left_out = nomic::kHeads,
                  .counters = nomic::kRotations,
                  .is_of_authors_code = true,
                  .read_more = read_nomic_of_library},
    EncoderSource{.architecture = &model::kNomicBert,
                  .model_types = nomic::kTypes,
                  .class_prefix = "NomicBert",
                  .hidden = {"n_embd", 768},
                  .layers = {"n_layer", 12},
                  .heads = {"n_head", 12},
                  .inner = {"n_inner", 3072},
                  .positions = {"n_positions", 2048},
                  .eps = "layer_norm_epsilon",
                  .act = nullptr,
                  .act_fallback = "silu",
                  .fixed = nomic::kFixed,
                  .heads_left_out = nomic::kHeads,
                  .counters = nomic::kRotations,
                  .is_of_authors_code = true,
                  .read_more = read_nomic}};

}  // namespace ambry::formats::huggingface
