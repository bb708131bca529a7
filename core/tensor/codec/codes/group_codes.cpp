#include "tensor/codec/codes/group_codes.h"

#include <algorithm>
#include <cmath>

namespace ambry::tensor {
namespace {

constexpr float kSymmetricCodes = 127.0F;
constexpr float kAsymmetricCodes = 255.0F;
constexpr float kLowest = -128.0F;
constexpr float kHighest = 127.0F;
// The scale of a group of equal numbers.
constexpr float kFlatScale = 1e-4F;
constexpr float kInt32End = 2147483648.0F;

int8_t wrap(float code) {
  if (!(std::abs(code) < kInt32End)) return 0;
  return static_cast<int8_t>(static_cast<int32_t>(code));
}

}  // namespace

uint64_t choose_group(uint64_t count, uint64_t wanted) {
  if (count <= wanted) return count;
  // A count has a divisor within every distance, 1 at the latest.
  for (uint64_t distance = 0;; ++distance) {
    if (distance < wanted && count % (wanted - distance) == 0) return wanted - distance;
    if (count % (wanted + distance) == 0) return wanted + distance;
  }
}

Result<GroupScale> fit_group(std::span<const float> values, bool asymmetric) {
  const auto [low, high] = std::ranges::minmax(values);
  if (!std::ranges::all_of(values, [](float value) { return std::isfinite(value); })) {
    return make_error(ErrorCode::BadValue, "group", "a weight is NaN or infinite");
  }
  if (!asymmetric) return GroupScale{std::max(std::abs(low), std::abs(high)) / kSymmetricCodes, 0};
  const float range = (high - low) / kAsymmetricCodes;
  const float scale = range == 0 ? kFlatScale : range;
  const float zero_point = std::nearbyint(kLowest - low / scale);
  if (std::isfinite(scale) && std::abs(zero_point) < kInt32End) {
    return GroupScale{scale, static_cast<int32_t>(zero_point)};
  }
  return make_error(ErrorCode::Overflow, "group",
                    "the weights lie so far from 0 that no zero point reaches it");
}

void code_group(std::span<const float> values, const GroupScale& scale, bool asymmetric,
                int8_t* to) {
  const auto zero_point = static_cast<float>(scale.zero_point);
  for (const float value : values) {
    // The zero point comes before rounding.
    const float code =
        asymmetric ? std::clamp(std::nearbyint(value / scale.scale + zero_point), kLowest, kHighest)
                   : std::nearbyint(value / scale.scale);
    *to++ = wrap(code);
  }
}

}  // namespace ambry::tensor
