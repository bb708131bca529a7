#include "infer/cnn/activations.h"

#include <algorithm>

namespace ambry::infer {
namespace {

// At least one plane, if that is within the limits of the run.
uint32_t channels_within_limits(const model::CnnShape& shape, uint64_t kept) {
  const uint64_t plane = std::max<uint64_t>(1, shape.plane());
  const uint64_t wanted = std::max<uint64_t>(1, kMaxKeptOfValue / plane);
  const uint64_t left = (kMaxKeptOfRun - kept) / plane;
  return static_cast<uint32_t>(std::min<uint64_t>({wanted, left, shape.channels}));
}

}  // namespace

void CnnActivations::on_value(uint32_t value, const FeatureMap& map) {
  const model::CnnShape& shape = map.shape();
  const uint32_t channels = channels_within_limits(shape, floats_.size());
  const size_t count = static_cast<size_t>(channels * shape.plane());
  entries_.push_back({value, shape, channels});
  if (map.is_quantized()) {
    const model::CnnActivation& form = map.quantization();
    for (const uint8_t byte : map.bytes().first(count)) {
      floats_.push_back(form.scale * static_cast<float>(int32_t{byte} - form.zero_point));
    }
  } else {
    const std::span<const float> values = map.floats().first(count);
    floats_.insert(floats_.end(), values.begin(), values.end());
  }
  if (next_ != nullptr) next_->on_value(value, map);
}

void CnnActivations::on_codes(const CnnCodes& codes) {
  if (next_ != nullptr) next_->on_codes(codes);
}

void CnnActivations::on_quantized(const FeatureMap& map) {
  if (next_ != nullptr) next_->on_quantized(map);
}

void CnnActivations::on_norm_input(const FeatureMap& map) {
  if (next_ != nullptr) next_->on_norm_input(map);
}

}  // namespace ambry::infer
