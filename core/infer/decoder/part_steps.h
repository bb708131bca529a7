// The parts of a forward pass (decoder.h), written once for every instruction set and architecture.
// The input has been checked and the weights of the part are in memory.
//
//   sequential   h += norm3(attention(norm1(h))); h += norm4(mlp(norm2(h)))
//   parallel     h += attention(norm1(h)) + mlp(norm2(h)); norm2 is norm1 if there is only one
//
// A norm that the architecture does not have changes nothing.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include "base/threads/work_team.h"
#include "infer/decoder/activation_sums.h"
#include "infer/decoder/attention/kv_cache.h"
#include "infer/decoder/attention/rope_table.h"
#include "infer/decoder/attention/rotate_heads.h"
#include "infer/decoder/decoder.h"
#include "infer/decoder/pass_block.h"
#include "infer/decoder/pass_scratch.h"
#include "infer/decoder/with_activation.h"
#include "kernels/add_row.h"
#include "kernels/attention/decoder_attention.h"
#include "kernels/attention/soft_cap.h"
#include "kernels/norm/layer_norm.h"
#include "kernels/norm/rms_norm.h"

namespace ambry::infer {

// Products of fewer numbers than this take less time than telling other threads of them.
inline constexpr size_t kLeastSharedProducts = size_t{64} * 1024;

template <class V>
class PartSteps {
 public:
  PartSteps(const Decoder& decoder, PassScratch& scratch, const PassBlock& block)
      : config_(decoder.config()),
        weights_(decoder.weights()),
        slopes_(decoder.slopes()),
        team_(decoder.team()),
        scratch_(scratch),
        block_(block) {}

  void embed() const {
    for (const PassPiece& piece : block_.pieces) embed(piece);
  }

