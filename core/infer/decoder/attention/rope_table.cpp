#include "infer/decoder/attention/rope_table.h"

#include <algorithm>
#include <utility>

#include "infer/decoder/attention/sine_cosine.h"

namespace ambry::infer {
namespace {

using model::DecoderConfig;
using model::DecoderPositions;
using Kind = model::RopeScaling::Kind;

double original_length(const DecoderConfig& config) {
  return config.rope_scaling.original_max_seq_len.value_or(config.max_seq_len);
}

}  // namespace

bool rope_changes(const DecoderConfig& config, uint64_t before, uint64_t after) {
  if (config.rope_scaling.kind != Kind::LongRope || before == 0) return false;
  const double original = original_length(config);
  return (static_cast<double>(before) <= original) != (static_cast<double>(after) <= original);
}

bool keeps_rotation(const DecoderConfig& config, uint64_t before, uint64_t after) {
  if (config.rope_scaling.kind == Kind::Dynamic && config.positions == DecoderPositions::Rope) {
    return std::max(before, after) <= config.max_seq_len;
  }
  return !rope_changes(config, before, after);
}

bool rotation_depends_on_length(const DecoderConfig& config) {
  const bool depends =
      config.rope_scaling.kind == Kind::Dynamic || config.rope_scaling.kind == Kind::LongRope;
  return depends && config.positions == DecoderPositions::Rope;
}

std::vector<float> RopeTable::values() const {
  std::vector<float> both = cosines_;
  both.insert(both.end(), sines_.begin(), sines_.end());
  return both;
}

void RopeTable::clear() {
  cosines_.clear();
  sines_.clear();
}

void RopeTable::add(uint64_t first, size_t count) {
  for (uint64_t position = first; position < first + count; ++position) {
    for (const double frequency : frequencies_.inv_freq) {
      const SineCosine of = sine_cosine(static_cast<double>(position) * frequency);
      cosines_.push_back(static_cast<float>(of.cosine * frequencies_.attention_scaling));
      sines_.push_back(static_cast<float>(of.sine * frequencies_.attention_scaling));
    }
  }
}

}  // namespace ambry::infer
