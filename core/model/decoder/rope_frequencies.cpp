#include "model/decoder/rope_frequencies.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ambry::model {
namespace {

using Kind = RopeScaling::Kind;

double length_before_scaling(const DecoderConfig& config) {
  return config.rope_scaling.original_max_seq_len.value_or(config.max_seq_len);
}

// base^(-2i/n)
std::vector<double> base_inv_freq(double base, uint32_t n_rotated) {
  std::vector<double> inv_freq(n_rotated / 2);
  for (size_t i = 0; i < inv_freq.size(); ++i) {
    inv_freq[i] = std::pow(base, -2.0 * static_cast<double>(i) / n_rotated);
  }
  return inv_freq;
}

// The base grows with the sequence beyond the model's own length ("NTK-aware").
double dynamic_base(const DecoderConfig& config, uint64_t length) {
  const double own = config.max_seq_len;
  const double n = config.n_rotated;
  const double factor = config.rope_scaling.factor;
  const double stretch = factor * std::max(static_cast<double>(length), own) / own - (factor - 1);
  return config.rope_freq_base * std::pow(stretch, n / (n - 2));
}

// Pairs that rotate often over the original length stay, slow ones are interpolated, and those
// between are blended linearly (Peng et al., "YaRN", 2023).
void scale_yarn(const DecoderConfig& config, RopeFrequencies& out) {
  const RopeScaling& scaling = config.rope_scaling;
  const double n = config.n_rotated;
  const auto pair_rotating = [&](double times) {
    return n * std::log(length_before_scaling(config) / (times * 2 * std::numbers::pi)) /
           (2 * std::log(config.rope_freq_base));
  };
  const double low = std::max(std::floor(pair_rotating(scaling.beta_fast)), 0.0);
  double high = std::min(std::ceil(pair_rotating(scaling.beta_slow)), n - 1);
  if (low == high) high += 0.001;
  for (size_t i = 0; i < out.inv_freq.size(); ++i) {
    const double ramp = std::clamp((static_cast<double>(i) - low) / (high - low), 0.0, 1.0);
    out.inv_freq[i] *= ramp / scaling.factor + (1 - ramp);
  }
}

// By wavelength: long ones are interpolated, short ones stay, and those between are blended
// smoothly.
void scale_llama3(const DecoderConfig& config, RopeFrequencies& out) {
  const RopeScaling& scaling = config.rope_scaling;
  const double low = scaling.low_freq_factor;
  const double high = scaling.high_freq_factor;
  for (double& frequency : out.inv_freq) {
    const double times = length_before_scaling(config) * frequency / (2 * std::numbers::pi);
    const double kept = std::clamp((times - low) / (high - low), 0.0, 1.0);
    frequency *= (1 - kept) / scaling.factor + kept;
  }
}

// One factor per pair: from one list up to the original length, from another beyond it.
void scale_long(const DecoderConfig& config, uint64_t length, RopeFrequencies& out) {
  const RopeScaling& scaling = config.rope_scaling;
  const double original = length_before_scaling(config);
  const bool beyond = static_cast<double>(length) > original;
  const std::vector<float>& factors = beyond ? scaling.long_factor : scaling.short_factor;
  for (size_t i = 0; i < out.inv_freq.size(); ++i)
    out.inv_freq[i] /= static_cast<double>(factors[i]);
}

// The first pairs of a head rotate, with the frequencies of whole heads, and the others stand
// still.
void still_rest(const DecoderConfig& config, RopeFrequencies& out) {
  const double n_rotated =
      config.extras.global_rotary_factor * static_cast<double>(out.inv_freq.size());
  // A share of whole pairs may be rounded down a little.
  constexpr double kRounding = 1e-6;
  const auto first = static_cast<size_t>(n_rotated + kRounding);
  for (size_t i = first; i < out.inv_freq.size(); ++i) out.inv_freq[i] = 0;
}

}  // namespace

RopeFrequencies rope_frequencies(const DecoderConfig& config, uint64_t length) {
  const RopeScaling& scaling = config.rope_scaling;
  const double base =
      scaling.kind == Kind::Dynamic ? dynamic_base(config, length) : config.rope_freq_base;
  const uint32_t global = config.extras.global_head_dim;
  RopeFrequencies out{base_inv_freq(base, global > 0 ? global : config.n_rotated),
                      rope_magnitude(scaling, config.max_seq_len)};
  if (config.extras.global_rotary_factor < 1) still_rest(config, out);
  switch (scaling.kind) {
    case Kind::Linear:
      for (double& frequency : out.inv_freq) frequency /= scaling.factor;
      break;
    case Kind::Yarn:
      scale_yarn(config, out);
      break;
    case Kind::Llama3:
      scale_llama3(config, out);
      break;
    case Kind::LongRope:
      scale_long(config, length, out);
      break;
    case Kind::None:
    case Kind::Dynamic:
      break;
  }
  return out;
}

RopeFrequencies local_rope_frequencies(const DecoderConfig& config) {
  return {base_inv_freq(config.rope_local_freq_base, config.n_rotated), 1};
}

}  // namespace ambry::model
