// GGUF's names of the tensors of models with state spaces, and their shapes where these differ.
#pragma once

#include <array>

#include "formats/gguf/names/tensor_names.h"
#include "model/decoder/decoder_config.h"
#include "tensor/dtype/shape.h"

namespace ambry::formats::gguf {

inline constexpr auto kMambaNames = std::to_array<GgufName>(
    {{"blk.#.ssm_in", "model.layers.#.mamba.in_proj"},
     {"blk.#.ssm_conv1d", "model.layers.#.mamba.conv1d"},
     {.gguf = "blk.#.ssm_dt.bias", .other = "model.layers.#.mamba.dt_bias", .whole = true},
     {.gguf = "blk.#.ssm_a", .other = "model.layers.#.mamba.A_log", .whole = true},
     {.gguf = "blk.#.ssm_d", .other = "model.layers.#.mamba.D", .whole = true},
     {"blk.#.ssm_norm", "model.layers.#.mamba.norm"},
     {"blk.#.ssm_out", "model.layers.#.mamba.out_proj"}});

// This norm has no ending in llama.cpp.
inline constexpr auto kFalconH1Mlp = std::to_array<GgufName>(
    {{.gguf = "blk.#.ffn_norm", .other = "model.layers.#.pre_ff_layernorm.weight", .whole = true},
     {"blk.#.ffn_gate", "model.layers.#.feed_forward.gate_proj"},
     {"blk.#.ffn_up", "model.layers.#.feed_forward.up_proj"},
     {"blk.#.ffn_down", "model.layers.#.feed_forward.down_proj"},
     {"output_norm", "model.final_layernorm"},
     {"output", "lm_head"}});

inline constexpr auto kNemotronHNames = std::to_array<GgufName>(
    {{"token_embd", "backbone.embeddings"},
     {"blk.#.attn_norm", "backbone.layers.#.norm"},
     {"blk.#.ssm_in", "backbone.layers.#.mixer.in_proj"},
     {"blk.#.ssm_conv1d", "backbone.layers.#.mixer.conv1d"},
     {.gguf = "blk.#.ssm_dt.bias", .other = "backbone.layers.#.mixer.dt_bias", .whole = true},
     {.gguf = "blk.#.ssm_a", .other = "backbone.layers.#.mixer.A_log", .whole = true},
     {.gguf = "blk.#.ssm_d", .other = "backbone.layers.#.mixer.D", .whole = true},
     {"blk.#.ssm_norm", "backbone.layers.#.mixer.norm"},
     {"blk.#.ssm_out", "backbone.layers.#.mixer.out_proj"},
     {"blk.#.attn_q", "backbone.layers.#.mixer.q_proj"},
     {"blk.#.attn_k", "backbone.layers.#.mixer.k_proj"},
     {"blk.#.attn_v", "backbone.layers.#.mixer.v_proj"},
     {"blk.#.attn_output", "backbone.layers.#.mixer.o_proj"},
     {"blk.#.ffn_up", "backbone.layers.#.mixer.up_proj"},
     {"blk.#.ffn_down", "backbone.layers.#.mixer.down_proj"},
     {"output_norm", "backbone.norm_f"},
     {"output", "lm_head"}});

// The shape of a tensor in GGUF, by the pattern of its name there. State spaces have a column for
// each value of a head, and a row of their norm for each group.
[[nodiscard]] inline tensor::Shape gguf_shape(std::string_view pattern,
                                              const model::DecoderConfig& facts,
                                              const tensor::Shape& shape) {
  if (facts.state_space.heads == 0 || shape.rank() != 1) return shape;
  if (pattern == "blk.#.ssm_a" || pattern == "blk.#.ssm_d") return {shape[0], 1};
  if (pattern != "blk.#.ssm_norm") return shape;
  return {facts.state_space.groups, shape[0] / facts.state_space.groups};
}

}  // namespace ambry::formats::gguf
