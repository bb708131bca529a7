// The parts of the forward pass that BERT does not have: gated feed-forward layers, RMS norms, and
// positions that attention knows.
#pragma once

#include <algorithm>
#include <span>

#include "infer/encoder/encoder_scratch.h"
#include "infer/encoder/linear_input.h"
#include "infer/encoder/weights/encoder_weights.h"
#include "kernels/activation/apply_activation.h"
#include "kernels/attention/disentangled_bias.h"
#include "kernels/attention/distance_bias.h"
#include "kernels/attention/encoder_attention.h"
#include "kernels/attention/rope.h"
#include "kernels/norm/layer_norm.h"
#include "kernels/norm/rms_norm.h"

namespace ambry::infer {

template <class V>
void rms_norm_rows(const EncoderWeights& weights, const LayerNorm& norm, std::span<float> rows,
                   size_t width) {
  for (size_t at = 0; at < rows.size(); at += width) {
    kernels::rms_norm<V>(rows.subspan(at, width), {norm.weight.data(), width},
                         weights.layer_norm_eps, &rows[at]);
  }
}

inline void affine_rows(const LayerNorm& norm, std::span<float> rows, size_t width) {
  for (size_t i = 0; i < rows.size(); ++i) {
    rows[i] = rows[i] * norm.weight.data()[i % width] + norm.bias.data()[i % width];
  }
}

template <class V>
void scale_row(const EncoderWeights& weights, std::span<float> row) {
  if (weights.facts.embed_scale == 1) return;
  const auto factor = static_cast<float>(weights.facts.embed_scale);
  kernels::map_row<V>(row, [&](typename V::F32 x) { return V::mul(x, V::splat(factor)); });
}

template <class V>
void apply_gate(Activation activation, std::span<const float> gate, std::span<const float> up,
                float* to) {
  switch (activation) {
    case Activation::GeluErf:
      return kernels::apply_gated_activation<V, kernels::GeluErf>(gate, up, to);
    case Activation::GeluTanh:
      return kernels::apply_gated_activation<V, kernels::GeluTanh>(gate, up, to);
    case Activation::Relu:
      return kernels::apply_gated_activation<V, kernels::Relu>(gate, up, to);
    case Activation::Silu:
      return kernels::apply_gated_activation<V, kernels::Silu>(gate, up, to);
    case Activation::QuickGelu:
      break;
  }
}

// Writes act(gate(x)) * up(x) of `n_rows` rows to `out`, intermediate_size numbers each. `out` has
// room for twice as many.
template <class V>
void widen_gated(const EncoderWeights& weights, const EncoderLayer& layer, LinearInput<V>& rows,
                 size_t n_rows, float* out) {
  const size_t wide = weights.intermediate_size;
  const auto multiply = [&](const Linear& linear, float* to) {
    rows.multiply(linear.weight, to, 2 * wide, kernels::Bias{linear.bias.data()});
  };
  if (weights.gate_order == GateOrder::Separate) {
    multiply(layer.gate, out);
    multiply(layer.intermediate, out + wide);
  } else {
    multiply(layer.intermediate, out);
  }
  const size_t gate_at = weights.gate_order == GateOrder::UpGate ? wide : 0;
  // A result never lies behind the row that it is made of.
  for (size_t r = 0; r < n_rows; ++r) {
    const float* pair = out + r * 2 * wide;
    apply_gate<V>(weights.activation, {pair + gate_at, wide}, {pair + (wide - gate_at), wide},
                  out + r * wide);
  }
}

// x * sigmoid(1.702 x), CLIP's approximation of GELU, of `n_rows` rows.
template <class V>
void widen_quick_gelu(const EncoderWeights& weights, const EncoderLayer& layer,
                      LinearInput<V>& rows, size_t n_rows, float* out) {
  constexpr float kFactor = 1.702F;
  const size_t wide = weights.intermediate_size;
  rows.multiply(layer.intermediate.weight, out, wide,
                kernels::Bias{layer.intermediate.bias.data()});
  kernels::map_row<V>({out, n_rows * wide}, [](typename V::F32 x) {
    const auto open = kernels::Silu::apply<V>(V::mul(x, V::splat(kFactor)));
    return V::mul(open, V::splat(1 / kFactor));
  });
}

template <class V>
void rotate_heads(const RopeTable& rope, size_t n_pairs, bool interleaved,
                  const kernels::AttentionShape& shape, float* query, size_t stride) {
  // Query and key lie side by side.
  for (size_t i = 0; i < shape.n_tokens; ++i, query += stride) {
    for (size_t head = 0; head < 2 * shape.n_heads; ++head) {
      float* at = query + head * shape.head_dim;
      if (interleaved) {
        kernels::rotate_interleaved(at, rope.cosines(i), rope.sines(i), n_pairs);
      } else {
        kernels::rotate_halves<V>(at, rope.cosines(i), rope.sines(i), n_pairs);
      }
    }
  }
}

// Puts all queries of a token first, then its keys, for architectures that store those of one head
// after another. `token` has room for one token.
inline void part_heads(const EncoderWeights& weights, size_t n_tokens, float* qkv, float* token) {
  if (!weights.facts.fused_by_head) return;
  const size_t dim = weights.head_dim;
  const size_t heads = weights.num_heads;
  for (size_t i = 0; i < n_tokens; ++i, qkv += 3 * weights.inner_size()) {
    std::copy_n(qkv, 3 * weights.inner_size(), token);
    for (size_t at = 0; at < 3 * heads; ++at) {
      std::copy_n(token + at * dim, dim, qkv + (at % 3 * heads + at / 3) * dim);
    }
  }
}

// Gives each head a key and a value of its own, for architectures where heads share them. Those
// that are stored lie at the beginning.
inline void repeat_heads(const EncoderWeights& weights, size_t n_tokens, float* qkv) {
  const size_t shared = weights.facts.kv_heads;
  const size_t dim = weights.head_dim;
  if (shared == 0) return;
  for (size_t part = 0; part < 3 * n_tokens; ++part, qkv += weights.inner_size()) {
    if (part % 3 == 0) continue;  // a query
    // From the last head on, because a head is never before the one that it is copied from.
    for (size_t head = weights.num_heads; head-- > 0;) {
      const size_t from = head * shared / weights.num_heads;
      if (from < head) std::copy_n(qkv + from * dim, dim, qkv + head * dim);
    }
  }
}

// Normalizes queries and keys, for architectures that do so, all heads of a token together.
template <class V>
void normalize_queries(const EncoderWeights& weights, const EncoderLayer& layer, size_t n_tokens,
                       float* qkv) {
  const size_t inner = weights.inner_size();
  const LayerNorm* norms[] = {&layer.query_norm, &layer.key_norm};
  for (size_t i = 0; i < std::size(norms); ++i) {
    if (norms[i]->empty()) continue;
    for (size_t token = 0; token < n_tokens; ++token) {
      kernels::layer_norm<V>({qkv + (3 * token + i) * inner, inner},
                             {norms[i]->weight.data(), inner}, {norms[i]->bias.data(), inner},
                             weights.layer_norm_eps);
    }
  }
}

// The layer's keys and queries of distances, for Disentangled.
template <class V>
void make_relative(const EncoderWeights& weights, const EncoderLayer& layer,
                   EncoderScratch& scratch) {
  const model::EncoderFacts& facts = weights.facts;
  if (facts.positions != model::EncoderPositions::Disentangled) return;
  DisentangledScratch& relative = scratch.disentangled();
  const size_t inner = weights.inner_size();
  LinearInput<V> distances(relative.embeddings(), relative.n_places(), weights.hidden_size,
                           scratch);
  const auto multiply = [&](const Linear& linear, float* to) {
    distances.multiply(linear.weight, to, inner, kernels::Bias{linear.bias.data()});
  };
  if (facts.content_to_position) {
    multiply(facts.share_relative ? layer.key : layer.relative_key, relative.keys());
  }
  if (facts.position_to_content) {
    multiply(facts.share_relative ? layer.query : layer.relative_query, relative.queries());
  }
}

// Attention of one text in the layer with this number. `query` has query, key and value of each
// token side by side and may be changed.
template <class V>
void attend_with_positions(const EncoderWeights& weights, uint32_t layer,
                           kernels::AttentionShape shape, float* query, float* out,
                           EncoderScratch& scratch) {
  const model::EncoderFacts& facts = weights.facts;
  const PositionScratch& positions = scratch.positions();
  const size_t inner = weights.inner_size();
  shape.scale = weights.score_scale();
  if (facts.is_local(layer)) shape.reach = facts.local_window / 2;
  shape.causal = facts.causal;
  const auto attend = [&](const auto& bias) {
    kernels::encoder_attention<V>(shape, query, query + inner, query + 2 * inner, 3 * inner, out,
                                  inner, scratch.attention(), bias);
  };
  switch (facts.positions) {
    case model::EncoderPositions::Rope:
      rotate_heads<V>(positions.rope(facts.is_local(layer)), positions.n_pairs(), facts.interleaved,
                      shape, query, 3 * inner);
      return attend(kernels::NoBias());
    case model::EncoderPositions::Alibi:
    case model::EncoderPositions::RelativeBuckets:
      return attend(positions.distance_bias());
    case model::EncoderPositions::Disentangled:
      return attend(scratch.disentangled().bias(weights));
    default:
      return attend(kernels::NoBias());
  }
}

}  // namespace ambry::infer
