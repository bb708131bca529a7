// Groups of tensors that only the newest gemmas have (decoder_extras.h).
#pragma once

#include <array>

#include "model/decoder/architectures/tensor_groups.h"

namespace ambry::model::decoder_rows {

[[nodiscard]] constexpr Row extra(DecoderRole role, std::string_view name, DecoderExtent rows,
                                  DecoderExtent cols, Rule rule) {
  return {.role = role,
          .name = name,
          .rows = rows,
          .cols = cols,
          .linear = cols != One,
          .weight = rule};
}

// Layers that share keys and values have none, and some have values that are keys.
inline constexpr std::array kOwnKeys = {
    linear(Query, "layers.#.self_attn.q_proj", Heads, Embd, Rule::AttnBias),
    Row{.role = Key,
        .name = "layers.#.self_attn.k_proj",
        .rows = KvHeads,
        .cols = Embd,
        .linear = true,
        .weight = Rule::OwnKey,
        .bias = Rule::AttnBias},
    Row{.role = Value,
        .name = "layers.#.self_attn.v_proj",
        .rows = KvHeads,
        .cols = Embd,
        .linear = true,
        .weight = Rule::OwnValue,
        .bias = Rule::AttnBias},
    norm(QueryNorm, "layers.#.self_attn.q_norm", Rule::Never, HeadDim),
    extra(KeyNorm, "layers.#.self_attn.k_norm", HeadDim, One, Rule::OwnKey)};

inline constexpr std::array kPerLayerTables = {
    Row{.role = PerLayerEmbedding,
        .name = "embed_tokens_per_layer",
        .rows = VocabPerLayer,
        .cols = AllPerLayer,
        .weight = Rule::PerLayerInput},
    extra(PerLayerModelProjection, "per_layer_model_projection", AllPerLayer, Embd,
          Rule::PerLayerInput),
    extra(PerLayerModelNorm, "per_layer_projection_norm", PerLayer, One, Rule::PerLayerInput)};

inline constexpr std::array kPerLayerInput = {
    extra(PerLayerGate, "layers.#.per_layer_input_gate", PerLayer, Embd, Rule::PerLayerInput),
    extra(PerLayerProjection, "layers.#.per_layer_projection", Embd, PerLayer, Rule::PerLayerInput),
    extra(PerLayerNorm, "layers.#.post_per_layer_input_norm", Embd, One, Rule::PerLayerInput)};

// A factor of the whole hidden state.
inline constexpr std::array kLayerScale = {
    extra(LayerScale, "layers.#.layer_scalar", One, One, Rule::Optional)};

inline constexpr std::array kLaurel = {
    extra(LaurelLeft, "layers.#.laurel.linear_left", LaurelRank, Embd, Rule::Laurel),
    extra(LaurelRight, "layers.#.laurel.linear_right", Embd, LaurelRank, Rule::Laurel),
    extra(LaurelNorm, "layers.#.laurel.post_laurel_norm", Embd, One, Rule::Laurel)};

inline constexpr std::array kStreams = {
    extra(StreamRouterNorm, "layers.#.altup.router_norm", Embd, One, Rule::Streams),
    extra(StreamRouter, "layers.#.altup.modality_router", Streams, Embd, Rule::Streams),
    extra(StreamPredict, "layers.#.altup.prediction_coefs", StreamPairs, Streams, Rule::Streams),
    extra(StreamCorrect, "layers.#.altup.correction_coefs", Streams, Streams, Rule::Streams),
    extra(StreamScale, "layers.#.altup.correct_output_scale", Embd, One, Rule::Streams)};

// An ordinary part beside experts, with a gate of its own.
inline constexpr std::array kSharedExpert = {
    linear(Gate, "layers.#.mlp.shared_expert.gate_proj", Ff, Embd),
    linear(Up, "layers.#.mlp.shared_expert.up_proj", Ff, Embd),
    linear(Down, "layers.#.mlp.shared_expert.down_proj", Embd, Ff),
    norm(SharedGate, "layers.#.mlp.shared_expert_gate")};

// The norms and factors of experts beside an ordinary part.
inline constexpr std::array kExpertNorms = {
    norm(RouterScale, "layers.#.router.scale"),
    norm(ExpertScale, "layers.#.router.per_expert_scale", Rule::Never, Experts),
    norm(SharedNorm, "layers.#.post_feedforward_layernorm_1"),
    norm(ExpertInputNorm, "layers.#.pre_feedforward_layernorm_2"),
    norm(ExpertNorm, "layers.#.post_feedforward_layernorm_2")};

}  // namespace ambry::model::decoder_rows
