// The tensors of decoder architectures with state spaces (architecture.cpp).
#pragma once

#include <array>

#include "base/join_arrays.h"
#include "model/decoder/architectures/tensor_groups.h"

namespace ambry::model::decoder_rows {

// What Mamba-2's parts are called in an architecture.
struct StateSpaceNames {
  std::string_view input;
  std::string_view convolution;
  std::string_view step_bias;
  std::string_view decay;
  std::string_view skip;
  std::string_view norm;
  std::string_view output;
};

[[nodiscard]] constexpr std::array<Row, 7> state_space(const StateSpaceNames& names) {
  return {linear(MixerInput, names.input, SpaceInput, Embd, Rule::Optional),
          Row{.role = Convolution,
              .name = names.convolution,
              .rows = SpaceChannels,
              .cols = ConvTaps,
              .bias = Rule::ConvBias},
          norm(StepBias, names.step_bias, Rule::Never, SpaceHeads),
          norm(StateDecay, names.decay, Rule::Never, SpaceHeads),
          norm(StateSkip, names.skip, Rule::Never, SpaceHeads),
          Row{.role = StateNorm, .name = names.norm, .rows = SpaceWidth, .weight = Rule::StateNorm},
          linear(MixerOutput, names.output, Embd, SpaceWidth, Rule::Optional)};
}

inline constexpr auto kMamba = state_space(
    {"layers.#.mamba.in_proj", "layers.#.mamba.conv1d", "layers.#.mamba.dt_bias",
     "layers.#.mamba.A_log", "layers.#.mamba.D", "layers.#.mamba.norm", "layers.#.mamba.out_proj"});

inline constexpr auto kGraniteHybrid =
    join_arrays(kEmbedding, kInputNorm, kMamba, query_key_value(Rule::AttnBias), kAttentionOutput,
                kMlpNorm, kGatedMlp, kExperts, kEnd);

inline constexpr auto kFalconH1 =
    join_arrays(kEmbedding, kInputNorm, kMamba, query_key_value(Rule::AttnBias), kAttentionOutput,
                std::array{norm(MlpNorm, "layers.#.pre_ff_layernorm"),
                           linear(Gate, "layers.#.feed_forward.gate_proj", Ff, Embd, Rule::MlpBias),
                           linear(Up, "layers.#.feed_forward.up_proj", Ff, Embd, Rule::MlpBias),
                           linear(Down, "layers.#.feed_forward.down_proj", Embd, Ff, Rule::MlpBias),
                           norm(FinalNorm, "final_layernorm"), output("lm_head")});

// A layer is one of three things, and its only norm is called alike in all of them.
inline constexpr auto kNemotronH = join_arrays(
    std::array{embedding("embeddings"), norm(AttentionNorm, "layers.#.norm"),
               norm(MlpNorm, "layers.#.norm")},
    state_space({"layers.#.mixer.in_proj", "layers.#.mixer.conv1d", "layers.#.mixer.dt_bias",
                 "layers.#.mixer.A_log", "layers.#.mixer.D", "layers.#.mixer.norm",
                 "layers.#.mixer.out_proj"}),
    std::array{linear(Query, "layers.#.mixer.q_proj", Heads, Embd, Rule::AttnBias),
               linear(Key, "layers.#.mixer.k_proj", KvHeads, Embd, Rule::AttnBias),
               linear(Value, "layers.#.mixer.v_proj", KvHeads, Embd, Rule::AttnBias),
               linear(AttentionOutput, "layers.#.mixer.o_proj", Embd, Heads, Rule::Optional),
               linear(Up, "layers.#.mixer.up_proj", Ff, Embd, Rule::MlpBias),
               linear(Down, "layers.#.mixer.down_proj", Embd, Ff, Rule::MlpBias),
               norm(FinalNorm, "norm_f"), output("lm_head")});

}  // namespace ambry::model::decoder_rows
