#include "infer/decoder/steps/activation_sums.h"

#include <algorithm>
#include <cassert>

#include "infer/decoder/recurrent/state_shape.h"

namespace ambry::infer {
namespace {

void add_squares(std::span<const float> rows, std::vector<double>& sums) {
  const size_t width = sums.size();
  assert(rows.size() % width == 0);
  for (size_t row = 0; row < rows.size(); row += width) {
    for (size_t c = 0; c < width; ++c) {
      const auto x = static_cast<double>(rows[row + c]);
      sums[c] += x * x;
    }
  }
}

std::vector<float> scaled(const std::vector<double>& sums, double scale) {
  std::vector<float> means(sums.size());
  for (size_t i = 0; i < sums.size(); ++i) means[i] = static_cast<float>(sums[i] * scale);
  return means;
}

// Add-one smoothing: tokens that these texts lack occur in others.
std::vector<float> shares(const std::vector<double>& counts, uint64_t n_tokens, double weight) {
  std::vector<float> shares(counts.size());
  const double all = static_cast<double>(n_tokens) + static_cast<double>(counts.size());
  for (size_t i = 0; i < counts.size(); ++i) {
    shares[i] = static_cast<float>((counts[i] + 1) / all * weight);
  }
  return shares;
}

}  // namespace

ActivationSums::ActivationSums(const model::DecoderConfig& config)
    : embed_scale_(config.embed_scale),
      n_experts_(config.experts.count),
      output_(config.n_embd),
      tokens_(config.n_vocab),
      positions_(config.positions == model::DecoderPositions::Learned ? config.max_seq_len : 0) {
  for (uint32_t layer = 0; layer < config.n_layers; ++layer) {
    layers_.emplace_back(config.n_embd);
    layers_.emplace_back(mixed_width(config, layer));
    layers_.emplace_back(config.n_embd);
    layers_.emplace_back(config.n_ff_of(layer));
    for (uint32_t expert = 0; expert < n_experts_; ++expert) {
      const bool has = config.experts.in_layer(layer);
      experts_.emplace_back(has ? config.n_embd : 0);
      experts_.emplace_back(has ? config.experts.n_ff : 0);
    }
  }
}

void ActivationSums::add(Input input, uint32_t layer, std::span<const float> rows) {
  add_squares(rows, layers_[layer * kInputs + static_cast<size_t>(input)]);
}

void ActivationSums::add_expert(uint32_t layer, uint32_t expert, bool wide,
                                std::span<const float> rows) {
  add_squares(rows, experts_[(size_t{layer} * n_experts_ + expert) * 2 + (wide ? 1 : 0)]);
}

// An expert that no token took gets what the layer's experts got together.
std::vector<model::DecoderActivations::Expert> ActivationSums::expert_means(uint32_t layer,
                                                                            double scale) const {
  const size_t first = size_t{layer} * n_experts_ * 2;
  std::vector<model::DecoderActivations::Expert> means;
  Sums all[2];
  for (size_t i = 0; i < 2 * size_t{n_experts_}; ++i) {
    const Sums& sums = experts_[first + i];
    Sums& both = all[i % 2];
    both.resize(sums.size());
    for (size_t c = 0; c < sums.size(); ++c) both[c] += sums[c];
  }
  for (size_t i = 0; i < n_experts_; ++i) {
    const Sums& own = experts_[first + 2 * i];
    const bool taken = std::ranges::any_of(own, [](double sum) { return sum > 0; });
    means.push_back({scaled(taken ? own : all[0], scale),
                     scaled(taken ? experts_[first + 2 * i + 1] : all[1], scale)});
  }
  return means;
}

void ActivationSums::add_output(std::span<const float> rows) { add_squares(rows, output_); }

void ActivationSums::add_tokens(std::span<const uint32_t> ids, uint64_t position) {
  n_tokens_ += ids.size();
  for (size_t i = 0; i < ids.size(); ++i) {
    tokens_[ids[i]] += 1;
    const auto at = static_cast<size_t>(position) + i;
    if (at < positions_.size()) positions_[at] += 1;
  }
}

Result<model::DecoderActivations> ActivationSums::means() const {
  if (n_tokens_ == 0) {
    return make_error(ErrorCode::BadValue, "calibration", "no token has passed the model");
  }
  const double scale = 1 / static_cast<double>(n_tokens_);
  model::DecoderActivations means;
  for (size_t i = 0; i < layers_.size(); i += kInputs) {
    means.layers.push_back({scaled(layers_[i], scale), scaled(layers_[i + 1], scale),
                            scaled(layers_[i + 2], scale), scaled(layers_[i + 3], scale),
                            expert_means(static_cast<uint32_t>(i / kInputs), scale)});
  }
  means.output = scaled(output_, scale);
  // Embedding rows are scaled before anything reads them.
  means.tokens = shares(tokens_, n_tokens_, embed_scale_ * embed_scale_);
  means.positions = shares(positions_, n_tokens_, 1);
  return means;
}

}  // namespace ambry::infer
