// Sums up the squared inputs of a decoder's layers while passes run (ForwardPass::observe). Sums
// run in the order of the tokens, so the same texts give the same results.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "model/decoder/decoder_activations.h"
#include "model/decoder/decoder_config.h"

namespace ambry::infer {

class ActivationSums {
 public:
  explicit ActivationSums(const model::DecoderConfig& config);

  // Adds inputs of one of a layer's matrices, row after row.
  enum class Input : uint8_t { Attention, Context, Mlp, Wide };
  void add(Input input, uint32_t layer, std::span<const float> rows);
  // Adds inputs of one expert: of its gate and up, or of its down.
  void add_expert(uint32_t layer, uint32_t expert, bool wide, std::span<const float> rows);
  // Adds inputs of the output matrix.
  void add_output(std::span<const float> rows);
  // Counts tokens that look up their embeddings. The first of them is at `position`.
  void add_tokens(std::span<const uint32_t> ids, uint64_t position);

  [[nodiscard]] uint64_t n_tokens() const { return n_tokens_; }
  // BadValue when no token was counted.
  [[nodiscard]] Result<model::DecoderActivations> means() const;

 private:
  using Sums = std::vector<double>;
  static constexpr size_t kInputs = 4;

  [[nodiscard]] std::vector<model::DecoderActivations::Expert> expert_means(uint32_t layer,
                                                                            double scale) const;

  double embed_scale_;
  uint32_t n_experts_;
  uint64_t n_tokens_ = 0;
  std::vector<Sums> layers_;   // kInputs per layer
  std::vector<Sums> experts_;  // two per expert, where layers have some
  Sums output_;
  Sums tokens_;
  Sums positions_;
};

}  // namespace ambry::infer
