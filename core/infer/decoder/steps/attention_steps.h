// The attention of a layer, with its norms.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include "infer/decoder/attention/kv_cache.h"
#include "infer/decoder/attention/rope_table.h"
#include "infer/decoder/attention/rotate_heads.h"
#include "infer/decoder/steps/row_steps.h"
#include "kernels/activation/apply_activation.h"
#include "kernels/attention/decoder_attention.h"

namespace ambry::infer {

template <class V>
class AttentionSteps : private RowSteps<V> {
  using Rows = RowSteps<V>;

 public:
  AttentionSteps(const Decoder& decoder, PassScratch& scratch, const PassBlock& block)
      : Rows(decoder, scratch, block), slopes_(decoder.slopes()) {}

  void run(uint32_t layer) const {
    const DecoderLayer& of = weights_.layers[layer];
    // Tokens that see later ones need the keys of all pieces first. A second pass over the pieces
    // takes less memory than their queries.
    const bool keys_first = config_.bidirectional && block_.ids.size() > kPassRows;
    if (keys_first) {
      for_rows([&](size_t first, size_t rows) { put_keys(layer, first, rows); });
    }
    for_rows([&](size_t first, size_t rows) {
      put_keys(layer, first, rows);
      observe(ActivationSums::Input::Attention, layer, scratch_.normed, rows * config_.n_embd);
      attend(layer, first, rows);
      open_gates(layer, rows);
      observe(ActivationSums::Input::Context, layer, scratch_.context, rows * query_width(layer));
      multiply(of.attention_output, scratch_.context, rows, scratch_.out);
      scale(config_.attn_out_scale, rows * config_.n_embd, scratch_.out);
      finish_branch(of.post_attention_norm, rows);
      if (config_.parallel_residual) {
        std::copy_n(scratch_.out, rows * config_.n_embd, attended(first));
      } else {
        add(scratch_.out, rows * config_.n_embd, hidden(first));
      }
    });
  }

 private:
  using Attending = typename Rows::Attending;
  using Rows::add;
  using Rows::attended;
  using Rows::block_;
  using Rows::config_;
  using Rows::finish_branch;
  using Rows::for_rows;
  using Rows::for_sequences;
  using Rows::hidden;
  using Rows::multiply;
  using Rows::normalize;
  using Rows::normalize_row;
  using Rows::observe;
  using Rows::scale;
  using Rows::scratch_;
  using Rows::team_;
  using Rows::team_for;
  using Rows::weights_;

  // Computes queries, keys and values of some rows, and stores keys and values. A layer that
  // attends to the keys of another has queries only.
  void put_keys(uint32_t layer, size_t first, size_t rows) const {
    const DecoderLayer& of = weights_.layers[layer];
    normalize(of.attention_norm, first, rows);
    project(layer, rows);
    if (!config_.norm_after_rope) normalize_heads(layer, rows);
    if (config_.is_rotated(layer)) rotate(layer, first, rows);
    if (config_.norm_after_rope) normalize_heads(layer, rows);
    const bool is_own = has_keys(layer);
    const size_t width = kv_width(layer);
    for_sequences(first, rows, [&](const PassPiece& piece, const Attending& part) {
      temper(layer, part);
      if (!is_own) return;
      piece.layers[layer].put(part.position, part.rows, scratch_.key + part.at * width,
                              scratch_.value + part.at * width);
    });
  }

  [[nodiscard]] bool has_keys(uint32_t layer) const { return config_.kv_layer(layer) == layer; }

  void normalize_heads(uint32_t layer, size_t rows) const {
    const DecoderLayer& of = weights_.layers[layer];
    normalize_heads(of.query_norm, rows * query_width(layer), scratch_.query);
    if (has_keys(layer)) normalize_heads(of.key_norm, rows * kv_width(layer), scratch_.key);
  }

  // Normalizes queries or keys: each head, or all heads of a token together, by the norm's length.
  void normalize_heads(const NormWeights& norm, size_t n, float* heads) const {
    const size_t width = norm.weight.size();
    for (size_t at = 0; width > 0 && at < n; at += width) {
      normalize_row(norm, {heads + at, width}, heads + at);
    }
  }

  // By a norm without weights.
  void normalize_values(uint32_t layer, size_t rows) const {
    const size_t width = config_.head_dim_of(layer);
    const std::span<const float> ones(weights_.ones.data(), width);
    for (size_t at = 0; at < rows * kv_width(layer); at += width) {
      float* value = scratch_.value + at;
      kernels::rms_norm<V>({value, width}, ones, static_cast<float>(config_.norm_eps), value);
    }
  }

  [[nodiscard]] size_t query_width(uint32_t layer) const {
    return size_t{config_.n_heads} * config_.head_dim_of(layer);
  }
  [[nodiscard]] size_t kv_width(uint32_t layer) const {
    return size_t{config_.n_kv_heads_of(layer)} * config_.head_dim_of(layer);
  }

  void project(uint32_t layer, size_t rows) const {
    const DecoderLayer& of = weights_.layers[layer];
    if (of.query_key_value.weight.rows() == 0) {
      project_queries(of, rows);
      if (!has_keys(layer)) return;
      multiply(of.key, scratch_.normed, rows, scratch_.key);
      if (config_.keys_are_values(layer)) {
        std::copy_n(scratch_.key, rows * kv_width(layer), scratch_.value);
      } else {
        multiply(of.value, scratch_.normed, rows, scratch_.value);
      }
      if (config_.extras.value_norm) normalize_values(layer, rows);
      return;
    }
    multiply(of.query_key_value, scratch_.normed, rows, scratch_.fused);
    // Without groups, all queries come first, then all keys, then all values.
    const size_t groups = config_.qkv_per_head ? config_.n_kv_heads : 1;
    for (size_t i = 0; i < rows * groups; ++i) {
      const size_t query = query_width(layer) / groups;
      const size_t key = kv_width(layer) / groups;
      const float* from = scratch_.fused + i * (query + 2 * key);
      from = copy(from, i, query, scratch_.query);
      from = copy(from, i, key, scratch_.key);
      copy(from, i, key, scratch_.value);
    }
  }

