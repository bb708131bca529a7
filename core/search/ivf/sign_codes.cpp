#include "search/ivf/sign_codes.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "base/half.h"
#include "kernels/similarity/sign_products.h"
#include "simd/isa.h"

namespace ambry::search {
namespace {

constexpr int32_t kLargestInteger = 7;

}  // namespace

bool is_sign_code(Bytes code) {
  const float factor = f16_to_f32(load_le<uint16_t>(code.data() + code.size() - 4));
  const float offset = f16_to_f32(load_le<uint16_t>(code.data() + code.size() - 2));
  return std::isfinite(factor) && factor >= 0 && std::isfinite(offset);
}

void encode_signs(std::span<const float> rest, float offset, uint8_t* to) {
  float squares = 0;
  float total = 0;
  for (size_t at = 0; at < rest.size(); at += 8, ++to) {
    unsigned bits = 0;
    for (size_t i = 0; i < 8; ++i) {
      const float x = rest[at + i];
      squares += x * x;
      total += std::abs(x);
      if (x >= 0) bits |= 1U << i;
    }
    *to = static_cast<uint8_t>(bits);
  }
  store_le(to, f32_to_f16(total > 0 ? squares / total : 0.0F));
  store_le(to + 2, f32_to_f16(offset));
}

SignQuery::SignQuery(const Rotation& rotation)
    : rotation_(rotation),
      rotated_(rotation.size()),
      planes_(kernels::kSignPlanes * rotation.size() / 8) {}

void SignQuery::aim(std::span<const float> rest, float base) {
  rotation_.apply(rest, rotated_);
  base_ = base;
  float largest = 0;
  for (const float x : rotated_) largest = std::max(largest, std::abs(x));
  step_ = largest / static_cast<float>(kLargestInteger);
  const float inverse = step_ > 0 ? 1.0F / step_ : 0.0F;
  std::ranges::fill(planes_, uint8_t{0});
  sum_ = 0;
  const size_t n_bytes = rotated_.size() / 8;
  for (size_t i = 0; i < rotated_.size(); ++i) {
    const auto code = static_cast<int32_t>(std::floor(rotated_[i] * inverse + 0.5F));
    sum_ += code;
    for (size_t plane = 0; plane < kernels::kSignPlanes; ++plane) {
      const unsigned bit = static_cast<unsigned>(code) >> plane & 1U;
      uint8_t& byte = planes_[plane * n_bytes + i / 8];
      byte = static_cast<uint8_t>(byte | bit << (i % 8));
    }
  }
}

float SignQuery::estimate(const uint8_t* code) const {
  const size_t n_bytes = rotated_.size() / 8;
  const int32_t set = kernels::sum_where_set<simd::Best>({code, n_bytes}, planes_.data());
  const float factor = f16_to_f32(load_le<uint16_t>(code + n_bytes));
  const float offset = f16_to_f32(load_le<uint16_t>(code + n_bytes + 2));
  return base_ + offset + factor * step_ * static_cast<float>(2 * set - sum_);
}

}  // namespace ambry::search
