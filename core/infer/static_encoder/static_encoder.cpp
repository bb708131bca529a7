#include "infer/static_encoder/static_encoder.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "kernels/add_row.h"
#include "kernels/scaled_rows.h"
#include "model/static_encoder/static_config.h"
#include "simd/isa.h"

namespace ambry::infer {
namespace {

using tensor::DType;
using V = simd::Best;

// Sums of so many rows are added up once more, so that the error of a long text's sum stays small.
constexpr size_t kBlock = 64;

Result<void> check_finite(const std::vector<float>& values, std::string_view name) {
  for (size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i])) continue;
    return make_error(ErrorCode::BadValue, name, {"the value ", i, " is not finite"});
  }
  return {};
}

}  // namespace

Result<StaticEncoder> StaticEncoder::create(StaticParts parts) {
  AMBRY_RETURN_IF_ERROR(check_finite(parts.scales, model::kStaticRowScale));
  AMBRY_RETURN_IF_ERROR(check_finite(parts.weights, model::kStaticWeights));
  for (size_t i = 0; i < parts.mapping.size(); ++i) {
    if (parts.mapping[i] < parts.n_rows) continue;
    return make_error(ErrorCode::BadValue, model::kStaticMapping,
                      {"token ", i, " has the row ", parts.mapping[i], ", but there are ",
                       parts.n_rows, " rows"});
  }
  return StaticEncoder(std::move(parts));
}

uint64_t StaticEncoder::weight_bytes() const {
  return parts_.rows.size() + parts_.mapping.size() * sizeof(uint32_t) +
         (parts_.scales.size() + parts_.weights.size()) * sizeof(float);
}

void StaticEncoder::add(uint32_t id, std::span<float> to) const {
  assert(id < parts_.n_tokens);
  const size_t row = parts_.mapping.empty() ? id : parts_.mapping[id];
  const size_t at = row * to.size();
  float factor = parts_.weights.empty() ? 1.0F : parts_.weights[id];
  if (!parts_.scales.empty()) factor *= parts_.scales[parts_.scales.size() == 1 ? 0 : row];
  switch (parts_.dtype) {
    case DType::I8:
      return kernels::add_scaled_row<V>(parts_.rows.as<int8_t>().data() + at, factor, to);
    case DType::F16:
      return kernels::add_scaled_row<V>(parts_.rows.as<uint16_t>().data() + at, factor, to);
    default:
      return kernels::add_scaled_row<V>(parts_.rows.as<float>().data() + at, factor, to);
  }
}

void StaticEncoder::mean(std::span<const uint32_t> ids, std::span<float> out) const {
  assert(out.size() == parts_.dim);
  std::ranges::fill(out, 0.0F);
  if (ids.size() <= kBlock) {
    for (const uint32_t id : ids) add(id, out);
  } else {
    std::vector<float> part(out.size());
    for (size_t first = 0; first < ids.size(); first += kBlock) {
      std::ranges::fill(part, 0.0F);
      const size_t n = std::min(kBlock, ids.size() - first);
      for (const uint32_t id : ids.subspan(first, n)) add(id, part);
      kernels::add_row<V>(part, out);
    }
  }
  const auto n = static_cast<float>(std::max<size_t>(ids.size(), 1));
  for (float& value : out) value /= n;
}

void StaticEncoder::row(uint32_t id, std::span<float> out) const {
  std::ranges::fill(out, 0.0F);
  add(id, out);
}

}  // namespace ambry::infer