  void attention(uint32_t layer) const {
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
      observe(ActivationSums::Input::Context, layer, scratch_.context, rows * query_width());
      multiply(of.attention_output, scratch_.context, rows, scratch_.out);
      finish_branch(of.post_attention_norm, rows);
      if (config_.parallel_residual) {
        std::copy_n(scratch_.out, rows * config_.n_embd, attended(first));
      } else {
        add(scratch_.out, rows * config_.n_embd, hidden(first));
      }
    });
  }

  void feed_forward(uint32_t layer) const {
    const DecoderLayer& of = weights_.layers[layer];
    const bool shares_norm = config_.parallel_residual && of.mlp_norm.weight.empty();
    const NormWeights& norm = shares_norm ? of.attention_norm : of.mlp_norm;
    for_rows([&](size_t first, size_t rows) {
      normalize(norm, first, rows);
      observe(ActivationSums::Input::Mlp, layer, scratch_.normed, rows * config_.n_embd);
      widen(layer, rows);
      observe(ActivationSums::Input::Wide, layer, scratch_.wide, rows * config_.n_ff);
      multiply(of.down, scratch_.wide, rows, scratch_.out);
      finish_branch(of.post_mlp_norm, rows);
      if (config_.parallel_residual) add(attended(first), rows * config_.n_embd, hidden(first));
      add(scratch_.out, rows * config_.n_embd, hidden(first));
    });
  }

  // Observes all tokens, whether or not their logits are wanted.
  void observe_output() const {
    if (block_.observed == nullptr) return;
    for_rows([&](size_t first, size_t rows) {
      normalize(weights_.final_norm, first, rows);
      block_.observed->add_output({scratch_.normed, rows * config_.n_embd});
    });
  }

  // The hidden states of some rows of the block after the last norm.
  void final_states(std::span<const size_t> wanted, float* states) const {
    const size_t width = config_.n_embd;
    for (size_t i = 0; i < wanted.size(); ++i) {
      normalize(weights_.final_norm, wanted[i], 1);
      std::copy_n(scratch_.normed, width, states + i * width);
    }
  }

  // Computes the logits of some rows of the block.
  void output(std::span<const size_t> wanted, float* logits) const {
    const kernels::WeightMatrix& matrix = weights_.output_matrix();
    for (size_t done = 0; done < wanted.size(); done += kPassRows) {
      const size_t rows = std::min(kPassRows, wanted.size() - done);
      for (size_t r = 0; r < rows; ++r) normalize(weights_.final_norm, wanted[done + r], 1, r);
      float* to = logits + done * matrix.rows();
      multiply(matrix, scratch_.normed, rows, to);
      add_bias(weights_.output.bias, rows, matrix.rows(), to);
      scale(config_.logit_scale, rows * matrix.rows(), to);
      if (config_.final_softcap == 0) continue;
      kernels::soft_cap<V>({to, rows * matrix.rows()}, static_cast<float>(config_.final_softcap));
    }
  }

 private:
  [[nodiscard]] float* hidden(size_t i) const { return scratch_.hidden + i * config_.n_embd; }
  [[nodiscard]] float* attended(size_t i) const { return scratch_.attended + i * config_.n_embd; }

  // Computes queries, keys and values of some rows, and stores keys and values.
  void put_keys(uint32_t layer, size_t first, size_t rows) const {
    const DecoderLayer& of = weights_.layers[layer];
    normalize(of.attention_norm, first, rows);
    project(of, rows);
    if (!config_.norm_after_rope) normalize_heads(of, rows);
    if (config_.is_rotated(layer)) rotate(rope_of(layer), first, rows);
    if (config_.norm_after_rope) normalize_heads(of, rows);
    for_sequences(first, rows, [&](const PassPiece& piece, const Attending& part) {
      temper(part);
      piece.layers[layer].put(part.position, part.rows, scratch_.key + part.at * kv_width(),
                              scratch_.value + part.at * kv_width());
    });
  }

  // Calls step(first, rows) for pieces of the block that fit the scratch.
  template <class Step>
  void for_rows(const Step& step) const {
    for (size_t first = 0; first < block_.ids.size(); first += kPassRows) {
      step(first, std::min(kPassRows, block_.ids.size() - first));
    }
  }

  void embed(const PassPiece& piece) const {
    const auto ids = block_.ids.subspan(piece.first, piece.rows);
    if (block_.observed != nullptr) block_.observed->add_tokens(ids, piece.position);
    for (size_t i = 0; i < ids.size(); ++i) {
      float* row = hidden(piece.first + i);
      weights_.token_embedding.row(ids[i], row);
      scale(config_.embed_scale, config_.n_embd, row);
      if (config_.positions != model::DecoderPositions::Learned) continue;
      weights_.position_embedding.row(static_cast<size_t>(piece.position) + i, scratch_.normed);
      add(scratch_.normed, config_.n_embd, row);
    }
  }

  void observe(ActivationSums::Input input, uint32_t layer, const float* rows, size_t n) const {
    if (block_.observed != nullptr) block_.observed->add(input, layer, {rows, n});
  }

  // Unrolled copies of its loop would add 9 KB.
  [[gnu::noinline]] static void add(const float* from, size_t n, float* to) {
    kernels::add_row<V>({from, n}, {to, n});
  }

  static void scale(double factor, size_t n, float* row) {
    if (factor == 1) return;
    for (size_t i = 0; i < n; ++i) row[i] *= static_cast<float>(factor);
  }

  static void add_bias(std::span<const float> bias, size_t rows, size_t width, float* to) {
    if (bias.empty()) return;
    for (size_t r = 0; r < rows; ++r) add(bias.data(), width, to + r * width);
  }

  void multiply(const LinearWeights& linear, const float* x, size_t rows, float* y) const {
    multiply(linear.weight, x, rows, y);
    add_bias(linear.bias, rows, linear.weight.rows(), y);
  }

  void multiply(const kernels::WeightMatrix& weight, const float* x, size_t rows, float* y) const {
    share_work(team_for(rows * weight.rows() * weight.cols()), [&](size_t i, size_t n) {
      weight.template multiply<V>(x, rows, y, scratch_.kernels(i),
                                  kernels::share_of_panels(weight.rows(), i, n));
    });
  }

  // The team for this many products of numbers; none where one thread is as fast.
  [[nodiscard]] WorkTeam* team_for(size_t products) const {
    return products < kLeastSharedProducts ? nullptr : team_;
  }

  // Normalizes a row, which `to` may be.
  void normalize_row(const NormWeights& norm, std::span<const float> row, float* to) const {
    const auto eps = static_cast<float>(config_.norm_eps);
    if (config_.norm == model::DecoderNorm::Rms)
      return kernels::rms_norm<V>(row, norm.weight, eps, to);
    if (to != row.data()) std::ranges::copy(row, to);
    kernels::layer_norm<V>({to, row.size()}, norm.weight, norm.bias, eps);
  }

  // Normalizes rows of the hidden state into those of `normed` from row `to` on.
  void normalize(const NormWeights& norm, size_t first, size_t rows, size_t to = 0) const {
    const size_t width = config_.n_embd;
    float* normed = scratch_.normed + to * width;
    if (norm.weight.empty()) {
      std::copy_n(hidden(first), rows * width, normed);
      return;
    }
    for (size_t r = 0; r < rows; ++r) {
      normalize_row(norm, {hidden(first + r), width}, normed + r * width);
    }
  }

  void normalize_heads(const DecoderLayer& of, size_t rows) const {
    normalize_heads(of.query_norm, config_.n_heads, rows, scratch_.query);
    normalize_heads(of.key_norm, config_.n_kv_heads, rows, scratch_.key);
  }

  // Normalizes queries or keys: each head, or all heads of a token together, by the norm's length.
  void normalize_heads(const NormWeights& norm, size_t n_heads, size_t rows, float* heads) const {
    const size_t width = norm.weight.size();
    if (width == 0) return;
    const size_t count = rows * n_heads * config_.head_dim / width;
    for (size_t i = 0; i < count; ++i) {
      float* head = heads + i * width;
      normalize_row(norm, {head, width}, head);
    }
  }

  // What attention or feed-forward layer add to the hidden state, in `out`.
  void finish_branch(const NormWeights& norm, size_t rows) const {
    const size_t width = config_.n_embd;
    for (size_t r = 0; r < rows && !norm.weight.empty(); ++r) {
      float* row = scratch_.out + r * width;
      normalize_row(norm, {row, width}, row);
    }
    scale(config_.residual_scale, rows * width, scratch_.out);
  }

  [[nodiscard]] size_t query_width() const { return size_t{config_.n_heads} * config_.head_dim; }
  [[nodiscard]] size_t kv_width() const { return size_t{config_.n_kv_heads} * config_.head_dim; }

  void project(const DecoderLayer& of, size_t rows) const {
    if (of.query_key_value.weight.rows() == 0) {
      multiply(of.query, scratch_.normed, rows, scratch_.query);
      multiply(of.key, scratch_.normed, rows, scratch_.key);
      multiply(of.value, scratch_.normed, rows, scratch_.value);
      return;
    }
    multiply(of.query_key_value, scratch_.normed, rows, scratch_.fused);
    // Without groups, all queries come first, then all keys, then all values.
    const size_t groups = config_.qkv_per_head ? config_.n_kv_heads : 1;
    for (size_t i = 0; i < rows * groups; ++i) {
      const float* from = scratch_.fused + i * (query_width() + 2 * kv_width()) / groups;
      from = copy(from, i, query_width() / groups, scratch_.query);
      from = copy(from, i, kv_width() / groups, scratch_.key);
      copy(from, i, kv_width() / groups, scratch_.value);
    }
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

  void rotate(const RopeTable& rope, size_t first, size_t rows) const {
    for (size_t r = 0; r < rows; ++r) {
      const float* cosines = rope.cosines(first + r);
      const float* sines = rope.sines(first + r);
      rotate_heads<V>(config_, scratch_.query + r * query_width(), config_.n_heads, cosines, sines);
      rotate_heads<V>(config_, scratch_.key + r * kv_width(), config_.n_kv_heads, cosines, sines);
    }
  }

  // Rows of one sequence, from row `at` of the scratch on.
  struct Attending {
    uint64_t position;
    size_t at;
    size_t rows;
    uint64_t length;  // of the sequence, with this block
  };

  // Calls use(piece, part) for each sequence in rows [first, first + rows) of the block.
  template <class Use>
  void for_sequences(size_t first, size_t rows, const Use& use) const {
    for (const PassPiece& piece : block_.pieces) {
      const size_t begin = std::max(piece.first, first);
      const size_t end = std::min(piece.first + piece.rows, first + rows);
      if (begin >= end) continue;
      use(piece, Attending{piece.position + begin - piece.first, begin - first, end - begin,
                           piece.position + piece.rows});
    }
  }

  // Queries far into a text are made larger, so that attention stays as sharp.
  void temper(const Attending& part) const {
    if (config_.attn_temperature_scale == 0) return;
    for (size_t r = 0; r < part.rows; ++r) {
      const uint64_t steps = (part.position + r) / config_.attn_temperature_length;
      scale(1 + config_.attn_temperature_scale * std::log1p(static_cast<double>(steps)),
            query_width(), scratch_.query + (part.at + r) * query_width());
    }
  }

  // Attention of rows [first, first + rows) of the block, each sequence alone.
  void attend(uint32_t layer, size_t first, size_t rows) const {
    for_sequences(first, rows, [&](const PassPiece& piece, const Attending& part) {
      attend(layer, piece.layers[layer], part);
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
    const kernels::AttentionHeads heads{config_.n_heads, config_.n_kv_heads, config_.head_dim};
    const kernels::ScoreOptions options{
        score_scale(), static_cast<float>(config_.attn_softcap), config_.window_of(layer),
        slopes_.empty() ? nullptr : slopes_.data(), config_.bidirectional ? part.length : 0};
    const size_t width = query_width();
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

  // act(gate(x)) * up(x), or act(up(x)), into `wide`.
  void widen(uint32_t layer, size_t rows) const {
    const DecoderLayer& of = weights_.layers[layer];
    const size_t n_ff = config_.n_ff;
    if (of.gate_up.weight.rows() > 0) {
      multiply(of.gate_up, scratch_.normed, rows, scratch_.fused);
      for (size_t r = 0; r < rows; ++r) {
        const float* gate = scratch_.fused + r * 2 * n_ff;
        activate_gated<V>(config_, {gate, n_ff}, {gate + n_ff, n_ff}, scratch_.wide + r * n_ff);
      }
    } else if (of.gate.weight.rows() > 0) {
      multiply(of.gate, scratch_.normed, rows, scratch_.wide);
      multiply(of.up, scratch_.normed, rows, scratch_.up);
      activate_gated<V>(config_, {scratch_.wide, rows * n_ff}, {scratch_.up, rows * n_ff},
                        scratch_.wide);
    } else {
      multiply(of.up, scratch_.normed, rows, scratch_.wide);
      activate<V>(config_, layer, {scratch_.wide, rows * n_ff});
    }
  }

  const model::DecoderConfig& config_;
  const DecoderWeights& weights_;
  std::span<const float> slopes_;
  WorkTeam* team_;
  PassScratch& scratch_;
  const PassBlock& block_;
};

}  // namespace ambry::infer
