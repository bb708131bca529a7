// What the parts of a pass share: products, norms and sums of the rows of a block (pass_block.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/threads/work_team.h"
#include "infer/decoder/steps/activation_sums.h"
#include "infer/decoder/steps/pass_block.h"
#include "infer/decoder/steps/pass_scratch.h"
#include "infer/decoder/weights/decoder.h"
#include "kernels/add_row.h"
#include "kernels/norm/layer_norm.h"
#include "kernels/norm/rms_norm.h"

namespace ambry::infer {

// Products of fewer numbers than this take less time than telling other threads of them.
inline constexpr size_t kLeastSharedProducts = size_t{64} * 1024;

template <class V>
class RowSteps {
 protected:
  RowSteps(const Decoder& decoder, PassScratch& scratch, const PassBlock& block)
      : config_(decoder.config()),
        weights_(decoder.weights()),
        team_(decoder.team()),
        scratch_(scratch),
        block_(block) {}
  ~RowSteps() = default;

  [[nodiscard]] float* hidden(size_t i) const { return scratch_.hidden + i * config_.n_embd; }
  [[nodiscard]] float* attended(size_t i) const { return scratch_.attended + i * config_.n_embd; }

  // Calls step(first, rows) for pieces of the block that fit the scratch.
  template <class Step>
  void for_rows(const Step& step) const {
    for (size_t first = 0; first < block_.ids.size(); first += kPassRows) {
      step(first, std::min(kPassRows, block_.ids.size() - first));
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

  // What attention or feed-forward layer add to the hidden state, in `out`.
  void finish_branch(const NormWeights& norm, size_t rows) const {
    const size_t width = config_.n_embd;
    for (size_t r = 0; r < rows && !norm.weight.empty(); ++r) {
      float* row = scratch_.out + r * width;
      normalize_row(norm, {row, width}, row);
    }
    scale(config_.residual_scale, rows * width, scratch_.out);
  }

  const model::DecoderConfig& config_;
  const DecoderWeights& weights_;
  WorkTeam* team_;
  PassScratch& scratch_;
  const PassBlock& block_;
};

}  // namespace ambry::infer
