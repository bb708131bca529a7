// Tensors and groups of tensors that several decoder architectures have (architecture.cpp).
#pragma once

#include <array>

#include "base/join_arrays.h"
#include "model/decoder/architectures/tensor_tables.h"

namespace ambry::model::decoder_rows {

using Row = DecoderTensorRow;
using Rule = DecoderRule;
using enum DecoderRole;
using enum DecoderExtent;

[[nodiscard]] constexpr Row embedding(std::string_view name) {
  return {.role = TokenEmbedding, .name = name, .rows = Vocab, .cols = Embd};
}

[[nodiscard]] constexpr Row positions(std::string_view name, Rule rule) {
  return {.role = PositionEmbedding, .name = name, .rows = Positions, .cols = Embd, .weight = rule};
}

[[nodiscard]] constexpr Row norm(DecoderRole role, std::string_view name, Rule bias = Rule::Never,
                                 DecoderExtent extent = Embd) {
  return {.role = role, .name = name, .rows = extent, .bias = bias};
}

[[nodiscard]] constexpr Row linear(DecoderRole role, std::string_view name, DecoderExtent rows,
                                   DecoderExtent cols, Rule bias = Rule::Never) {
  return {.role = role, .name = name, .rows = rows, .cols = cols, .linear = true, .bias = bias};
}

// The matrix of the logits, which may be the token embedding instead.
[[nodiscard]] constexpr Row output(std::string_view name, Rule bias = Rule::Never) {
  return {.role = Output,
          .name = name,
          .rows = Vocab,
          .cols = Embd,
          .linear = true,
          .weight = Rule::Untied,
          .bias = bias};
}

[[nodiscard]] constexpr std::array<Row, 3> query_key_value(Rule bias) {
  return {linear(Query, "layers.#.self_attn.q_proj", Heads, Embd, bias),
          linear(Key, "layers.#.self_attn.k_proj", KvHeads, Embd, bias),
          linear(Value, "layers.#.self_attn.v_proj", KvHeads, Embd, bias)};
}

[[nodiscard]] constexpr std::array<Row, 2> query_key_norms(DecoderExtent query, DecoderExtent key) {
  return {norm(QueryNorm, "layers.#.self_attn.q_norm", Rule::Never, query),
          norm(KeyNorm, "layers.#.self_attn.k_norm", Rule::Never, key)};
}

inline constexpr std::array kEmbedding = {embedding("embed_tokens")};
inline constexpr std::array kInputNorm = {norm(AttentionNorm, "layers.#.input_layernorm")};
inline constexpr std::array kAttentionOutput = {
    linear(AttentionOutput, "layers.#.self_attn.o_proj", Embd, Heads, Rule::Optional)};
inline constexpr std::array kMlpNorm = {norm(MlpNorm, "layers.#.post_attention_layernorm")};
inline constexpr std::array kGatedMlp = {
    linear(Gate, "layers.#.mlp.gate_proj", Ff, Embd, Rule::MlpBias),
    linear(Up, "layers.#.mlp.up_proj", Ff, Embd, Rule::MlpBias),
    linear(Down, "layers.#.mlp.down_proj", Embd, Ff, Rule::MlpBias)};
// Some files have these under other names (convert/decoder/expert_tensors.h).
inline constexpr std::array kExperts = {
    linear(Router, "layers.#.mlp.gate", Experts, Embd),
    linear(ExpertGate, "layers.#.mlp.experts.*.gate_proj", ExpertFf, Embd),
    linear(ExpertUp, "layers.#.mlp.experts.*.up_proj", ExpertFf, Embd),
    linear(ExpertDown, "layers.#.mlp.experts.*.down_proj", Embd, ExpertFf)};
inline constexpr std::array kEnd = {norm(FinalNorm, "norm"), output("lm_head")};

// Norms of what attention and feed-forward layer add to the hidden state.
inline constexpr std::array kPostAttentionNorm = {
    norm(PostAttentionNorm, "layers.#.post_attention_layernorm")};
inline constexpr std::array kPostMlpNorm = {
    norm(PostMlpNorm, "layers.#.post_feedforward_layernorm")};
inline constexpr std::array kGemmaMlpNorms = join_arrays(
    kPostAttentionNorm, std::array{norm(MlpNorm, "layers.#.pre_feedforward_layernorm")});

}  // namespace ambry::model::decoder_rows
