// The forward pass of the encoder, written once for every instruction set. The input has been
// checked.
//
// Post-LayerNorm BERT: h = LN(words + positions + types), then for each layer h = LN(h +
// attention(h)), h = LN(h + feed_forward(h)).
#pragma once

#include <algorithm>
#include <cassert>
#include <span>

#include "infer/encoder/encoder.h"
#include "infer/encoder/encoder_scratch.h"
#include "infer/encoder/encoder_weights.h"
#include "infer/encoder/linear_input.h"
#include "kernels/add_row.h"
#include "kernels/attention/encoder_attention.h"
#include "kernels/norm/layer_norm.h"

namespace ambry::infer {

template <class V>
void normalize_rows(const EncoderWeights& weights, const LayerNorm& norm, std::span<float> rows) {
  const size_t width = weights.hidden_size;
  for (size_t at = 0; at < rows.size(); at += width) {
    kernels::layer_norm<V>(rows.subspan(at, width), {norm.weight.data(), width},
                           {norm.bias.data(), width}, weights.layer_norm_eps);
  }
}

template <class V>
void embed_tokens(const EncoderWeights& weights, std::span<const Sequence> batch, float* widened,
                  std::span<float> hidden) {
  const size_t width = weights.hidden_size;
  const std::span<float> addend(widened, width);
  size_t at = 0;
  for (const Sequence& sequence : batch) {
    for (size_t i = 0; i < sequence.ids.size(); ++i, at += width) {
      const std::span<float> row = hidden.subspan(at, width);
      const uint32_t type = sequence.type_ids.empty() ? 0 : sequence.type_ids[i];
      weights.word_embeddings.read_row<V>(sequence.ids[i], row);
      weights.token_type_embeddings.read_row<V>(type, addend);
      kernels::add_row<V>(addend, row);
      weights.position_embeddings.read_row<V>(i, addend);
      kernels::add_row<V>(addend, row);
    }
  }
  normalize_rows<V>(weights, weights.embedding_norm, hidden);
}

template <class V>
void attend(const EncoderWeights& weights, const EncoderLayer& layer,
            std::span<const Sequence> batch, EncoderScratch& scratch, std::span<float> hidden) {
  const size_t width = weights.hidden_size;
  const size_t n_tokens = hidden.size() / width;
  LinearInput<V> tokens(hidden.data(), n_tokens, width, scratch);
  float* qkv = scratch.qkv();
  const Linear* projections[] = {&layer.query, &layer.key, &layer.value};
  for (size_t i = 0; i < std::size(projections); ++i) {
    tokens.multiply(projections[i]->weight, qkv + i * width, 3 * width,
                    kernels::Bias{projections[i]->bias.data()});
  }
  size_t first = 0;
  for (const Sequence& sequence : batch) {
    const kernels::AttentionShape shape{sequence.ids.size(), weights.num_heads,
                                        width / weights.num_heads};
    const float* query = qkv + first * 3 * width;
    kernels::encoder_attention<V>(shape, query, query + width, query + 2 * width, 3 * width,
                                  scratch.context() + first * width, width, scratch.attention());
    first += sequence.ids.size();
  }
  LinearInput<V> context(scratch.context(), n_tokens, width, scratch);
  context.multiply(layer.attention_output.weight, hidden.data(), width,
                   kernels::BiasResidual{layer.attention_output.bias.data(), hidden.data(), width});
  normalize_rows<V>(weights, layer.attention_norm, hidden);
}

template <class V>
void widen_and_activate(Activation activation, LinearInput<V>& rows, const Linear& linear,
                        float* out, size_t width) {
  const float* bias = linear.bias.data();
  switch (activation) {
    case Activation::GeluErf:
      return rows.multiply(linear.weight, out, width,
                           kernels::BiasActivation<kernels::GeluErf>{bias});
    case Activation::GeluTanh:
      return rows.multiply(linear.weight, out, width,
                           kernels::BiasActivation<kernels::GeluTanh>{bias});
    case Activation::Relu:
      return rows.multiply(linear.weight, out, width, kernels::BiasActivation<kernels::Relu>{bias});
  }
}

template <class V>
void feed_forward(const EncoderWeights& weights, const EncoderLayer& layer, EncoderScratch& scratch,
                  std::span<float> hidden) {
  const size_t width = weights.hidden_size;
  const size_t wide = weights.intermediate_size;
  for (size_t at = 0; at < hidden.size(); at += kFeedForwardRows * width) {
    const std::span<float> block =
        hidden.subspan(at, std::min(kFeedForwardRows * width, hidden.size() - at));
    const size_t n_rows = block.size() / width;
    LinearInput<V> rows(block.data(), n_rows, width, scratch);
    widen_and_activate(weights.activation, rows, layer.intermediate, scratch.intermediate(), wide);
    LinearInput<V> widened(scratch.intermediate(), n_rows, wide, scratch);
    widened.multiply(layer.output.weight, block.data(), width,
                     kernels::BiasResidual{layer.output.bias.data(), block.data(), width});
    normalize_rows<V>(weights, layer.output_norm, block);
  }
}

// Encoder::run for one instruction set. Fails only when the heap has no room for the scratch.
template <class V>
Result<void> encode(const EncoderWeights& weights, EncoderScratch& scratch,
                    std::span<const Sequence> batch, std::span<float> hidden) {
  if (hidden.empty()) return {};
  AMBRY_RETURN_IF_ERROR(scratch.reserve(weights, batch));
  embed_tokens<V>(weights, batch, scratch.row(), hidden);
  for (const EncoderLayer& layer : weights.layers) {
    attend<V>(weights, layer, batch, scratch, hidden);
    feed_forward<V>(weights, layer, scratch, hidden);
  }
  return {};
}

}  // namespace ambry::infer
