// How GGUF states gated delta nets (qwen35 and qwen35moe), whose keys it shares with state spaces.
#pragma once

#include <array>
#include <string_view>

#include "io/json/json.h"
#include "model/file/model.h"

namespace ambry::formats::gguf {

// llama.cpp's names of the architecture, and of the one with experts.
inline constexpr std::string_view kGatedDelta = "qwen35";
inline constexpr std::string_view kGatedDeltaExperts = "qwen35moe";

// Layers that attend, by their distance; and the layers after the last one, which guess a second
// token and are left out here.
inline constexpr std::string_view kAttentionInterval = "full_attention_interval";
inline constexpr std::string_view kRecurrentLayers = "attention.recurrent_layers";
inline constexpr std::string_view kGuessingLayers = "nextn_predict_layers";
// How llama.cpp shares the rotated pairs among the axes of a picture. Text has one axis.
inline constexpr std::string_view kRopeSections = "rope.dimension_sections";

struct DeltaFact {
  std::string_view name;    // name in the config
  std::string_view suffix;  // part of the key after the architecture
};
// The last one is the width of all heads of values.
inline constexpr auto kDeltaFacts =
    std::to_array<DeltaFact>({{"conv_taps", "ssm.conv_kernel"},
                              {"linear_key_head_dim", "ssm.state_size"},
                              {"linear_num_key_heads", "ssm.group_count"},
                              {"linear_num_value_heads", "ssm.time_step_rank"},
                              {"linear_value_head_dim", "ssm.inner_size"}});

// Adds these facts to the config of a qwen35, and what its converters do to the weights: norms are
// stored whole, A_log is -e^A_log, and heads of values lie so that those of one head of keys are as
// far apart as there are heads of keys.
void add_gated_delta_facts(const model::Model& file, io::Json& config);

}  // namespace ambry::formats::gguf
