// The forward pass of the encoder, written once for every instruction set and architecture. The
// input has been checked.
//
//   norms after   h = LN(embeddings), then in each layer h = LN(h + attention(h)),
//                 h = LN(h + feed_forward(h))
//   norms before  h = embeddings, then h += attention(LN(h)), h += feed_forward(LN(h)), and a last
//                 LN at the end
//
// A norm that the architecture does not have changes nothing. `Parts` says what the code is for:
// PlainParts for BERT's facts alone, which keeps the module small that runs only those, or
// GeneralParts for all facts of EncoderWeights::facts.
#pragma once

#include <algorithm>
#include <span>

#include "infer/encoder/encoder.h"
#include "infer/encoder/encoder_scratch.h"
#include "infer/encoder/expert_parts.h"
#include "infer/encoder/general_parts.h"
#include "infer/encoder/linear_input.h"
#include "infer/encoder/narrow_parts.h"
#include "infer/encoder/weights/encoder_weights.h"
#include "infer/encoder/widen.h"
#include "kernels/add_row.h"
#include "kernels/attention/encoder_attention.h"
#include "kernels/norm/layer_norm.h"

namespace ambry::infer {

struct PlainParts {
  static constexpr bool kGeneral = false;
};
struct GeneralParts {
  static constexpr bool kGeneral = true;
};

template <class V, class Parts>
void normalize_rows(const EncoderWeights& weights, const LayerNorm& norm, std::span<float> rows,
                    size_t width) {
  if constexpr (Parts::kGeneral) {
    if (norm.empty()) return;
    if (weights.facts.norm == model::EncoderNorm::Rms) {
      return rms_norm_rows<V>(weights, norm, rows, width);
    }
    if (weights.facts.norm == model::EncoderNorm::Affine) return affine_rows(norm, rows, width);
  }
  for (size_t at = 0; at < rows.size(); at += width) {
    kernels::layer_norm<V>(rows.subspan(at, width), {norm.weight.data(), width},
                           {norm.bias.data(), width}, weights.layer_norm_eps);
  }
}

// The place of a token in the table of positions.
class PositionCounter {
 public:
  explicit PositionCounter(const model::EncoderFacts& facts)
      : facts_(facts), next_(facts.positions_after_pad ? uint64_t{facts.pad_token_id} + 1 : 0) {}

  uint64_t operator()(uint32_t id) {
    const bool is_pad = facts_.positions_after_pad && id == facts_.pad_token_id;
    return is_pad ? facts_.pad_token_id : next_++;
  }