  // With gates, the rows of a head's query come before those of its gate.
  void project_queries(const DecoderLayer& of, size_t rows) const {
    if (!config_.attn_gate) return multiply(of.query, scratch_.normed, rows, scratch_.query);
    multiply(of.query, scratch_.normed, rows, scratch_.fused);
    const float* from = scratch_.fused;
    for (size_t i = 0; i < rows * config_.n_heads; ++i) {
      from = copy(from, i, config_.head_dim, scratch_.query);
      from = copy(from, i, config_.head_dim, scratch_.gate);
    }
  }

  void open_gates(uint32_t layer, size_t rows) const {
    if (!config_.attn_gate) return;
    const size_t n = rows * query_width(layer);
    kernels::apply_gated_activation<V, kernels::Sigmoid>({scratch_.gate, n}, {scratch_.context, n},
                                                         scratch_.context);
  }

  // Copies n values to the i-th place of `to`. Returns the end of what it read.
  static const float* copy(const float* from, size_t i, size_t n, float* to) {
    std::copy_n(from, n, to + i * n);
    return from + n;
  }

  [[nodiscard]] const RopeTable& rope_of(uint32_t layer) const {
    const bool own = config_.rope_local_freq_base > 0 && config_.is_local(layer);
    return own ? block_.local_rope : block_.rope;
  }

  void rotate(uint32_t layer, size_t first, size_t rows) const {
    const RopeTable& rope = rope_of(layer);
    const size_t head_dim = config_.head_dim_of(layer);
    const size_t kv_heads = has_keys(layer) ? config_.n_kv_heads_of(layer) : 0;
    for (size_t r = 0; r < rows; ++r) {
      const float* cosines = rope.cosines(first + r);
      const float* sines = rope.sines(first + r);
      const RotatedHeads queries{scratch_.query + r * query_width(layer), config_.n_heads,
                                 head_dim};
      const RotatedHeads keys{scratch_.key + r * kv_width(layer), kv_heads, head_dim};
      rotate_heads<V>(config_.rope_style, queries, rope.n_pairs(), cosines, sines);
      rotate_heads<V>(config_.rope_style, keys, rope.n_pairs(), cosines, sines);
    }
  }

  // Queries far into a text are made larger, so that attention stays as sharp.
  void temper(uint32_t layer, const Attending& part) const {
    if (config_.attn_temperature_scale == 0) return;
    for (size_t r = 0; r < part.rows; ++r) {
      const uint64_t steps = (part.position + r) / config_.attn_temperature_length;
      scale(1 + config_.attn_temperature_scale * std::log1p(static_cast<double>(steps)),
            query_width(layer), scratch_.query + (part.at + r) * query_width(layer));
    }
  }

  // Attention of rows [first, first + rows) of the block, each sequence alone.
  void attend(uint32_t layer, size_t first, size_t rows) const {
    for_sequences(first, rows, [&](const PassPiece& piece, const Attending& part) {
      attend(layer, piece.layers[config_.kv_layer(layer)], part);
    });
  }

  void attend(uint32_t layer, const KvCache& cache, const Attending& part) const {
    switch (cache.type()) {
      case KvType::F32:
        return attend(layer, cache.view<float>(), part);
      case KvType::F16:
        return attend(layer, cache.view<uint16_t>(), part);
      case KvType::Int8:
        return attend(layer, cache.view<int8_t>(), part);
    }
  }

  [[nodiscard]] float score_scale() const {
    if (config_.attn_scale > 0) return static_cast<float>(config_.attn_scale);
    return 1.0F / std::sqrt(static_cast<float>(config_.head_dim));
  }

  template <class T>
  void attend(uint32_t layer, const kernels::KvCacheView<T>& cache, const Attending& part) const {
    const kernels::AttentionHeads heads{config_.n_heads, config_.n_kv_heads_of(layer),
                                        config_.head_dim_of(layer)};
    const kernels::ScoreOptions options{
        score_scale(), static_cast<float>(config_.attn_softcap), config_.window_of(layer),
        slopes_.empty() ? nullptr : slopes_.data(), config_.bidirectional ? part.length : 0};
    const size_t width = query_width(layer);
    const size_t products = part.rows * width * static_cast<size_t>(part.position + part.rows);
    share_work(team_for(products), [&](size_t i, size_t n) {
      // Threads share the heads, or the rows where there are too few heads.
      const bool by_head = heads.n_kv_heads >= n;
      const auto share_of = [&](size_t all, bool is_shared) {
        return is_shared ? kernels::KvHeadRange{all * i / n, all * (i + 1) / n}
                         : kernels::KvHeadRange{0, all};
      };
      const auto [first, end] = share_of(part.rows, !by_head);
      if (first == end) return;
      const size_t begin = (part.at + first) * width;
      const kernels::QueryBatch queries{
          scratch_.query + begin, width, scratch_.context + begin, width, end - first,
          part.position + first};
      kernels::decoder_attention<V>(heads, options, queries, cache,
                                    share_of(heads.n_kv_heads, by_head), scratch_.kernels(i));
    });
  }

  std::span<const float> slopes_;
};

}  // namespace ambry::infer
