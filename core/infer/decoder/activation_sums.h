// Sums up what the layers of a decoder are given while passes run (ForwardPass::observe). The sums
// run in the order of the tokens, so that the same texts give the same numbers.
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

  // The inputs of a layer's matrices, row after row.
  enum class Input : uint8_t { Attention, Context, Mlp, Wide };
  void add(Input input, uint32_t layer, std::span<const float> rows);
  // Those of the output matrix.
  void add_output(std::span<const float> rows);
  // Tokens that look up their embeddings, the first of them at `position`.
  void add_tokens(std::span<const uint32_t> ids, uint64_t position);

  [[nodiscard]] uint64_t n_tokens() const { return n_tokens_; }
  // BadValue for no tokens at all.
  [[nodiscard]] Result<model::DecoderActivations> means() const;

 private:
  using Sums = std::vector<double>;
  static constexpr size_t kInputs = 4;

  double embed_scale_;
  uint64_t n_tokens_ = 0;
  std::vector<Sums> layers_;  // kInputs of each
  Sums output_;
  Sums tokens_;
  Sums positions_;
};

}  // namespace ambry::infer