 private:
  const model::EncoderFacts& facts_;
  uint64_t next_;
};

// Rows of embedding_width() numbers, not normalized yet.
template <class V, class Parts>
void add_embeddings(const EncoderWeights& weights, std::span<const Sequence> batch,
                    std::span<float> addend, std::span<float> rows) {
  const size_t width = addend.size();
  size_t at = 0;
  for (const Sequence& sequence : batch) {
    PositionCounter position(weights.facts);
    for (size_t i = 0; i < sequence.ids.size(); ++i, at += width) {
      const std::span<float> row = rows.subspan(at, width);
      weights.word_embeddings.read_row<V>(sequence.ids[i], row);
      if constexpr (Parts::kGeneral) scale_row<V>(weights, row);
      if (weights.token_type_embeddings.rows > 0) {
        const uint32_t type = sequence.type_ids.empty() ? 0 : sequence.type_ids[i];
        weights.token_type_embeddings.read_row<V>(type, addend);
        kernels::add_row<V>(addend, row);
      }
      if (weights.position_embeddings.rows > 0) {
        weights.position_embeddings.read_row<V>(position(sequence.ids[i]), addend);
        kernels::add_row<V>(addend, row);
      }
    }
  }
}

template <class V, class Parts>
void embed_tokens(const EncoderWeights& weights, std::span<const Sequence> batch,
                  EncoderScratch& scratch, std::span<float> hidden) {
  if constexpr (Parts::kGeneral) {
    if (weights.facts.trigrams) return embed_trigrams<V>(weights, batch, scratch, hidden);
  }
  const size_t width = weights.embedding_width();
  const Linear& projection = weights.embedding_projection;
  const size_t n_tokens = hidden.size() / weights.hidden_size;
  const bool projected = projection.weight.outputs() > 0;
  const std::span<float> rows =
      projected ? std::span<float>(scratch.qkv(), n_tokens * width) : hidden;
  add_embeddings<V, Parts>(weights, batch, {scratch.row(), width}, rows);
  normalize_rows<V, Parts>(weights, weights.embedding_norm, rows, width);
  if (!projected) return;
  LinearInput<V> tokens(rows.data(), n_tokens, width, scratch);
  tokens.multiply(projection.weight, hidden.data(), weights.hidden_size,
                  kernels::Bias{projection.bias.data()});
}

// The input of attention or feed-forward layer: the rows themselves, or a normalized copy in `to`.
template <class V, class Parts>
const float* layer_input(const EncoderWeights& weights, const LayerNorm& norm,
                         std::span<const float> rows, float* to) {
  if constexpr (Parts::kGeneral) {
    if (weights.facts.norm_first && !norm.empty()) {
      std::ranges::copy(rows, to);
      normalize_rows<V, Parts>(weights, norm, {to, rows.size()}, weights.hidden_size);
      return to;
    }
  }
  return rows.data();
}

template <class V, class Parts>
void normalize_after(const EncoderWeights& weights, const LayerNorm& norm, std::span<float> rows,
                     size_t width) {
  if constexpr (Parts::kGeneral) {
    if (weights.facts.norm_first) return;
  }
  normalize_rows<V, Parts>(weights, norm, rows, width);
}

// Queries, keys and values of all tokens.
template <class V, class Parts>
void project_tokens(const EncoderWeights& weights, const EncoderLayer& layer,
                    std::span<const float> hidden, EncoderScratch& scratch) {
  const size_t width = weights.hidden_size;
  const size_t inner = Parts::kGeneral ? weights.inner_size() : width;
  const size_t n_tokens = hidden.size() / width;
  const float* input =
      layer_input<V, Parts>(weights, layer.attention_norm, hidden, scratch.normed());
  LinearInput<V> tokens(input, n_tokens, width, scratch);
  float* qkv = scratch.qkv();
  const Linear* projections[] = {&layer.query, &layer.key, &layer.value};
  const size_t n_projections =
      Parts::kGeneral && weights.fused_attention ? 1 : std::size(projections);
  for (size_t i = 0; i < n_projections; ++i) {
    tokens.multiply(projections[i]->weight, qkv + i * inner, 3 * inner,
                    kernels::Bias{projections[i]->bias.data()});
  }
  if constexpr (Parts::kGeneral) {
    part_heads(weights, n_tokens, qkv, scratch.row());
    repeat_heads(weights, n_tokens, qkv);
    normalize_queries<V>(weights, layer, n_tokens, qkv);
    make_relative<V>(weights, layer, scratch);
    if (weights.facts.repeated_norm) std::ranges::copy(hidden, scratch.normed());
  }
}

// The attention within each sequence.
template <class V, class Parts>
void attend_sequences(const EncoderWeights& weights, uint32_t number,
                      std::span<const Sequence> batch, EncoderScratch& scratch) {
  const size_t inner = Parts::kGeneral ? weights.inner_size() : weights.hidden_size;
  size_t first = 0;
  for (const Sequence& sequence : batch) {
    kernels::AttentionShape shape{sequence.ids.size(), weights.num_heads,
                                  inner / weights.num_heads};
    shape.n_keys = sequence.n_seen;
    float* query = scratch.qkv() + first * 3 * inner;
    float* out = scratch.context() + first * inner;
    if constexpr (Parts::kGeneral) {
      attend_with_positions<V>(weights, number, shape, query, out, scratch);
    } else {
      kernels::encoder_attention<V>(shape, query, query + inner, query + 2 * inner, 3 * inner, out,
                                    inner, scratch.attention());
    }
    first += sequence.ids.size();
  }
}

// Moves the row of each sequence's first token to the front, and returns how many there are.
inline size_t keep_first_rows(std::span<const Sequence> batch, float* rows, size_t width) {
  size_t token = 0;
  size_t n_rows = 0;
  for (const Sequence& sequence : batch) {
    if (sequence.ids.empty()) continue;
    std::copy_n(rows + token * width, width, rows + n_rows * width);
    token += sequence.ids.size();
    ++n_rows;
  }
  return n_rows;
}

// With `first_only`, what follows attention is computed for the first token of each sequence, whose
// rows are then the first ones. Returns the rows that were computed.
template <class V, class Parts>
std::span<float> attend(const EncoderWeights& weights, uint32_t number,
                        std::span<const Sequence> batch, bool first_only, EncoderScratch& scratch,
                        std::span<float> hidden) {
  const EncoderLayer& layer = weights.layer(number);
  const size_t width = weights.hidden_size;
  const size_t inner = Parts::kGeneral ? weights.inner_size() : width;
  const bool narrow = Parts::kGeneral && weights.facts.narrow_size > 0;
  if (narrow) {
    project_narrow<V>(weights, number, hidden, scratch);
  } else {
    project_tokens<V, Parts>(weights, layer, hidden, scratch);
  }
  attend_sequences<V, Parts>(weights, number, batch, scratch);
  if (first_only) {
    keep_first_rows(batch, scratch.context(), inner);
    if constexpr (Parts::kGeneral) {
      if (weights.facts.repeated_norm) keep_first_rows(batch, scratch.normed(), width);
    }
    hidden = hidden.first(keep_first_rows(batch, hidden.data(), width) * width);
  }
  if (narrow) {
    end_narrow_attention<V>(weights, number, hidden, scratch);
    return hidden;
  }
  LinearInput<V> context(scratch.context(), hidden.size() / width, inner, scratch);
  context.multiply(layer.attention_output.weight, hidden.data(), width,
                   kernels::BiasResidual{layer.attention_output.bias.data(), hidden.data(), width});
  normalize_after<V, Parts>(weights, layer.attention_norm, hidden, width);
  if constexpr (Parts::kGeneral) {
    if (!weights.facts.repeated_norm) return hidden;
    kernels::add_row<V>({scratch.normed(), hidden.size()}, hidden);
    normalize_rows<V, Parts>(weights, layer.repeated_norm, hidden, width);
  }
  return hidden;
}

template <class V, class Parts>
void feed_forward(const EncoderWeights& weights, const EncoderLayer& layer, EncoderScratch& scratch,
                  std::span<float> hidden, size_t width) {
  const size_t wide = weights.intermediate_size;
  for (size_t at = 0; at < hidden.size(); at += kFeedForwardRows * width) {
    const std::span<float> block =
        hidden.subspan(at, std::min(kFeedForwardRows * width, hidden.size() - at));
    const size_t n_rows = block.size() / width;
    const float* input = layer_input<V, Parts>(weights, layer.output_norm, block, scratch.normed());
    LinearInput<V> rows(input, n_rows, width, scratch);
    if (Parts::kGeneral && weights.facts.gated) {
      widen_gated<V>(weights, layer, rows, n_rows, scratch.intermediate());
    } else if (Parts::kGeneral && weights.activation == Activation::QuickGelu) {
      widen_quick_gelu<V>(weights, layer, rows, n_rows, scratch.intermediate());
    } else {
      widen_and_activate(weights.activation, rows, layer.intermediate, scratch.intermediate(),
                         wide);
    }
    LinearInput<V> widened(scratch.intermediate(), n_rows, wide, scratch);
    widened.multiply(layer.output.weight, block.data(), width,
                     kernels::BiasResidual{layer.output.bias.data(), block.data(), width});
    normalize_after<V, Parts>(weights, layer.output_norm, block, width);
  }
}

// The feed-forward layers of a layer, one after another, on the states within it, and what widens
// these.
template <class V>
void feed_narrow(const EncoderWeights& weights, uint32_t number, EncoderScratch& scratch,
                 std::span<float> hidden) {
  const size_t narrow = weights.facts.narrow_size;
  const std::span<float> states(scratch.normed(), hidden.size() / weights.hidden_size * narrow);
  for (uint32_t part = 2; part <= weights.facts.feed_forwards; ++part) {
    feed_forward<V, GeneralParts>(weights, weights.part(number, part), scratch, states, narrow);
  }
  feed_forward<V, GeneralParts>(weights, weights.layer(number), scratch, states, narrow);
  widen_narrow<V>(weights, number, scratch, hidden);
}

// Encoder::run, or with `first_only` Encoder::run_first, for one instruction set. Fails only when
// the heap has no room for the scratch.
template <class V, class Parts>
Result<void> encode(const EncoderWeights& weights, EncoderScratch& scratch,
                    std::span<const Sequence> batch, bool first_only, std::span<float> hidden) {
  if (hidden.empty()) return {};
  AMBRY_RETURN_IF_ERROR(scratch.reserve(weights, batch));
  if constexpr (Parts::kGeneral) {
    AMBRY_RETURN_IF_ERROR(scratch.reserve_general(weights, batch));
  }
  embed_tokens<V, Parts>(weights, batch, scratch, hidden);
  for (uint32_t i = 0; i < weights.num_layers; ++i) {
    const bool last = i + 1 == weights.num_layers;
    hidden = attend<V, Parts>(weights, i, batch, last && first_only, scratch, hidden);
    if (Parts::kGeneral && weights.facts.has_experts(i)) {
      mix_experts<V>(weights, i, scratch, hidden);
      normalize_rows<V, Parts>(weights, weights.layer(i).output_norm, hidden, weights.hidden_size);
    } else if (Parts::kGeneral && weights.facts.narrow_size > 0) {
      feed_narrow<V>(weights, i, scratch, hidden);
    } else {
      feed_forward<V, Parts>(weights, weights.layer(i), scratch, hidden, weights.hidden_size);
    }
  }
  if constexpr (Parts::kGeneral) {
    normalize_rows<V, Parts>(weights, weights.final_norm, hidden, weights.hidden_size);
  }
  return {};
}

}  // namespace ambry::infer
