// Layers that are narrower within than the states between them (MobileBERT). The first part of a
// layer has the matrices that narrow these states and widen the result.
#pragma once

#include <algorithm>
#include <span>

#include "infer/encoder/encoder.h"
#include "infer/encoder/encoder_scratch.h"
#include "infer/encoder/general_parts.h"
#include "infer/encoder/linear_input.h"
#include "infer/encoder/weights/encoder_weights.h"
#include "kernels/add_row.h"

namespace ambry::infer {

// The embeddings of the next token, of this one and of the one before, side by side for each token.
// There are zeros where a text ends.
template <class V>
void lay_out_trigrams(const EncoderWeights& weights, std::span<const Sequence> batch, float* rows) {
  const size_t width = weights.embedding_width();
  for (const Sequence& sequence : batch) {
    const size_t n = sequence.ids.size();
    std::fill_n(rows, 3 * width * n, 0.0F);
    for (size_t i = 0; i < n; ++i, rows += 3 * width) {
      float* word = rows + width;
      weights.word_embeddings.read_row<V>(sequence.ids[i], {word, width});
      if (i > 0) std::copy_n(word, width, word - 4 * width);
      if (i + 1 < n) std::copy_n(word, width, word + 4 * width);
    }
  }
}

template <class V>
void embed_trigrams(const EncoderWeights& weights, std::span<const Sequence> batch,
                    EncoderScratch& scratch, std::span<float> hidden) {
  const size_t width = weights.hidden_size;
  const Linear& projection = weights.embedding_projection;
  lay_out_trigrams<V>(weights, batch, scratch.qkv());
  LinearInput<V> tokens(scratch.qkv(), hidden.size() / width, 3 * weights.embedding_width(),
                        scratch);
  tokens.multiply(projection.weight, hidden.data(), width, kernels::Bias{projection.bias.data()});
  const std::span<float> addend(scratch.row(), width);
  size_t at = 0;
  for (const Sequence& sequence : batch) {
    for (size_t i = 0; i < sequence.ids.size(); ++i, at += width) {
      const uint32_t type = sequence.type_ids.empty() ? 0 : sequence.type_ids[i];
      weights.position_embeddings.read_row<V>(i, addend);
      kernels::add_row<V>(addend, hidden.subspan(at, width));
      weights.token_type_embeddings.read_row<V>(type, addend);
      kernels::add_row<V>(addend, hidden.subspan(at, width));
    }
  }
  affine_rows(weights.embedding_norm, hidden, width);
}

// Narrows the states to EncoderScratch::normed().
template <class V>
void narrow_states(const Linear& linear, const LayerNorm& norm, size_t narrow,
                   LinearInput<V>& tokens, std::span<float> to) {
  tokens.multiply(linear.weight, to.data(), narrow, kernels::Bias{linear.bias.data()});
  affine_rows(norm, to, narrow);
}

// Queries, keys and values of all tokens. Values are made of the states themselves.
template <class V>
void project_narrow(const EncoderWeights& weights, uint32_t number, std::span<const float> hidden,
                    EncoderScratch& scratch) {
  const EncoderLayer& layer = weights.layer(number);
  const EncoderLayer& around = weights.part(number, 1);
  const size_t narrow = weights.facts.narrow_size;
  const size_t inner = weights.inner_size();
  const size_t n_tokens = hidden.size() / weights.hidden_size;
  const auto multiply = [&](LinearInput<V>& rows, const Linear& linear, size_t part) {
    rows.multiply(linear.weight, scratch.qkv() + part * inner, 3 * inner,
                  kernels::Bias{linear.bias.data()});
  };
  LinearInput<V> tokens(hidden.data(), n_tokens, weights.hidden_size, scratch);
  multiply(tokens, layer.value, 2);
  narrow_states<V>(around.query, around.query_norm, narrow, tokens,
                   {scratch.normed(), n_tokens * narrow});
  LinearInput<V> states(scratch.normed(), n_tokens, narrow, scratch);
  multiply(states, layer.query, 0);
  multiply(states, layer.key, 1);
}

// Makes the states within the layer of the attention's result and the narrowed states.
template <class V>
void end_narrow_attention(const EncoderWeights& weights, uint32_t number,
                          std::span<const float> hidden, EncoderScratch& scratch) {
  const EncoderLayer& layer = weights.layer(number);
  const EncoderLayer& around = weights.part(number, 1);
  const size_t narrow = weights.facts.narrow_size;
  const size_t n_tokens = hidden.size() / weights.hidden_size;
  const std::span<float> states(scratch.normed(), n_tokens * narrow);
  LinearInput<V> tokens(hidden.data(), n_tokens, weights.hidden_size, scratch);
  narrow_states<V>(around.key, around.key_norm, narrow, tokens, states);
  LinearInput<V> context(scratch.context(), n_tokens, weights.inner_size(), scratch);
  context.multiply(
      layer.attention_output.weight, states.data(), narrow,
      kernels::BiasResidual{layer.attention_output.bias.data(), states.data(), narrow});
  affine_rows(layer.attention_norm, states, narrow);
}

// Adds the states within the layer to those between layers.
template <class V>
void widen_narrow(const EncoderWeights& weights, uint32_t number, EncoderScratch& scratch,
                  std::span<float> hidden) {
  const EncoderLayer& around = weights.part(number, 1);
  const size_t width = weights.hidden_size;
  LinearInput<V> states(scratch.normed(), hidden.size() / width, weights.facts.narrow_size,
                        scratch);
  states.multiply(around.output.weight, hidden.data(), width,
                  kernels::BiasResidual{around.output.bias.data(), hidden.data(), width});
  affine_rows(around.output_norm, hidden, width);
}

}  // namespace ambry::infer
