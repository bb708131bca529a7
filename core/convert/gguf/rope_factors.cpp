#include "convert/gguf/rope_factors.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "base/bytes.h"
#include "formats/gguf/gguf_decoder.h"

namespace ambry::convert {
namespace {

using formats::gguf::kLongFactors;
using formats::gguf::kRopeFactors;
using formats::gguf::kShortFactors;
using Scaling = model::RopeScaling::Kind;

// By how often a pair rotates within the original length. Pairs that rotate often keep their
// frequency, slow ones are divided by the factor, and those between are blended.
std::vector<float> llama3_factors(const model::DecoderConfig& facts) {
  const model::RopeScaling& scaling = facts.rope_scaling;
  const double length = scaling.original_max_seq_len.value_or(facts.max_seq_len);
  std::vector<float> factors;
  for (uint32_t i = 0; i < facts.n_rotated / 2; ++i) {
    const double frequency = std::pow(facts.rope_freq_base, -2.0 * i / facts.n_rotated);
    const double times = length * frequency / (2 * std::numbers::pi);
    const double range = scaling.high_freq_factor - scaling.low_freq_factor;
    const double kept = std::clamp((times - scaling.low_freq_factor) / range, 0.0, 1.0);
    factors.push_back(static_cast<float>(1 / ((1 - kept) / scaling.factor + kept)));
  }
  return factors;
}

// 1 for each pair that rotates in layers that see all, and a number that stops the others.
std::vector<float> global_factors(const model::DecoderConfig& facts) {
  const uint32_t head = facts.extras.global_head_dim;
  const uint32_t n_pairs = (head > 0 ? head : facts.head_dim) / 2;
  std::vector<float> factors(n_pairs, static_cast<float>(formats::gguf::kStandsStill));
  const auto n_rotated = static_cast<size_t>(facts.extras.global_rotary_factor * n_pairs + 1e-6);
  std::fill_n(factors.begin(), std::min<size_t>(n_rotated, n_pairs), 1.0F);
  return factors;
}

}  // namespace

std::vector<RopeFactors> rope_factors(const model::DecoderConfig& facts) {
  const model::RopeScaling& scaling = facts.rope_scaling;
  if (facts.architecture == model::DecoderArchitecture::Gemma4) {
    return {{kRopeFactors, global_factors(facts)}};
  }
  if (scaling.kind == Scaling::Llama3) return {{kRopeFactors, llama3_factors(facts)}};
  if (scaling.kind != Scaling::LongRope) return {};
  // What a GGUF file with one tensor became (formats/gguf/gguf_decoder.cpp).
  const bool one = scaling.attention_factor == 1.0 && scaling.long_factor == scaling.short_factor;
  if (one) return {{kRopeFactors, scaling.long_factor}};
  return {{kLongFactors, scaling.long_factor}, {kShortFactors, scaling.short_factor}};
}

void add_rope_factors(const std::vector<RopeFactors>& tensors, Plan& plan) {
  for (const auto& [name, factors] : tensors) {
    model::TensorEntry tensor;
    tensor.name = name;
    tensor.shape = {factors.size()};
    add_output(plan, std::move(tensor), {});
  }
}

void place_rope_factors(const std::vector<RopeFactors>& tensors, Plan& plan) {
  for (const auto& [name, factors] : tensors) {
    const auto tensor = std::ranges::find(plan.target.tensors, name, &model::TensorEntry::name);
    const auto index = static_cast<size_t>(tensor - plan.target.tensors.begin());
    const auto piece = std::ranges::find(plan.layout.pieces, index, &model::FilePiece::tensor);
    piece->tensor = model::FilePiece::kLiteral;
    for (const float factor : factors) {
      piece->bytes.resize(piece->bytes.size() + sizeof(factor));
      store_le(piece->bytes.data() + piece->bytes.size() - sizeof(factor), factor);
    }
  }
}

}  // namespace ambry::convert
